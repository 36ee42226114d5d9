@testable import ZoneQuery

/// A block of rows for tests: what a kernel reads lies in columns, with rubbish where a row has no value.
@safe
final class ValuesBlock: RowBlock {
  let rowCapacity: Int
  let rows: [ValuesRow]
  @unsafe private let columns: UnsafeMutablePointer<UInt64>
  private let types: [FieldType]

  init(_ types: [FieldType], rows: [ValuesRow], rowCapacity: Int, random: inout SplitMix) {
    self.types = types
    self.rows = rows
    self.rowCapacity = rowCapacity
    unsafe columns = .allocate(capacity: 2 * types.count * rowCapacity)
    for index in 0..<2 * types.count * rowCapacity { unsafe columns[index] = random.next() }
    for (number, row) in rows.enumerated() {
      for field in types.indices {
        let first = 2 * field * rowCapacity + number
        switch row.values[field] {
        case .int64(let value): unsafe columns[first] = UInt64(bitPattern: value)
        case .timestamp(let value): unsafe columns[first] = UInt64(bitPattern: value.milliseconds)
        case .double(let value): unsafe columns[first] = value.bitPattern
        case .location(let place):
          unsafe columns[first] = place.latitude.bitPattern
          unsafe columns[first + rowCapacity] = place.longitude.bitPattern
        default: break
        }
      }
    }
  }

  deinit { unsafe columns.deallocate() }

  func isConstant(_ field: FieldNumber) -> Bool { false }
  func presence(_ field: FieldNumber) -> SIMD4<UInt64> {
    var present = SIMD4<UInt64>()
    for (number, row) in rows.enumerated() where row.isPresent(field) { present[number / 64] |= 1 << (number % 64) }
    return present
  }

  func fixedValues(_ field: FieldNumber) -> UnsafeRawPointer? {
    unsafe presence(field).isEmptySet ? nil : UnsafeRawPointer(columns + 2 * field * rowCapacity)
  }

  func locations(_ field: FieldNumber) -> (latitudes: UnsafeRawPointer, longitudes: UnsafeRawPointer)? {
    guard let latitudes = unsafe fixedValues(field) else { return nil }
    return unsafe (latitudes, latitudes + 8 * rowCapacity)
  }

  func row(_ number: Int) -> ValuesRow { rows[number] }
}
