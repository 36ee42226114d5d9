/// Whose each subscription of a database's index is.
///
/// Handles of one record type are small numbers, so that the owners lie in an array for each: finding one is two steps.
/// Invariant: a place has the value of the handle of its table and index that was entered last; its owner is nil where
/// that one has gone, and what fires is nil where its owner is no subscription. Complexity: constant; a place stays taken
/// when its owner goes, until a later subscription gets its number or all have gone.
struct StandingOwners: Sendable {
  /// What is looked at when a handle fires. The owners lie apart: who is told has no need of them.
  private struct Place: Sendable {
    var value: UInt64 = 0
    var firing: FiringSubscription?
  }

  private struct Places: Sendable {
    var places: [Place] = []
    var owners: [StandingState.Owner?] = []
  }

  private var tables: [Places] = []
  private(set) var count = 0
  /// How many of them are live queries.
  private(set) var liveCount = 0

  var isEmpty: Bool { count == 0 }

  /// Enters the owner of a handle, or lets it go.
  mutating func set(_ owner: StandingState.Owner?, for handle: SubscriptionIndex.Handle) {
    let table = Int(handle.table)
    while tables.count <= table { tables.append(Places()) }
    while tables[table].places.count <= handle.index {
      tables[table].places.append(Place())
      tables[table].owners.append(nil)
    }
    if let last = tables[table].owners[handle.index] {
      count -= 1
      if case .live = last { liveCount -= 1 }
    }
    if let owner {
      count += 1
      if case .live = owner { liveCount += 1 }
    }
    var firing: FiringSubscription?
    if case .subscription(let registration)? = owner { firing = FiringSubscription(registration) }
    tables[table].places[handle.index] = Place(value: handle.value, firing: firing)
    tables[table].owners[handle.index] = owner
    if count == 0 { tables = [] }
  }

  /// What telling owners of a change takes.
  struct Needs: OptionSet {
    let rawValue: UInt8

    /// A notification, for a subscription.
    static let notification = Needs(rawValue: 1)
    /// Fields of the record, for one that shows some.
    static let fields = Needs(rawValue: 2)
  }

  /// What telling the owners of handles of a change takes. Their places lie all over the memory: looking at all of them
  /// before doing anything waits for them together.
  func needs(of handles: [SubscriptionIndex.Handle]) -> Needs {
    var needs: Needs = []
    forEachPlace(of: handles) { places, index in
      if let firing = places.places[index].firing {
        needs.insert(firing.info?.fields.isEmpty ?? true ? .notification : [.notification, .fields])
      }
    }
    return needs
  }

  /// The names of the fields that the owners of handles show.
  func shownFields(of handles: [SubscriptionIndex.Handle]) -> Set<ByteKey> {
    var names: Set<ByteKey> = []
    forEachPlace(of: handles) { places, index in names.formUnion(places.places[index].firing?.info?.fields ?? []) }
    return names
  }

  /// Calls one function or the other for the owner of each handle, all of one record type, that has one.
  @inline(__always)
  func forEach(
    of handles: [SubscriptionIndex.Handle], subscription: (FiringSubscription) -> Void, live: (LiveQuery) -> Void
  ) {
    forEachPlace(of: handles) { places, index in
      if let firing = places.places[index].firing {
        subscription(firing)
      } else if case .live(let query)? = places.owners[index] {
        live(query)
      }
    }
  }

  @inline(__always)
  private func forEachPlace(of handles: [SubscriptionIndex.Handle], _ body: (Places, Int) -> Void) {
    guard let first = handles.first, Int(first.table) < tables.count else { return }
    let places = tables[Int(first.table)]
    for handle in handles where handle.index < places.places.count {
      if places.places[handle.index].value == handle.value { body(places, handle.index) }
    }
  }

  /// All owners by their handles in the index, in an order that depends on that alone. Complexity: linear.
  func all(in index: SubscriptionIndex) -> [(handle: SubscriptionIndex.Handle, owner: StandingState.Owner)] {
    tables.indices.flatMap { table in
      let places = tables[table]
      return places.owners.indices.compactMap { place in
        places.owners[place].map { (index.handle(places.places[place].value, ofTable: table), $0) }
      }
    }
  }
}
