internal import CProbes

/// The blocks of memory this thread has asked for since it was made.
struct AllocationCount {
  private let start = probe_allocations()

  var since: Double { Double(probe_allocations() &- start) }
}
