// How values that are kept as bytes are written and read back. Each is exact: what is read is what was written.

extension FieldValue {
  /// Adds the bytes that stand for the value in the first plane of its column; nothing for a value of fixed size.
  func encode(into bytes: inout [UInt8]) {
    switch self {
    case .int64, .double, .timestamp, .location: break
    case .string(let text): withUTF8(of: text) { bytes.append(contentsOf: $0) }
    case .bytes(let value): bytes += value
    case .asset(let asset): asset.encode(into: &bytes)
    case .reference(let reference): reference.encode(into: &bytes)
    case .int64List(let numbers): for number in numbers { bytes.append(word: UInt64(bitPattern: number)) }
    case .timestampList(let moments):
      for moment in moments { bytes.append(word: UInt64(bitPattern: moment.milliseconds)) }
    case .doubleList(let numbers): for number in numbers { bytes.append(word: number.bitPattern) }
    case .locationList(let places):
      for place in places {
        bytes.append(word: place.latitude.bitPattern)
        bytes.append(word: place.longitude.bitPattern)
      }
    case .stringList(let texts):
      for text in texts { withUTF8(of: text) { RunLength.append($0, to: &bytes) } }
    case .bytesList(let members): for member in members { RunLength.append(member.span, to: &bytes) }
    case .assetList(let assets):
      var run: [UInt8] = []
      for asset in assets {
        run.removeAll(keepingCapacity: true)
        asset.encode(into: &run)
        RunLength.append(run.span, to: &bytes)
      }
    case .referenceList(let references):
      var run: [UInt8] = []
      for reference in references {
        run.removeAll(keepingCapacity: true)
        reference.encode(into: &run)
        RunLength.append(run.span, to: &bytes)
      }
    }
  }

  /// Adds the bytes that stand for the details of the value's places; nothing where none has any.
  func encodeDetails(into bytes: inout [UInt8]) {
    switch self {
    case .location(let place): if place.hasDetails { place.details.encode(into: &bytes) }
    case .locationList(let places):
      if places.contains(where: \.hasDetails) { for place in places { place.details.encode(into: &bytes) } }
    default: break
    }
  }

  /// The value of a type that is kept as bytes.
  init?(_ type: FieldType, bytes: Span<UInt8>, details: Span<UInt8>, zoneID: ZoneID) {
    switch (type.scalar, type.isList) {
    case (.string, false): self = .string(String(copying: bytes))
    case (.bytes, false): self = .bytes(Array(copying: bytes))
    case (.asset, false): self = .asset(Asset(bytes))
    case (.reference, false):
      guard let reference = Reference(bytes, zoneID: zoneID) else { return nil }
      self = .reference(reference)
    case (.int64, true): self = .int64List(bytes.words.map { Int64(bitPattern: $0) })
    case (.timestamp, true):
      self = .timestampList(bytes.words.map { Timestamp(milliseconds: Int64(bitPattern: $0)) })
    case (.double, true): self = .doubleList(bytes.words.map { Double(bitPattern: $0) })
    case (.location, true):
      var places: [Location] = []
      var position = 0
      for offset in stride(from: 0, to: bytes.count - 15, by: 16) {
        places.append(
          Location(
            latitude: Double(bitPattern: bytes.word(at: offset)),
            longitude: Double(bitPattern: bytes.word(at: offset + 8)),
            details: Location.Details(details, &position)))
      }
      self = .locationList(places)
    case (.string, true):
      self = .stringList(Array(runs: bytes))
    case (.bytes, true):
      var members: [[UInt8]] = []
      bytes.forEachRun { members.append(Array(copying: $0)) }
      self = .bytesList(members)
    case (.asset, true):
      var assets: [Asset] = []
      bytes.forEachRun { assets.append(Asset($0)) }
      self = .assetList(assets)
    case (.reference, true):
      var references: [Reference] = []
      bytes.forEachRun { run in
        if let reference = Reference(run, zoneID: zoneID) { references.append(reference) }
      }
      self = .referenceList(references)
    case (.int64, false), (.timestamp, false), (.double, false), (.location, false): return nil
    }
  }
}

