#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Testing

@testable import PredicateSyntax

/// The deepest texts the default limits take, on stacks as small as the smallest threads have.
@Suite struct StackTests {
  /// What an optimised build gets by with is a secondary thread's stack on Apple platforms; nothing is optimised in a
  /// debug build.
  static var stackSize: Int {
    #if DEBUG
      1 << 20
    #else
      512 << 10
    #endif
  }

  private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// Texts that nest in every way there is: deeper, and each would be refused.
  static let nests: [String] = [
    many("(", 128) + "a = 1" + many(")", 128),
    "a = " + many("(", 128) + "1" + many(")", 128),
    many("NOT ", 126) + "a = 1",
    many("NOT (", 126) + "a = 1" + many(")", 126),
    many("(a = 1 OR b = 2 AND ", 63) + "c = 3" + many(")", 63),
    many("(a = 1 OR NOT (b = 2 AND ", 42) + "c = 3" + many("))", 42),
    "a = " + many("-", 126) + "b",
    "a = " + many("-(", 126) + "b" + many(")", 126),
    "a = " + many("-abs(", 62) + "b" + many(")", 62),
    "a = " + many("abs(", 126) + "b" + many(")", 126),
    "a = " + many("(1 + ", 126) + "b" + many(")", 126),
    "a = " + many("1 + ", 126) + "b",
    "a IN " + many("{", 126) + "1" + many("}", 126),
    "a = " + many("b[", 126) + "1" + many("]", 126),
    "a = b" + many("[0]", 125),
    "a = " + many("$v := ", 126) + "1",
    "a = " + many("($v := ", 126) + "1" + many(")", 126),
    many("TERNARY(", 63) + "a = 1" + many(", 1, 2) = 1", 63),
    "a = " + many("TERNARY(b = 1, 1, ", 125) + "1" + many(")", 125),
    many("TERNARY((", 42) + "a = 1" + many("), 1, 2) = 1", 42),
    many("TERNARY(NOT ", 42) + "a = 1" + many(", 1, 2) = 1", 42),
    many("1 + TERNARY(", 42) + "a = 1" + many(", 1, 2) = 1", 42),
    many("SUBQUERY(a, $x, ", 63) + "a = 1" + many(") = 1", 63),
    "a = " + many("CAST(", 126) + "b" + many(", 'x')", 126),
    "a = " + many("FUNCTION(", 126) + "b" + many(", 'x')", 126),
  ]

  /// Texts that nest deeper than the limit allows, in the ways that take the most of the stack for each level.
  static let tooDeep: [String] = [80, 110, 125, 126, 127].flatMap { count in
    let parts: [(String, String)] = [
      ("SUBQUERY(a, $x, ", ").@count > 0"), ("TERNARY(", ", 1, 2) = 1"), ("TERNARY(NOT ", ", 1, 2) = 1"),
      ("1 + TERNARY(a = 1 OR ", ", 1, 2) = 1"),
    ]
    return parts.map { many($0.0, count) + "a = 1" + many($0.1, count) }
  }

  /// What is read on the thread, and what came of it.
  private final class Work: @unchecked Sendable {
    // The thread is joined before `outcome` is looked at, so that the two never touch it at once.
    let text: String
    var outcome = "did not run"

    init(_ text: String) { self.text = text }

    func run() {
      do throws(SyntaxError) {
        let parser = PredicateParser()
        let tree = try parser.parse(text).root
        let again = try parser.parse(tree.predicateFormat).root
        let isSame = again == tree && again.hashValue == tree.hashValue
        outcome = isSame && !tree.treeDescription.isEmpty ? "" : "reads back as another tree"
      } catch {
        outcome = error.diagnostics.map(\.code).joined(separator: " ")
      }
    }
  }

  @Test func deepTextsFitSmallStacks() {
    for text in Self.nests {
      let work = Work(text)
      #expect(Self.onSmallStack(work), "no thread")
      #expect(work.outcome == "", "\(text.prefix(40))")
    }
    for text in Self.tooDeep {
      let work = Work(text)
      #expect(Self.onSmallStack(work), "no thread")
      #expect(work.outcome == "nestingTooDeep", "\(text.prefix(40))")
    }
  }

  private static func onSmallStack(_ work: Work) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    guard unsafe pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return false }
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let started = unsafe pthread_create(
        &thread, &attributes,
        { context in
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context)
      guard started == 0, let thread = unsafe thread else { return false }
      return unsafe pthread_join(thread, nil) == 0
    #else
      var thread = pthread_t()
      let started = unsafe pthread_create(
        &thread, &attributes,
        { context in
          if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
      return started == 0 && pthread_join(thread, nil) == 0
    #endif
  }
}
