#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: a pthread mutex, at a fixed address as pthread asks. (Synchronization.Mutex rests on a raw futex that
// the thread sanitizer cannot see on Linux, so that it reports races where there are none.)
//
// Invariant: the mutex is initialised before the object is shared and destroyed when nobody holds it any more.
// Proof of Sendable: `place` is touched between lock and unlock alone, and leaves only as a Sendable copy.

/// A value that one thread at a time may touch.
@safe
final class Locked<Value: Sendable>: @unchecked Sendable {
  /// The value, and a byte, so that a value without a size does not lie where the next field does: the thread sanitizer
  /// tells variables apart by their addresses.
  private struct Place: Sendable {
    var value: Value
    let filler: UInt8 = 0
  }

  // The mutex makes accesses exclusive: the check at run time would cost as much as it does.
  @exclusivity(unchecked)
  private var place: Place
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: Value) {
    unsafe place = Place(value: value)
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Reads what never changes here: where many are to be locked, memory that is not in the cache is waited for together.
  var approach: Int { unsafe Int(bitPattern: mutex) }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&place.value)
  }
}
