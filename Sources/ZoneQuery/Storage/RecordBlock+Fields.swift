// An unsafe leaf: what it lends of its arrays is used within the call.

extension RecordBlock {
  /// Which fields of a record type a reader copies, and where each is in a record of a block.
  final class Fields: Sendable {
    /// Where a field is in a record.
    struct Place: Sendable {
      let type: FieldType
      let kind: ColumnKind
      /// Which bit says whether the record has a value.
      let bit: UInt8
      /// Where the word with that bit begins. A field that is not read has a bit of the record's length that is never set.
      let presence: Int32
      /// Where its word begins.
      let word: Int32

      fileprivate static func unread(_ type: FieldType, _ kind: ColumnKind) -> Place {
        Place(type: type, kind: kind, bit: 63, presence: 0, word: 0)
      }
    }

    /// Those that are copied, ascending: the system fields come first.
    let numbers: [FieldNumber]
    /// Beside these, as the rest by the numbers' places.
    let kinds: [ColumnKind]
    /// Which of them have bytes of their own in a record, but for locations and lists of these.
    let byteSlots: [Int]
    /// Which are locations or lists of these, with details beside.
    let locations: [Int]
    /// By field number.
    let places: [Place]
    let isPartial: Bool
    /// How many bytes of a record stand before the words, and how many before the bytes of its values.
    let presenceEnd: Int
    let wordsEnd: Int

    /// The system fields and some of the record type's, ascending, or all. Kinds and types are given by field number.
    init(_ allKinds: [ColumnKind], _ types: [FieldType], _ wanted: [FieldNumber]?) {
      isPartial = wanted != nil
      numbers = Array(0..<FieldLayout.systemCount) + (wanted ?? Array(FieldLayout.systemCount..<allKinds.count))
      kinds = isPartial ? numbers.map { allKinds[$0] } : allKinds
      presenceEnd = (1 + (numbers.count + 63) / 64) << 3
      wordsEnd = presenceEnd + numbers.count << 3
      byteSlots = kinds.indices.filter { [kinds] in kinds[$0].holdsBytes && kinds[$0] != .locationList }
      locations = kinds.indices.filter { [kinds] in kinds[$0] == .location || kinds[$0] == .locationList }
      var places = zip(types, allKinds).map { Place.unread($0, $1) }
      for (place, field) in numbers.enumerated() {
        places[field] = Place(
          type: types[field], kind: allKinds[field], bit: UInt8(place & 63), presence: Int32(8 + (place >> 6) << 3),
          word: Int32(presenceEnd + place << 3))
      }
      self.places = places
    }

    /// Calls `body` with what is copied of rows with these fields, and what brings their values near.
    @inline(__always)
    func withColumns(_ rows: TableRows, _ body: (CopiedRow.Columns, RowPrefetch) -> Void) {
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          unsafe byteSlots.withUnsafeBufferPointer { byteSlots in
            unsafe locations.withUnsafeBufferPointer { locations in
              let columns = unsafe CopiedRow.Columns(
                numbers: numbers, kinds: kinds, byteSlots: byteSlots, locations: locations, presenceEnd: presenceEnd,
                wordsEnd: wordsEnd)
              unsafe RowPrefetch.with(rows, numbers, kinds, byteSlots) { unsafe body(columns, $0) }
            }
          }
        }
      }
    }

    /// Whether a record's words are where another reader's are.
    func areLike(_ other: Fields) -> Bool {
      self === other || isPartial == other.isPartial && numbers == other.numbers
    }
  }
}
