/// The fields that answers of a query were read of in place, a bit for each of the first 64: what is brought near of the
/// next answer. They are those of the last 64 to 127 answers that had records, so that a reader who wants less does not pay
/// for what an earlier one wanted.
struct FieldsRead {
  /// What is read of an answer is added here.
  var lately: UInt64 = 0
  private var before: UInt64 = 0
  private var answers = 0

  /// How many answers it takes until what was read before as many others is forgotten.
  static let memory = 64

  var known: UInt64 { before | lately }

  /// Counts an answer that had records.
  @inline(__always)
  mutating func endAnswer() {
    answers += 1
    if answers < FieldsRead.memory { return }
    (before, lately, answers) = (lately, 0, 0)
  }
}
