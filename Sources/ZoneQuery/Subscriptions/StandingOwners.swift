/// Whose each subscription of a database's index is.
///
/// Handles of one record type are small numbers, so that the owners lie in an array for each: finding one is two steps.
/// Invariant: `places[table][index]` holds the handle of that table and index that is in the index, if it was entered.
/// Complexity: constant; a place stays taken when its owner goes, until a later subscription gets its number.
struct StandingOwners: Sendable {
  private struct Place: Sendable {
    var handle: SubscriptionIndex.Handle
    var owner: StandingState.Owner
  }

  private var places: [[Place?]] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Enters the owner of a handle, or lets it go.
  mutating func set(_ owner: StandingState.Owner?, for handle: SubscriptionIndex.Handle) {
    let table = Int(handle.table)
    while places.count <= table { places.append([]) }
    while places[table].count <= handle.index { places[table].append(nil) }
    if places[table][handle.index] != nil { count -= 1 }
    if owner != nil { count += 1 }
    places[table][handle.index] = owner.map { Place(handle: handle, owner: $0) }
  }

  /// What telling owners of a change takes.
  struct Needs: OptionSet {
    let rawValue: UInt8

    /// A notification, for a subscription.
    static let notification = Needs(rawValue: 1)
    /// The record, for one that shows some of it.
    static let record = Needs(rawValue: 2)
  }

  /// What telling the owners of handles of a change takes. They lie all over the memory: looking at all of them before
  /// doing anything waits for them together.
  func needs(of handles: [SubscriptionIndex.Handle]) -> Needs {
    var needs: Needs = []
    forEach(of: handles) { owner in
      guard case .subscription(let registration) = owner else { return }
      needs.insert(registration.info == nil ? .notification : [.notification, .record])
    }
    return needs
  }

  /// Calls `body` with the owner of each handle, all of one record type, that has one.
  @inline(__always)
  func forEach(of handles: [SubscriptionIndex.Handle], _ body: (StandingState.Owner) -> Void) {
    guard let first = handles.first, Int(first.table) < places.count else { return }
    let places = places[Int(first.table)]
    for handle in handles {
      guard handle.index < places.count, let place = places[handle.index], place.handle == handle else { continue }
      body(place.owner)
    }
  }

  /// All owners by their handles, in an order that depends on the index alone. Complexity: linear.
  var all: [(handle: SubscriptionIndex.Handle, owner: StandingState.Owner)] {
    places.flatMap { $0.compactMap { place in place.map { ($0.handle, $0.owner) } } }
  }
}
