/// Waits until something is so that other threads bring about; false where it is not within a minute.
func eventually(_ isSo: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !isSo() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
