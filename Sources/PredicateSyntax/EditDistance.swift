/// How many letters differ between two spellings: what a hint may take for meant.
package enum EditDistance {
  /// The number of bytes to insert, remove or replace to turn one spelling into the other, `nil` where it is above
  /// `most`.
  ///
  /// Complexity: the product of both lengths (Wagner and Fischer, "The string-to-string correction problem", 1974).
  package static func between(_ left: [UInt8], _ right: [UInt8], most: Int) -> Int? {
    if abs(left.count - right.count) > most { return nil }
    var row: [Int] = []
    row.reserveCapacity(right.count + 1)
    var column = 0
    while column <= right.count {
      row.append(column)
      column += 1
    }
    var index = 0
    while index < left.count {
      let letter = left[index]
      var diagonal = index
      index += 1
      row[0] = index
      column = 0
      while column < right.count {
        var cost = right[column] == letter ? diagonal : diagonal + 1
        diagonal = row[column + 1]
        if row[column] < cost { cost = row[column] + 1 }
        if diagonal < cost { cost = diagonal + 1 }
        row[column + 1] = cost
        column += 1
      }
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
