/// How many letters differ between two spellings: what a hint may take for meant.
package enum EditDistance {
  /// The number of bytes to insert, remove or replace, and of neighbours to exchange, to turn one spelling into the other,
  /// none touched twice; `nil` where it is above `most`.
  ///
  /// Complexity: the product of both lengths (Wagner and Fischer, "The string-to-string correction problem", 1974, with
  /// the exchange of Lowrance and Wagner, "An extension of the string-to-string correction problem", 1975, of what is
  /// left in place).
  package static func between(_ left: [UInt8], _ right: [UInt8], most: Int) -> Int? {
    if abs(left.count - right.count) > most { return nil }
    // The distances of the beginnings of `right` from those of `left` that end two letters before, one before, and here.
    var before = Array(repeating: 0, count: right.count + 1)
    var above = before
    var row = before
    var column = 0
    while column <= right.count {
      row[column] = column
      column += 1
    }
    var index = 0
    while index < left.count {
      swap(&before, &above)
      swap(&above, &row)
      row[0] = index + 1
      column = 0
      while column < right.count {
        var cost = left[index] == right[column] ? above[column] : above[column] + 1
        cost = min(cost, row[column] + 1, above[column + 1] + 1)
        if index > 0, column > 0, left[index] == right[column - 1], left[index - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        row[column + 1] = cost
        column += 1
      }
      index += 1
    }
    return row[right.count] > most ? nil : row[right.count]
  }

  /// The spelling nearest to what was written, and how far it is from that; nil where none is at most `most` letters away.
  /// Of several as near it is the first.
  package static func nearest(
    to written: [UInt8], among spellings: some Sequence<(name: String, bytes: [UInt8])>, most: Int
  ) -> (name: String, distance: Int)? {
    var best: (name: String, distance: Int)?
    for (name, bytes) in spellings {
      guard let distance = between(written, bytes, most: best.map { $0.distance - 1 } ?? most) else { continue }
      best = (name, distance)
      if distance == 0 { break }
    }
    return best
  }
}
