/// Rows of cells in aligned columns.
struct TextTable {
  /// A column: its title, and which side its cells are pushed to.
  struct Column {
    let title: String
    var isRightAligned = false
    /// Whether cells may be cut; a number, a date or a name cut short says something else.
    var isCuttable = true
  }

  let columns: [Column]
  /// A cell for each column; nil where there is no value.
  var rows: [[String?]] = []

  /// Between two columns.
  private static let gap = 2
  /// A column is not made narrower than this, nor than its title, as long as columns can be left out instead.
  private static let leastWidth = 16
  /// No column takes more than this while others are cut.
  private static let fairWidth = 32

  init(_ columns: [Column]) { self.columns = columns }

  /// The table's text, and the titles of the columns there was no room for.
  func text(columns available: Int) -> (lines: [String], hidden: [String]) {
    var natural = columns.map { DisplayWidth.columns(of: $0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        if let cell { natural[index] = max(natural[index], DisplayWidth.columns(of: cell)) }
      }
    }
    let widths = fitted(natural, into: available)
    let shown = Array(columns.prefix(widths.count))
    var lines = [
      line(shown.map(\.title), widths),
      widths.map { String(repeating: "-", count: $0) }.joined(separator: String(repeating: " ", count: Self.gap)),
    ]
    for row in rows { lines.append(line(Array(row.prefix(widths.count)), widths)) }
    return (lines, columns.dropFirst(widths.count).map(\.title))
  }

  /// The widths of the columns that fit: first those wide ones are narrowed that stand out, then columns are left
  /// out from the right.
  private func fitted(_ natural: [Int], into available: Int) -> [Int] {
    func least(_ floor: Int) -> [Int] {
      zip(columns, natural).map { column, width in
        column.isCuttable ? min(width, max(floor, DisplayWidth.columns(of: column.title))) : width
      }
    }
    let readable = least(Self.leastWidth)
    var widths = natural
    while widths.count > 1, total(Array(readable.prefix(widths.count))) > available { widths.removeLast() }
    var excess = total(widths) - available
    for floors in [least(Self.fairWidth), readable, natural.map { _ in 1 }] where excess > 0 {
      excess = narrow(&widths, by: excess, floors)
    }
    return widths
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }

  /// Narrows the widest columns first, none below its least width; returns what is still too much.
  private func narrow(_ widths: inout [Int], by amount: Int, _ least: [Int]) -> Int {
    var excess = amount
    while excess > 0 {
      let candidates = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      let next = candidates.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max() ?? 0
      let step = max(1, min(excess, widths[widest] - max(next, least[widest])))
      widths[widest] -= step
      excess -= step
    }
    return excess
  }

  private func line(_ cells: [String?], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let text = DisplayWidth.cut(cell ?? "", to: widths[index])
      let padding = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.columns(of: text)))
      if index > 0 { line += String(repeating: " ", count: Self.gap) }
      line += columns[index].isRightAligned ? padding + text : text + padding
    }
    // A space may be one character together with the letter before it.
    while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
    return line
  }
}
