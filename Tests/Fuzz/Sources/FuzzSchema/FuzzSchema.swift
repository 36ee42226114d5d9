import FuzzDriver

@main
struct FuzzSchema {
  static func main() { FuzzDriver.run(.schema) }
}
