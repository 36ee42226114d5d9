import FuzzDriver

@main
struct FuzzStructured {
  static func main() { FuzzDriver.run(.structured) }
}
