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

  subscript(handle: SubscriptionIndex.Handle) -> StandingState.Owner? {
    get {
      let table = Int(handle.table)
      guard table < places.count, handle.index < places[table].count, let place = places[table][handle.index],
        place.handle == handle
      else { return nil }
      return place.owner
    }
    set {
      let table = Int(handle.table)
      while places.count <= table { places.append([]) }
      while places[table].count <= handle.index { places[table].append(nil) }
      if places[table][handle.index] != nil { count -= 1 }
      if newValue != nil { count += 1 }
      places[table][handle.index] = newValue.map { Place(handle: handle, owner: $0) }
    }
  }

  /// All owners by their handles, in an order that depends on the index alone. Complexity: linear.
  var all: [(handle: SubscriptionIndex.Handle, owner: StandingState.Owner)] {
    places.flatMap { $0.compactMap { place in place.map { ($0.handle, $0.owner) } } }
  }
}
