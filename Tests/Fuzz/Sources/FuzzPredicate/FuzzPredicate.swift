import FuzzDriver

@main
struct FuzzPredicate {
  static func main() { FuzzDriver.run(.predicate) }
}
