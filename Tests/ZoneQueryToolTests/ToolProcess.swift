import Foundation
import Testing

/// What a run of the built executable gave.
struct ToolResult {
  let status: Int32
  let output: String
  let errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The output, a JSON object a line.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8), options: []) as? [String: Any])
    }
  }
}

/// Runs the executable that was built beside the tests.
enum ToolProcess {
  static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Samples").path
  static var records: String { samples + "/conference.jsonl" }
  static var schema: String { samples + "/conference.ckdb" }

  static func executable() throws -> URL {
    let runner = try #require(Bundle.main.executableURL)
    let file = runner.deletingLastPathComponent().appending(path: "zonequery")
    try #require(FileManager.default.isExecutableFile(atPath: file.path), "build the product zonequery first")
    return file
  }

  static func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> ToolResult {
    try run(executable(), arguments, Data(input.utf8), environment)
  }

  static func run(_ arguments: [String], input: Data) throws -> ToolResult {
    try run(executable(), arguments, input, [:])
  }

  /// Runs a shell script in which `"$0"` is the tool.
  static func shell(_ script: String) throws -> ToolResult {
    try run(URL(filePath: "/bin/sh"), ["-c", script, executable().path], Data(), [:])
  }

  private static func run(
    _ executable: URL, _ arguments: [String], _ input: Data, _ environment: [String: String]
  ) throws -> ToolResult {
    // Files instead of pipes: nothing can fill up while the process is waited for.
    try withDirectory { directory in
      let files = ["in", "out", "err"].map { directory.appending(path: $0) }
      try input.write(to: files[0])
      for file in files.dropFirst() { try Data().write(to: file) }
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
      process.standardInput = try FileHandle(forReadingFrom: files[0])
      process.standardOutput = try FileHandle(forWritingTo: files[1])
      process.standardError = try FileHandle(forWritingTo: files[2])
      try process.run()
      process.waitUntilExit()
      return ToolResult(
        status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
        output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
  }

  /// Calls `body` with a directory that is removed afterwards.
  static func withDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
  }

  /// Calls `body` with the path of a file of the given text.
  static func withFile<Result>(
    _ text: String, named name: String = "records.jsonl", _ body: (String) throws -> Result
  ) throws -> Result {
    try withDirectory { directory in
      let file = directory.appending(path: name)
      try Data(text.utf8).write(to: file)
      return try body(file.path)
    }
  }
}
