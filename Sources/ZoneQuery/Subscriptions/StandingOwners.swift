/// Whose each subscription of a database's index is.
///
/// Handles of one record type are small numbers, so that the owners lie in an array for each: finding one is two steps.
/// Invariant: `tables[table].owners[index]` is the owner of the handle of that table and index whose value is
/// `tables[table].values[index]`, nil where that handle is not entered. Complexity: constant; a place stays taken when its
/// owner goes, until a later subscription gets its number.
struct StandingOwners: Sendable {
  /// Apart, so that little memory is looked through.
  private struct Places: Sendable {
    var values: [UInt64] = []
    var owners: [StandingState.Owner?] = []
  }

  private var tables: [Places] = []
  private(set) var count = 0
  /// Keeps reads that are made for the sake of the cache.
  private var touched = 0

  var isEmpty: Bool { count == 0 }

  /// Enters the owner of a handle, or lets it go.
  mutating func set(_ owner: StandingState.Owner?, for handle: SubscriptionIndex.Handle) {
    let table = Int(handle.table)
    while tables.count <= table { tables.append(Places()) }
    while tables[table].values.count <= handle.index {
      tables[table].values.append(0)
      tables[table].owners.append(nil)
    }
    if tables[table].owners[handle.index] != nil { count -= 1 }
    if owner != nil { count += 1 }
    tables[table].values[handle.index] = handle.value
    tables[table].owners[handle.index] = owner
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
  mutating func needs(of handles: [SubscriptionIndex.Handle]) -> Needs {
    var needs: Needs = []
    var sum = 0
    forEach(of: handles) { owner in
      guard case .subscription(let registration) = owner else { return }
      needs.insert(registration.info == nil ? .notification : [.notification, .record])
      sum &+= registration.subscriptionID.utf8.count
    }
    touched = sum
    return needs
  }

  /// Calls `body` with the owner of each handle, all of one record type, that has one.
  @inline(__always)
  func forEach(of handles: [SubscriptionIndex.Handle], _ body: (StandingState.Owner) -> Void) {
    guard let first = handles.first, Int(first.table) < tables.count else { return }
    let places = tables[Int(first.table)]
    for handle in handles where handle.index < places.values.count && places.values[handle.index] == handle.value {
      if let owner = places.owners[handle.index] { body(owner) }
    }
  }

  /// All owners by their handles, in an order that depends on the index alone. Complexity: linear.
  var all: [(handle: SubscriptionIndex.Handle, owner: StandingState.Owner)] {
    tables.indices.flatMap { table in
      tables[table].owners.indices.compactMap { index in
        tables[table].owners[index].map {
          (SubscriptionIndex.Handle(table: UInt32(table), value: tables[table].values[index]), $0)
        }
      }
    }
  }
}
