extension QueryExecution {
  /// Puts the slots that an access offers into `slots`, each once, ascending where `inOrder`.
  func collect(_ access: Access, _ source: TableRow.Source, inOrder: Bool) {
    slots.removeAll(keepingCapacity: true)
    gather(access, source)
    switch access {
    case .overlap, .tested, .rest: counters.entriesRead += access.entries
    default: counters.entriesRead += slots.count
    }
    let mayRepeat = if case .union = access { true } else { false }
    if mayRepeat || inOrder && !access.isSlotOrdered { sortSlots(upTo: source.table.slotCount) }
  }

  private func gather(_ access: Access, _ source: TableRow.Source) {
    switch access {
    case .nothing: break
    case .slots(let found): slots.append(contentsOf: found)
    case .spans(let index, let spans):
      for span in spans { source.indexes[index].entries.collect(span, into: &slots) }
    case .tested(let index, let span, let filter):
      source.indexes[index].entries.collect(span, passing: filter, into: &slots)
    case .overlap(let runs): overlap(runs, source)
    case .circle(let index, let spans, let circle):
      let start = slots.count
      for span in spans { source.indexes[index].entries.collect(span, into: &slots) }
      keep(from: start, within: circle, source.table.indexes[index].shape.field, source)
    case .lists(_, let lists, let requiresAll):
      if lists.count == 1 {
        lists[0].append(to: &slots)
      } else if requiresAll {
        PostingList.intersection(lists, into: &slots)
      } else {
        GroupMasks.union(lists).append(to: &slots)
      }
    case .rest(let rest): rest.masks(source).append(to: &slots)
    case .union(let parts): for part in parts { gather(part, source) }
    }
  }

  /// Appends, ascending, the slots that are in all of some runs.
  private func overlap(_ runs: [Access.Overlapping], _ source: TableRow.Source) {
    var found: [UInt32] = []
    Access.Overlapping.collect(runs, source, into: &found, using: &spareSlots)
    slots.append(contentsOf: found)
  }

  /// Keeps of the slots collected last those whose place passes the test.
  private func keep(from start: Int, within circle: CircleTest, _ field: FieldNumber, _ source: TableRow.Source) {
    let test = GeodesicRadiusTest(circle)
    counters.rowsExamined += slots.count - start
    var kept = start
    for index in start..<slots.count where source.row(Int(slots[index])).passes(test, field) {
      slots[kept] = slots[index]
      kept += 1
    }
    slots.removeLast(slots.count - kept)
  }

  /// Puts the slots into ascending order, each once: by a bitmap where they are many.
  private func sortSlots(upTo count: Int) {
    if slots.count < 2 { return }
    if slots.count < count / 64 || slots.count < 64 {
      slots.sort(below: count, using: &spareSlots)
      slots.removeRepeated()
      return
    }
    let marks = SlotMarks(slots, below: count)
    slots.removeAll(keepingCapacity: true)
    marks.append(to: &slots)
  }
}
