/// The bytes of a cursor: `ZQC`, the version of the format, the query, the position, and a tag over all before it.
///
/// Whole numbers are eight bytes, the least first; texts, lists and byte strings have their length before them. Every
/// length is checked against the bytes that are left before anything of its size is made, so that reading takes time
/// and memory linear in the bytes, whatever they are.
extension CursorContent {
  /// The bytes, with their tag.
  func encoded(key: SipHash.Key) -> [UInt8] {
    var writer = CursorFormat.bytes.writer
    writer.write(recordType)
    writer.write(predicate.text)
    writer.write(options)
    writer.write(UInt64(sort.count))
    for key in sort { writer.write(key) }
    writer.write(zoneID == nil ? CursorFormat.absent : CursorFormat.present)
    if let zoneID { writer.write(zoneID) }
    writer.write(UInt64(bitPattern: now.milliseconds))
    writer.write(position)
    return CursorFormat.bytes.seal(writer, key: key)
  }

  /// Makes sure that the bytes are not too many, mostly without writing them.
  ///
  /// - Throws: `limitExceeded`.
  func checkSize(key: SipHash.Key) throws(ZoneQueryError) {
    if mostBytes > CursorFormat.maximumSize, encoded(key: key).count > CursorFormat.maximumSize {
      throw ZoneQueryError(
        .query, .limitExceeded,
        "The query's text, or a value that it sorts by, is too long for a cursor, which has at most \(CursorFormat.maximumSize) bytes",
        hint: "ask for all records in one page")
    }
  }

  /// No fewer bytes than there are.
  var mostBytes: Int {
    func count(_ zoneID: ZoneID) -> Int { zoneID.zoneName.utf8.count + zoneID.ownerName.utf8.count }
    // Beside texts and bytes there are whole numbers: few of them, and few more for each key, value and word.
    var sum = 256 + recordType.utf8.count + (zoneID.map(count) ?? 0)
    func add(_ values: [SortValue]) {
      for value in values {
        sum += 32
        if case .bytes(let bytes) = value { sum += bytes.count }
      }
    }
    switch predicate {
    case .text(let text): sum += text.utf8.count
    case .asked: sum += CursorPredicate.mostAskedBytes
    }
    for key in sort { sum += 32 + key.key.utf8.count }
    switch position {
    case .sorted(let place):
      sum += place.recordName.utf8.count + count(place.zoneID)
      add(place.values)
    case .unsorted(let place):
      sum += place.recordName.utf8.count + count(place.zoneID)
      if case .index(let name, let values) = place.order {
        sum += name.utf8.count
        add(values)
      }
    }
    return sum
  }

  /// Reads bytes whose tag is looked at only if a key is given.
  init(encoded bytes: [UInt8], key: SipHash.Key?) throws(ZoneQueryError) {
    var reader = try CursorFormat.bytes.open(bytes, key: key)
    recordType = try reader.text()
    predicate = .text(try reader.text())
    options = try reader.options()
    sort = []
    for _ in 0..<(try reader.count(ofSize: 9)) { sort.append(try reader.sortKey()) }
    zoneID = try reader.flag() ? try reader.zoneID() : nil
    now = Timestamp(milliseconds: Int64(bitPattern: try reader.word()))
    position = try reader.position()
    try reader.finish()
    switch position {
    case .sorted(let position):
      guard !sort.isEmpty, position.values.count == sort.decisive.count else {
        throw QueryCursor.invalid("its position does not fit its sort")
      }
    case .unsorted: guard sort.isEmpty else { throw QueryCursor.invalid("its position does not fit its sort") }
    }
  }
}
