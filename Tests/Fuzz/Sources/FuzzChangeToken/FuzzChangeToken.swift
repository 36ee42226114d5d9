import FuzzDriver

@main
struct FuzzChangeToken {
  static func main() { FuzzDriver.run(.changeToken) }
}
