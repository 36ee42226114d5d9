#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import CProbes

/// Where a run took place.
struct Machine: Codable, Equatable {
  var cpu: String
  var cores: Int
  var memoryBytes: UInt64
  var kernel: String
  var architecture: String
  /// The load of the last minute before the run, which says whether the machine had other things to do.
  var load: Double

  enum CodingKeys: String, CodingKey {
    case cpu, cores, kernel, architecture
    case memoryBytes = "memory_bytes"
    case load = "load_1min"
  }

  static func current() -> Machine {
    var names = utsname()
    uname(&names)
    let release = withUnsafeBytes(of: &names.release) { string($0) }
    let system = withUnsafeBytes(of: &names.sysname) { string($0) }
    let architecture = withUnsafeBytes(of: &names.machine) { string($0) }
    var loads = [0.0]
    getloadavg(&loads, 1)
    return Machine(
      cpu: processor(), cores: sysconf(CInt(_SC_NPROCESSORS_ONLN)),
      memoryBytes: UInt64(max(0, sysconf(CInt(_SC_PHYS_PAGES)))) * UInt64(max(0, sysconf(CInt(_SC_PAGESIZE)))),
      kernel: "\(system) \(release)", architecture: architecture, load: loads[0])
  }

  private static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func processor() -> String {
    guard let text = try? ReportFile.read("/proc/cpuinfo") else { return "unknown" }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("model name") {
      if let colon = line.firstIndex(of: ":") { return String(line[colon...].dropFirst(2)) }
    }
    return "unknown"
  }

  static var versions: [String: String] {
    var versions = [
      "c_compiler": String(cString: probe_compiler()),
      "sqlite": SQLiteConnection.version,
      "sqlite_compile_options": SQLiteConnection.compileOptions.joined(separator: " "),
      "allocations": probe_counts_allocations() == 1 ? "counted" : "not counted on this platform",
    ]
    #if compiler(>=6.4)
      versions["swift"] = "6.4 or later"
    #elseif compiler(>=6.3.1)
      versions["swift"] = "6.3.1 or later, before 6.4"
    #else
      versions["swift"] = "6.3"
    #endif
    #if DEBUG
      versions["build"] = "debug"
    #else
      versions["build"] = "release"
    #endif
    return versions
  }
}
