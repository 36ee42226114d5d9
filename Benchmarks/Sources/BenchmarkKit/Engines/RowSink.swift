/// Takes in what an engine answers: while timing it only touches the bytes, for comparison it keeps what they are.
struct RowSink {
  enum Mode {
    /// Reads the first bytes of each value, in place.
    case touch
    /// Keeps each record's name and a hash of its fields.
    case digest
    /// Keeps each record's name and its fields as text.
    case full
  }

  let mode: Mode
  private(set) var count = 0
  private(set) var checksum: UInt64 = 0
  private(set) var rows: [ResultRow] = []

  init(_ mode: Mode) { self.mode = mode }

  /// A new record of the answer.
  @inline(__always)
  mutating func row(_ name: UnsafeBufferPointer<UInt8>) {
    count += 1
    if mode == .touch { return touch(name) }
    rows.append(ResultRow(name: String(decoding: name, as: UTF8.self)))
  }

  @inline(__always)
  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if mode == .touch { return touch(bytes) }
    rows[rows.count - 1].add(bytes, keepsText: mode == .full)
    endField()
  }

  @inline(__always)
  mutating func integer(_ value: Int64) {
    if mode == .touch {
      checksum &+= UInt64(bitPattern: value)
    } else {
      describe("\(value)")
    }
  }

  @inline(__always)
  mutating func real(_ value: Double) {
    if mode == .touch {
      checksum &+= value.bitPattern
    } else {
      describe("\(value)")
    }
  }

  /// A list of texts, which counts as one field.
  @inline(__always)
  mutating func texts(_ values: [String]) {
    if mode == .touch {
      for var value in values { value.withUTF8 { touch($0) } }
      return
    }
    for (index, value) in values.enumerated() {
      if index > 0 { withUnsafePointer(to: Event.tagSeparator) { add(UnsafeBufferPointer(start: $0, count: 1)) } }
      value.withBytes { add($0) }
    }
    endField()
  }

  /// A member of a list of texts.
  @inline(__always)
  mutating func member(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
    if mode == .touch { return touch(bytes) }
    if !isFirst { withUnsafePointer(to: Event.tagSeparator) { add(UnsafeBufferPointer(start: $0, count: 1)) } }
    add(bytes)
  }

  /// The end of a list's members.
  @inline(__always)
  mutating func endMembers() {
    if mode != .touch { endField() }
  }

  /// Something that is read but not compared, such as the engine's own change tag.
  @inline(__always)
  mutating func ownText(_ bytes: UnsafeBufferPointer<UInt8>) {
    if mode == .touch { touch(bytes) }
  }

  /// An answer that is a number.
  mutating func number(_ value: Int) {
    count += 1
    checksum &+= UInt64(truncatingIfNeeded: value)
    if mode != .touch { rows.append(ResultRow(name: "count \(value)")) }
  }

  @inline(__always)
  private mutating func touch(_ bytes: UnsafeBufferPointer<UInt8>) {
    checksum &+= UInt64(truncatingIfNeeded: bytes.count)
    if let first = bytes.first { checksum &+= UInt64(first) &<< 8 }
  }

  private mutating func describe(_ text: String) {
    text.withBytes { add($0) }
    endField()
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    rows[rows.count - 1].add(bytes, keepsText: mode == .full)
  }

  private mutating func endField() {
    rows[rows.count - 1].endField(keepsText: mode == .full)
  }
}

/// A record of an answer, kept for comparison.
struct ResultRow: Equatable {
  let name: String
  /// FNV-1a over all fields.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var fields: [String] = []
  private var current: [UInt8] = []

  init(name: String) { self.name = name }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, keepsText: Bool) {
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    if keepsText { current.append(contentsOf: bytes) }
  }

  mutating func endField(keepsText: Bool) {
    digest = (digest ^ 0xFF) &* 0x100_0000_01B3
    if keepsText {
      fields.append(String(decoding: current, as: UTF8.self))
      current = []
    }
  }

  static func == (left: ResultRow, right: ResultRow) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.digest == right.digest
  }
}

extension String {
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}

extension RowSink {
  /// A number that is read but not compared: the engine's own version of the record.
  @inline(__always)
  mutating func change(_ value: Int64) {
    if mode == .touch { integer(value) }
  }
}