extension [String] {
  /// The texts of a list; it may be said that those longer than short ones are ASCII.
  ///
  /// Most lists are short: as a literal one takes a seventh less than with room made for it beforehand. (Initialisers that
  /// make room and have it filled ask for the array's type at run time, which takes longer.)
  init(runs bytes: Span<UInt8>, areASCII: Bool = false) {
    var position = 0
    func next() -> String? {
      RunLength.next(in: bytes, &position).map { String(copying: bytes.extracting($0), isASCII: areASCII) }
    }
    guard let first = next() else { self = []; return }
    guard let second = next() else { self = [first]; return }
    guard let third = next() else { self = [first, second]; return }
    guard let fourth = next() else { self = [first, second, third]; return }
    self = [first, second, third, fourth]
    if position == bytes.count { return }
    reserveCapacity(4 + bytes.extracting(position..<bytes.count).runCount)
    while let text = next() { append(text) }
  }
}

extension Span where Element == UInt8 {
  fileprivate var words: [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(count / 8)
    for offset in stride(from: 0, to: count - 7, by: 8) { words.append(word(at: offset)) }
    return words
  }

  fileprivate var runCount: Int {
    var (count, position) = (0, 0)
    while RunLength.next(in: self, &position) != nil { count += 1 }
    return count
  }

  fileprivate func forEachRun(_ body: (Span<UInt8>) -> Void) {
    var position = 0
    while let member = RunLength.next(in: self, &position) { body(extracting(member)) }
  }
}

extension Reference.Action {
  /// What stands for it in a reference's encoding.
  fileprivate var code: UInt8 {
    switch self {
    case .none: 0
    case .deleteSelf: 1
    case .validate: 2
    }
  }

  fileprivate init?(code: UInt8) {
    guard let action = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = action
  }
}

extension Reference {
  /// The action, then the ID's encoding.
  fileprivate func encode(into bytes: inout [UInt8]) {
    bytes.append(action.code)
    withUTF8(of: recordID.zoneID.zoneName) { bytes.append(contentsOf: $0) }
    bytes.append(0)
    withUTF8(of: recordID.zoneID.ownerName) { bytes.append(contentsOf: $0) }
    bytes.append(0)
    withUTF8(of: recordID.recordName) { bytes.append(contentsOf: $0) }
  }

  /// The default zone as it is encoded.
  fileprivate static let defaultZone = [UInt8](ZoneID.default.zoneName.utf8) + [0] + ZoneID.default.ownerName.utf8

  /// The reference that was encoded; `zoneID` is most likely its zone.
  init?(_ bytes: Span<UInt8>, zoneID: ZoneID) {
    guard bytes.count > 0 else { return nil }
    let encoding = bytes.extracting(1..<bytes.count)
    guard let action = Action(code: bytes[0]), let nameStart = encoding.recordNameStart else { return nil }
    let name = encoding.extracting(nameStart..<encoding.count)
    let zone = encoding.extracting(0..<nameStart - 1)
    let recordName =
      name.isBytes(of: ZoneID.currentUserName) ? ZoneID.currentUserName : String(copying: name)
    for known in [zoneID, .default] where zone.isEncoding(of: known) {
      self.init(RecordID(recordName: recordName, zoneID: known), action: action)
      return
    }
    var zoneEnd = 0
    while zone[zoneEnd] != 0 { zoneEnd += 1 }
    self.init(
      RecordID(
        recordName: recordName,
        zoneID: ZoneID(
          zoneName: String(copying: zone.extracting(0..<zoneEnd)),
          ownerName: String(copying: zone.extracting(zoneEnd + 1..<zone.count)))),
      action: action)
  }
}

