// An unsafe leaf: what it lends of its arrays is used within the call.

extension RecordBlock {
  /// Which fields of a record type a reader copies. Those have numbers of their own, from 0 on in the order of the fields:
  /// their indexes, by which the words of a record lie.
  final class Fields: Sendable {
    /// The fields by their indexes, ascending: the system fields come first.
    let numbers: [FieldNumber]
    /// Their kinds, by their indexes.
    let kinds: [ColumnKind]
    /// The indexes of those that are held by byte slots: the users first, lists of locations last.
    private let byteSlots: [Int]
    /// Which of these are neither, by their places.
    private let plain: Range<Int>
    /// The indexes of locations and of lists of these, which may have details.
    private let locations: [Int]
    /// By field number, where some are left out; −1 where a field is not copied.
    private let indexes: [Int32]
    let isPartial: Bool
    /// How many bytes of a record stand before the words, and how many before the bytes of its values.
    let presenceEnd: Int
    let wordsEnd: Int

    /// The system fields and some of the record type's, ascending, or all. Kinds are given by field number.
    init(_ allKinds: [ColumnKind], _ wanted: [FieldNumber]? = nil) {
      isPartial = wanted != nil
      numbers = Array(0..<FieldLayout.systemCount) + (wanted ?? Array(FieldLayout.systemCount..<allKinds.count))
      presenceEnd = (1 + (numbers.count + 63) / 64) << 3
      wordsEnd = presenceEnd + numbers.count << 3
      var (kinds, byteSlots, lists, locations): ([ColumnKind], [Int], [Int], [Int]) = ([], [], [], [])
      var indexes = [Int32](repeating: -1, count: allKinds.count)
      kinds.reserveCapacity(numbers.count)
      // As system fields come first, their numbers are their indexes.
      let users = [SystemField.creatorUserRecordID, .lastModifiedUserRecordID].map { FieldNumber($0) }
      for (index, field) in numbers.enumerated() {
        let kind = allKinds[field]
        kinds.append(kind)
        indexes[field] = Int32(truncatingIfNeeded: index)
        if kind == .location || kind == .locationList { locations.append(index) }
        if kind == .locationList {
          lists.append(index)
        } else if kind.holdsBytes, !users.contains(index) {
          byteSlots.append(index)
        }
      }
      plain = users.count..<users.count + byteSlots.count
      (self.kinds, self.byteSlots) = (kinds, users + byteSlots + lists)
      (self.locations, self.indexes) = (locations, wanted == nil ? [] : indexes)
    }

    /// The index of a field; negative where it is not copied. Where all are, it is the field's number.
    @inline(__always)
    func index(_ field: FieldNumber) -> Int { isPartial ? Int(indexes[field]) : field }

    /// Calls `body` with what is copied of rows with these fields, and what brings their values near.
    @inline(__always)
    func withColumns(_ rows: TableRows, _ body: (CopiedRow.Columns, RowPrefetch) -> Void) {
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          unsafe byteSlots.withUnsafeBufferPointer { byteSlots in
            unsafe locations.withUnsafeBufferPointer { locations in
              let columns = unsafe CopiedRow.Columns(
                numbers: numbers, kinds: kinds, users: UnsafeBufferPointer(rebasing: byteSlots[..<plain.lowerBound]),
                byteSlots: UnsafeBufferPointer(rebasing: byteSlots[plain]),
                locations: locations, presenceEnd: presenceEnd, wordsEnd: wordsEnd)
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
