internal import CProbes

/// Thread CPU time and wall time since it was made, in nanoseconds.
struct Stopwatch {
  private let wall = probe_wall_ns()
  private let cpu = probe_thread_cpu_ns()

  func lap() -> (cpu: Double, wall: Double) {
    let cpu = probe_thread_cpu_ns() &- cpu
    return (Double(cpu), Double(probe_wall_ns() &- wall))
  }
}