extension Span where Element == UInt8 {
  fileprivate func isBytes(of text: String) -> Bool { withUTF8(of: text) { isSame(as: $0) } }

  /// Whether this is what a reference is encoded by.
  func isReference(to id: RecordID, _ action: Reference.Action) -> Bool {
    let name = id.recordName.utf8.count
    let start = count - name
    // The action, the zone and a zero are before the name.
    guard start >= 3, self[0] == action.code, self[start - 1] == 0 else { return false }
    return extracting(start..<count).isBytes(of: id.recordName) && extracting(1..<start - 1).isEncoding(of: id.zoneID)
  }

  /// Whether this is a zone's name, a zero and its owner.
  fileprivate func isEncoding(of zoneID: ZoneID) -> Bool {
    // Users are of the default zone, and so is most else.
    if zoneID.isDefault { return isSame(as: Reference.defaultZone.span) }
    let nameCount = zoneID.zoneName.utf8.count
    guard count == nameCount + 1 + zoneID.ownerName.utf8.count else { return false }
    return self[nameCount] == 0 && extracting(0..<nameCount).isBytes(of: zoneID.zoneName)
      && extracting(nameCount + 1..<count).isBytes(of: zoneID.ownerName)
  }
}

extension Asset {
  /// The size, then the checksum, then the other texts, each a run that begins with 1 where there is one.
  fileprivate func encode(into bytes: inout [UInt8]) {
    bytes.append(word: UInt64(bitPattern: size))
    withUTF8(of: fileChecksum) { RunLength.append($0, to: &bytes) }
    for text in [downloadURL, referenceChecksum, wrappingKey, receipt] {
      bytes.append(text == nil ? 0 : 1)
      if let text { withUTF8(of: text) { RunLength.append($0, to: &bytes) } }
    }
  }

  fileprivate init(_ bytes: Span<UInt8>) {
    self.init(fileChecksum: "", size: bytes.count >= 8 ? Int64(bitPattern: bytes.word(at: 0)) : 0)
    var position = 8
    func text() -> String {
      RunLength.next(in: bytes, &position).map { String(copying: bytes.extracting($0)) } ?? ""
    }
    func optionalText() -> String? {
      guard position < bytes.count else { return nil }
      position += 1
      return bytes[position - 1] == 1 ? text() : nil
    }
    fileChecksum = text()
    downloadURL = optionalText()
    referenceChecksum = optionalText()
    wrappingKey = optionalText()
    receipt = optionalText()
  }
}

extension Location.Details {
  /// A bit for each part there is, then the parts.
  fileprivate func encode(into bytes: inout [UInt8]) {
    var words = numbers.map { $0?.bitPattern }
    words.append(timestamp.map { UInt64(bitPattern: $0.milliseconds) })
    var flags: UInt8 = 0
    for (index, word) in words.enumerated() where word != nil { flags |= 1 << UInt8(index) }
    bytes.append(flags)
    for word in words { if let word { bytes.append(word: word) } }
  }

  /// The details at a place, which moves behind them; none behind the end.
  init(_ bytes: Span<UInt8>, _ position: inout Int) {
    self.init()
    guard position < bytes.count else { return }
    let flags = bytes[position]
    var offset = position + 1
    func next(_ bit: UInt8) -> UInt64? {
      guard flags >> bit & 1 == 1 else { return nil }
      offset += 8
      return bytes.word(at: offset - 8)
    }
    altitude = next(0).map { Double(bitPattern: $0) }
    horizontalAccuracy = next(1).map { Double(bitPattern: $0) }
    verticalAccuracy = next(2).map { Double(bitPattern: $0) }
    course = next(3).map { Double(bitPattern: $0) }
    speed = next(4).map { Double(bitPattern: $0) }
    timestamp = next(5).map { Timestamp(milliseconds: Int64(bitPattern: $0)) }
    position = offset
  }
}
