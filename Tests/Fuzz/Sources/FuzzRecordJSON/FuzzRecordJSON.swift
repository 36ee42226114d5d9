import FuzzDriver

@main
struct FuzzRecordJSON {
  static func main() { FuzzDriver.run(.recordJSON) }
}
