// An unsafe leaf: objects that are used by one thread at a time, in turn.
//
// Proof of Sendable: an object is either in `idle`, which the lock guards, or with the one who took it; whoever puts it
// back keeps no reference to it.

/// Objects kept to be used again.
final class Pool<Object: AnyObject>: @unchecked Sendable {
  private final class Shelf {
    var objects: [Object] = []
  }

  private struct Idle: @unchecked Sendable {
    let shelf = Shelf()
  }

  private let idle = Locked(Idle())
  /// The most objects kept.
  private static var most: Int { 16 }

  init() {}

  func take() -> Object? { idle.withLock { TakenObject($0.shelf.objects.popLast()) }.object }

  func put(_ object: Object) {
    let given = TakenObject(object)
    idle.withLock { idle in
      if let object = given.object, idle.shelf.objects.count < Pool.most { idle.shelf.objects.append(object) }
    }
  }

  /// An object on its way in or out.
  private struct TakenObject: @unchecked Sendable {
    let object: Object?
    init(_ object: Object?) { self.object = object }
  }
}
