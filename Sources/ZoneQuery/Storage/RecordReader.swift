// An unsafe leaf: has records copied into the memory of their blocks. Invariants: those of `RecordBlock` and `CopiedRow`.

/// Makes records of rows of one table, as values.
struct RecordReader {
  private let shape: TableShape
  private let rows: TableRows
  /// What is copied: the system fields, and those that are wanted.
  private let fields: RecordBlock.Fields
  private var user: RecordBlock.KnownUser?
  /// What reading that is made for the sake of the cache gave.
  private(set) var touched: UInt64 = 0

  /// How many bytes a block has at most that several records share, and half a record more.
  static var blockSize: Int { 8_192 }

  /// Reads records with the fields in `fields`, or with all.
  init(_ table: Table, fields: [FieldNumber]? = nil) {
    shape = table.shape
    rows = table.rows
    self.fields = fields.map { RecordBlock.Fields(table.shape.kinds, $0) } ?? shape.fields.whole
  }

  /// The record in a slot.
  mutating func record(_ slot: Int) -> Record {
    var records: [Record] = []
    append(0..<1, to: &records) { _ in UInt32(truncatingIfNeeded: slot) }
    return records[0]
  }

  /// Appends the records of rows that were found, of those of some numbers.
  mutating func append(_ found: [some FoundRow], _ numbers: Range<Int>, to records: inout [Record]) {
    // Through the array each row would count a reference.
    unsafe found.withUnsafeBufferPointer { found in append(numbers, to: &records) { unsafe found[$0].slot } }
  }

  /// Appends the records of some rows, of which `slot` gives the slot by the number.
  @inline(__always)
  private mutating func append(_ numbers: Range<Int>, to records: inout [Record], _ slot: (Int) -> UInt32) {
    let fields = fields
    unsafe fields.withColumns(rows) { columns, prefetch in
      touched = unsafe prefetch.begin(numbers, slot)
      var number = numbers.lowerBound
      // How much those of the block before took each: those that follow most likely take as much.
      var likely: Int?
      while number < numbers.upperBound {
        let rest = numbers.upperBound - number
        if rest == 1 { likely = nil }
        var row = unsafe CopiedRow(prefetch.next(number, of: numbers, slot))
        let user = unsafe knownUser(row)
        let size = unsafe likely ?? row.size(columns, user: user)
        let count = max(1, min(rest, RecordReader.blockSize / size))
        // A little longer ones fit as well.
        let block = RecordBlock(
          shape, fields, user: user, capacity: count == 1 ? size : size * count + size / 2)
        var used = 0
        let first = number
        var isFull = false
        while !isFull {
          guard let length = unsafe row.write(to: block.room(from: used), columns, user: user) else { break }
          records.append(Record(block, used))
          used += RecordBlock.rounded(length)
          number += 1
          isFull = number == numbers.upperBound || block.capacity - used < size
          if !isFull { unsafe row = CopiedRow(prefetch.next(number, of: numbers, slot)) }
        }
        precondition(number > first || likely != nil, "a record fits where its size was asked for")
        // Long ones, and one that did not fit where none was before it, are asked for their sizes.
        let mean = number > first ? RecordBlock.rounded(used / (number - first)) : RecordReader.blockSize
        let longest = RecordReader.blockSize / 2
        likely = unsafe mean <= longest && (isFull || row.size(columns, user: user) <= longest) ? mean : nil
      }
    }
  }

  /// The user who first saved the record of a row.
  private mutating func knownUser(_ row: CopiedRow) -> RecordBlock.KnownUser? {
    // The system fields come first, so that this one's index is its number.
    guard let cell = unsafe row.cells[FieldNumber(.creatorUserRecordID)] else { return nil }
    let bytes = unsafe Span<UInt8>(_unsafeBytes: ByteSlot.bytes(at: cell, arena: row.arena))
    if user?.isNamed(by: bytes) != true { user = RecordBlock.KnownUser(bytes, shape) }
    return user
  }
}
