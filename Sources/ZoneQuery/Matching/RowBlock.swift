/// A group of up to 256 rows, column by column, as a program reads it that answers for all of them at once.
///
/// Sets of rows are bits: row r is bit r % 64 of word r / 64.
protocol RowBlock {
  associatedtype Row: ProgramRow

  /// How many rows of the columns may be read, at most 256.
  var rowCapacity: Int { get }
  /// The rows that have the field; none beyond `rowCapacity`.
  func presence(_ field: FieldNumber) -> SIMD4<UInt64>
  /// Whether all rows that have the field have one value.
  func isConstant(_ field: FieldNumber) -> Bool
  /// The 8-byte values of an `INT64`, `TIMESTAMP` or `DOUBLE` that is no list, `rowCapacity` of them, whatever stands in
  /// those of rows without the field; nil where no row has the field, or all have one value.
  func fixedValues(_ field: FieldNumber) -> UnsafeRawPointer?
  /// The same for the degrees of a `LOCATION`.
  func locations(_ field: FieldNumber) -> (latitudes: UnsafeRawPointer, longitudes: UnsafeRawPointer)?
  /// One row, for what is asked row by row.
  func row(_ number: Int) -> Row
}
