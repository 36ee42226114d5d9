import FuzzDriver

@main
struct FuzzRequestJSON {
  static func main() { FuzzDriver.run(.requestJSON) }
}
