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
// Proof of Sendable: `value` is touched between lock and unlock alone, and leaves only as a Sendable copy.

/// A value that one thread at a time may touch.
@safe
final class Locked<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
