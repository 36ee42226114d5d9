// An unsafe leaf: objects that are used by one thread at a time, in turn.
//
// Proof of Sendable: an object is in `nearest`, from which it is taken by an exchange, or in `idle`, which the lock
// guards, or with the one who took it; whoever puts it back does not touch it any more, but for letting go of it.
// Invariant: `nearest` counts as a reference.

internal import Synchronization

/// Objects kept to be used again.
@safe
final class Pool<Object: AnyObject>: @unchecked Sendable {
  private final class Shelf {
    var objects: [Object] = []
  }

  /// The shelf, touched under its lock alone.
  private struct Idle: @unchecked Sendable {
    let shelf = Shelf()

    /// Puts an object on the shelf; where it is full, in the place of the one that has lain there longest.
    func put(_ given: TakenObject) -> TakenObject {
      let replaced = shelf.objects.count == Pool.most ? shelf.objects.removeFirst() : nil
      if let object = given.object { shelf.objects.append(object) }
      return TakenObject(replaced)
    }
  }

  @unsafe private let nearest = unsafe Atomic<Unmanaged<Object>?>(nil)
  private let idle = Locked(Idle())
  /// The most objects kept.
  private static var most: Int { 16 }

  init() {}

  deinit { _ = unsafe nearest.exchange(nil, ordering: .acquiring)?.takeRetainedValue() }

  func take() -> Object? {
    if let object = unsafe nearest.exchange(nil, ordering: .acquiring) { return unsafe object.takeRetainedValue() }
    return takeFromShelf()
  }

  /// Calls `body` with an object that suits, which is put back where `body` leaves it to be of use; nil where there is none.
  /// The object is held by the pool's own reference all the while, so that none is counted.
  @inline(__always)
  func lend<Result>(where suits: (Object) -> Bool, _ body: (Object, _ isOfUse: inout Bool) -> Result?) -> Result? {
    guard var lent = unsafe nearest.exchange(nil, ordering: .acquiring) ?? shelved else { return nil }
    if unsafe !lent._withUnsafeGuaranteedRef(suits) {
      guard let other = unsafe shelved(inPlaceOf: lent, where: suits) else { return nil }
      unsafe lent = other
    }
    var isOfUse = true
    let result = unsafe lent._withUnsafeGuaranteedRef { body($0, &isOfUse) }
    if !isOfUse {
      unsafe lent.release()
    } else if unsafe !nearest.compareExchange(expected: nil, desired: lent, ordering: .releasing).exchanged {
      putOnShelf(unsafe lent.takeRetainedValue())
    }
    return result
  }

  private var shelved: Unmanaged<Object>? { unsafe takeFromShelf().map { unsafe Unmanaged.passRetained($0) } }

  /// The last object on the shelf that suits; the one given goes there.
  @inline(never)
  private func shelved(
    inPlaceOf given: Unmanaged<Object>, where suits: (Object) -> Bool
  ) -> Unmanaged<Object>? {
    let given = TakenObject(unsafe given.takeRetainedValue())
    // What is replaced is let go of when the lock is no longer held.
    let (taken, _) = idle.withLock { idle -> (TakenObject, replaced: TakenObject) in
      let place = idle.shelf.objects.lastIndex(where: suits)
      return (TakenObject(place.map { idle.shelf.objects.remove(at: $0) }), idle.put(given))
    }
    return unsafe taken.object.map { unsafe Unmanaged.passRetained($0) }
  }

  /// Whether there is an object to be taken that suits.
  func holds(where suits: (Object) -> Bool) -> Bool {
    lend(where: suits) { (_, _) -> Bool? in true } ?? false
  }

  /// Whether there is no object to be taken, which is found out by taking one and giving it back.
  var isEmpty: Bool { !holds { _ in true } }

  private func takeFromShelf() -> Object? { idle.withLock { TakenObject($0.shelf.objects.popLast()) }.object }

  func put(_ object: consuming Object) {
    let kept = unsafe Unmanaged.passRetained(object)
    if unsafe nearest.compareExchange(expected: nil, desired: kept, ordering: .releasing).exchanged { return }
    putOnShelf(unsafe kept.takeRetainedValue())
  }

  /// Lets go of all objects but those that are lent.
  func removeAll() { while take() != nil {} }

  private func putOnShelf(_ object: Object) {
    let given = TakenObject(object)
    _ = idle.withLock { $0.put(given) }
  }

  /// An object on its way in or out, which nobody else has.
  private struct TakenObject: @unchecked Sendable {
    let object: Object?
    init(_ object: Object?) { self.object = object }
  }
}
