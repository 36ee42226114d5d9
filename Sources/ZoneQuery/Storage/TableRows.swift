/// Where the rows of a version of a table lie: what reading them takes, without any reference count.
struct TableRows {
  let groups: PageDirectory
  let slotCount: Int

  /// The rows of a group; slot s is row s & 255 of group s >> 8.
  @inline(__always)
  func group(_ number: Int) -> RowGroup {
    precondition(number < groups.count)
    let rows = min(RowGroup.size, slotCount - number << RowGroup.shift)
    guard let page = unsafe groups[number] else { preconditionFailure("a group without a page") }
    return unsafe RowGroup(UnsafeRawPointer(page), rowCount: rows)
  }
}
