/// Waits until something is so that other threads bring about; false where it is not within ten
/// minutes, which is for a machine that does much beside.
func eventually(_ isSo: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(600)
  while !isSo() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
