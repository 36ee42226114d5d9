import FuzzDriver

@main
struct FuzzArguments {
  static func main() { FuzzDriver.run(.arguments) }
}
