import FuzzDriver

@main
struct FuzzCursor {
  static func main() { FuzzDriver.run(.cursor) }
}
