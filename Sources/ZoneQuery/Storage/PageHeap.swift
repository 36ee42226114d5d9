#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: the memory that a zone's records and indexes lie in.
//
// A page is a piece of memory of any size with a header before it. Pages that a published version of the zone reaches
// are never written to, but for places that no published version looks at (rows and bytes behind the ones it counts);
// a commit copies a page the first time it changes it (`writable`), and says so of pages it no longer needs (`retire`).
//
// Invariants:
// - A page's `generation` is the number of the commit that allocated it. Pages of the running commit are its own.
// - A retired page with generation b that the commit d did without is reached by the versions b ..< d alone. It is used
//   again only when none of these is pinned; until then it hangs on the youngest of them that is.
// - So a reader that stays keeps at most the pages of the version it reads: never more than the zone had then.
// - All pages are in one list, from which they are freed with the heap. None holds 32 gigabytes: the largest, the arena
//   of 256 rows, tells its bytes by 32 bits.
// - No property is touched while a change of it runs, since no method calls what it was not given; so accesses to them
//   are not checked while running. Those checks took a third of an insertion into an index.
// Proof of Sendable: a heap is touched by the zone's one writer alone, under the writer's lock; readers touch pages
// only, which they pin by their version's count (acquire and release), so that using a page again comes after the last
// reading of it.

/// The memory of one zone: pages that a single writer copies on write and uses again.
///
/// Complexity: allocating and retiring are constant; finishing a commit is linear in the pages it retired.
@safe
final class PageHeap: @unchecked Sendable {
  /// The number of the running commit, or of the last.
  var generation: UInt64 { unsafe accounts.generation }
  /// Bytes in pages that the newest version reaches, headers included.
  var liveBytes: Int { unsafe accounts.allBytes - accounts.heldBytes - accounts.freeBytes }
  /// Bytes in pages that only older, pinned versions reach.
  var heldBytes: Int { unsafe accounts.heldBytes }
  /// Bytes in pages that wait to be used again.
  var freeBytes: Int { unsafe accounts.freeBytes }

  /// How many pages were asked of the C library, since none of their size waited: for tests.
  var blocks: Int { unsafe accounts.blocks }

  @exclusivity(unchecked) private var accounts = Accounts()
  /// Counts as a reference.
  @unsafe @exclusivity(unchecked) private var lent: Unmanaged<WriteScratch>?
  private let reusable: ReusableMemory
  @unsafe @exclusivity(unchecked) private var first: UnsafeMutableRawPointer?
  /// The pages to be used again, by size class.
  @unsafe @exclusivity(unchecked) private var free = unsafe PageList<FreePages>()
  /// The size class in which idle pages are looked for next.
  @exclusivity(unchecked) private var idleClass = 0
  @unsafe @exclusivity(unchecked) private var born = unsafe PageList<UnsafeMutableRawPointer>()
  @unsafe @exclusivity(unchecked) private var retired = unsafe PageList<UnsafeMutableRawPointer>()
  /// The versions that readers may hold, the oldest first, and what is held for them.
  @unsafe @exclusivity(unchecked) private var pinned: [Pinned] = unsafe []
  /// Behind the one of them that is looked at next.
  @exclusivity(unchecked) private var nextPinned = 0

  /// The pages of a size class that wait to be used again; each points to the next.
  @unsafe private struct FreePages {
    private var first: UnsafeMutableRawPointer?
    private var count = 0
    /// The fewest there were since the commit `lookedAt`: so many were not needed.
    private(set) var idle = 0
    private(set) var lookedAt: UInt64 = 0

    @inline(__always)
    mutating func take() -> UnsafeMutableRawPointer? {
      guard let page = unsafe first else { return nil }
      unsafe first = page.load(as: UnsafeMutableRawPointer?.self)
      unsafe count -= 1
      unsafe idle = min(idle, count)
      return unsafe page
    }

    @inline(__always)
    mutating func put(_ page: UnsafeMutableRawPointer) {
      unsafe page.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
      unsafe first = page
      unsafe count += 1
    }

    /// Looks at them, in a commit.
    mutating func look(_ commit: UInt64) { unsafe (idle, lookedAt) = (count, commit) }
  }

  private struct Accounts {
    var generation: UInt64 = 0
    var (allBytes, heldBytes, freeBytes) = (0, 0, 0)
    var blocks = 0
    var givesBack = false
    /// Whether other zones keep so much to be used again that this one is to keep little.
    var keepsLittle = false
    /// What `reusable` was told of `freeBytes`.
    var toldBytes = 0
    /// Whether much is being allocated.
    var isLoading = false
    /// Bytes that are still to be asked for until more are foreseen.
    var foreseen = 0
    /// What was loaded only to have it near: kept, so that it is loaded.
    var touched: UInt64 = 0
  }

  @unsafe private struct Pinned {
    var version: VersionPins
    var pages: [(page: UnsafeMutableRawPointer, death: UInt64)]
  }

  /// Whether the running commit leaves behind pages of sizes that later ones hardly ask for, so that none are to be kept.
  var givesBack: Bool {
    get { unsafe accounts.givesBack }
    set { unsafe accounts.givesBack = newValue }
  }
  /// What the writer uses again: from the beginning of a commit on lent by a pool, so that a zone that is not written to
  /// keeps none.
  @inline(__always)
  var scratch: WriteScratch { unsafe lent?._withUnsafeGuaranteedRef { $0 } ?? lend() }

  private func lend() -> WriteScratch {
    let own = WriteScratch.pool.take() ?? WriteScratch()
    if unsafe born.capacity == 0 { unsafe swap(&born, &own.born) }
    if unsafe retired.capacity == 0 { unsafe swap(&retired, &own.retired) }
    unsafe lent = .passRetained(own)
    return own
  }

  /// A heap that keeps pages to be used again with others of a database.
  init(_ reusable: ReusableMemory = ReusableMemory()) { self.reusable = reusable }

  deinit {
    giveBackScratch()
    reusable.add(unsafe -accounts.toldBytes)
    var next = unsafe first
    while let block = unsafe next {
      unsafe next = block.load(as: Header.self).next
      unsafe freeMemory(block)
    }
    unsafe free.release()
  }

  /// Ends a commit.
  private func end() {
    giveBackScratch()
    let change = unsafe freeBytes - accounts.toldBytes
    if change == 0 { return }
    reusable.add(change)
    unsafe accounts.toldBytes = freeBytes
  }

  /// Ends the use of the scratch, with no page in its lists.
  private func giveBackScratch() {
    guard let own = unsafe lent?.takeRetainedValue() else { return }
    unsafe born.empty()
    unsafe retired.empty()
    unsafe swap(&born, &own.born)
    unsafe swap(&retired, &own.retired)
    unsafe lent = nil
    if own.isSmall { WriteScratch.pool.put(own) }
  }

  @unsafe private struct Header {
    var next: UnsafeMutableRawPointer?
    var previous: UnsafeMutableRawPointer?
    var generation: UInt64
    /// The page's capacity, in words of eight bytes.
    var words: UInt32
    var sizeClass: UInt16
    /// 1 while the page is allocated.
    var isLive: UInt16

    var capacity: Int { unsafe Int(words) << 3 }
    /// The page's bytes, header included.
    var size: Int { unsafe capacity + headerSize }
  }

  static let headerSize = 32

  // MARK: Sizes

  /// The size class of a page of so many bytes: four classes to a doubling, from 32 bytes, so that what holds a power
  /// of two fits exactly; eight above 512 bytes, thirty-two above 4 KB, where a part of a page is much.
  @inline(__always)
  private static func sizeClass(_ bytes: Int) -> Int {
    if bytes <= 32 { return 0 }
    let bits = Int.bitWidth - 1 - (bytes - 1).leadingZeroBitCount
    if bits < mediumBits { return (bits - 5) * 4 + ((bytes - 1) >> (bits - 2)) - 3 }
    if bits < largeBits { return firstMedium + (bits - mediumBits) * 8 + ((bytes - 1) >> (bits - 3)) - 7 }
    return firstLarge + (bits - largeBits) * 32 + ((bytes - 1) >> (bits - 5)) - 31
  }

  /// The class of the largest of those pages that have four classes to a doubling, and its size's logarithm.
  private static var firstMedium: Int { 16 }
  private static var mediumBits: Int { 9 }
  /// The class of the largest of those that have eight, and its size's logarithm.
  private static var firstLarge: Int { 40 }
  private static var largeBits: Int { 12 }

  private static func capacity(_ sizeClass: Int) -> Int {
    if sizeClass <= firstMedium { return (4 + (sizeClass & 3)) << (3 + sizeClass >> 2) }
    let medium = sizeClass - firstMedium
    if sizeClass <= firstLarge { return (8 + (medium & 7)) << (mediumBits - 3 + medium >> 3) }
    let large = sizeClass - firstLarge
    return (32 + (large & 31)) << (largeBits - 5 + large >> 5)
  }

  /// So many bytes or a little more: one of four sizes to a doubling, for what grows by steps and leaves pages of each to
  /// be used again.
  static func step(_ bytes: Int) -> Int {
    if bytes <= 32 { return 32 }
    let shift = Int.bitWidth - 1 - (bytes - 1).leadingZeroBitCount - 2
    return ((bytes - 1) >> shift + 1) << shift
  }

  /// How many bytes a page asked for with `bytes` really holds.
  static func capacity(for bytes: Int) -> Int { capacity(sizeClass(bytes)) }

  /// How many bytes a page holds.
  static func capacity(of page: UnsafeMutableRawPointer) -> Int {
    unsafe header(page).pointee.capacity
  }

  /// How many bytes a page takes, header included.
  static func size(of page: UnsafeMutableRawPointer) -> Int { unsafe header(page).pointee.size }

  @inline(__always)
  private static func header(_ page: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    unsafe (page - headerSize).assumingMemoryBound(to: Header.self)
  }

  // MARK: Pages of the running commit

  /// A page of at least so many bytes, aligned to 16, with nothing in it yet.
  func allocate(_ bytes: Int) -> UnsafeMutableRawPointer { unsafe allocate(sizeClass: PageHeap.sizeClass(bytes)) }

  @inline(__always)
  private func allocate(sizeClass: Int) -> UnsafeMutableRawPointer {
    let page = unsafe sizeClass < free.count ? takeFree(sizeClass) ?? make(sizeClass) : make(sizeClass)
    let header = unsafe PageHeap.header(page)
    unsafe header.pointee.generation = generation
    unsafe header.pointee.isLive = 1
    unsafe born.append(page)
    return unsafe page
  }

  /// A new page of a size class.
  private func make(_ sizeClass: Int) -> UnsafeMutableRawPointer {
    let capacity = PageHeap.capacity(sizeClass)
    let size = capacity + PageHeap.headerSize
    if unsafe accounts.isLoading { foresee(size) }
    unsafe accounts.blocks += 1
    unsafe accounts.allBytes += size
    // Memory that is not to be had ends the process here, as everywhere in Swift.
    guard let block = unsafe malloc(size) else { fatalError("out of memory") }
    let page = unsafe block + PageHeap.headerSize
    unsafe PageHeap.header(page).initialize(
      to: Header(
        next: first, previous: nil, generation: 0, words: UInt32(capacity >> 3), sizeClass: UInt16(sizeClass), isLive: 0
      ))
    if let first = unsafe first { unsafe first.assumingMemoryBound(to: Header.self).pointee.previous = block }
    unsafe first = block
    return unsafe page
  }

  /// Takes a page that waits to be used again.
  @inline(__always)
  private func takeFree(_ sizeClass: Int) -> UnsafeMutableRawPointer? {
    guard let page = unsafe free[sizeClass].pointee.take() else { return nil }
    unsafe accounts.freeBytes -= PageHeap.size(of: page)
    return unsafe page
  }

  /// Whether the running commit may write anywhere in a page.
  @inline(__always)
  func isOwn(_ page: UnsafeMutableRawPointer) -> Bool {
    unsafe PageHeap.header(page).pointee.generation == generation
  }

  /// Makes `page` one that the running commit may write to: itself, or a copy of its first `used` bytes.
  @inline(__always)
  func writable(_ page: inout UnsafeMutableRawPointer, used: Int) {
    if unsafe !isOwn(page) { unsafe copy(&page, used: used) }
  }

  /// Puts a page of the same size in place of one that an earlier commit made, with its first `used` bytes.
  private func copy(_ page: inout UnsafeMutableRawPointer, used: Int) {
    let new = unsafe allocate(sizeClass: Int(PageHeap.header(page).pointee.sizeClass))
    unsafe new.copyMemory(from: page, byteCount: used)
    unsafe retired.append(page)
    unsafe page = new
  }

  /// Puts a page of at least `bytes` in place of `page`, with its first `used` bytes.
  func move(_ page: inout UnsafeMutableRawPointer, used: Int, bytes: Int) {
    let new = unsafe allocate(bytes)
    unsafe new.copyMemory(from: page, byteCount: used)
    unsafe retire(page)
    unsafe page = new
  }

  /// Says that the version of the running commit does not reach a page any more.
  func retire(_ page: UnsafeMutableRawPointer) {
    if unsafe isOwn(page) {
      // No version ever reached it.
      unsafe recycle(page)
    } else {
      unsafe retired.append(page)
    }
  }

  /// Reads a byte of each line of the cache, 64 bytes, that some bytes lie in: all are asked for before any is waited for.
  /// What is returned says nothing: it is to be kept, as by ``note(_:)``, so that the reading is not optimised away.
  @inline(__always)
  static func touch(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var (sum, offset): (UInt64, Int) = (0, 0)
    while offset < count {
      unsafe sum &+= UInt64(bytes.load(fromByteOffset: offset, as: UInt8.self))
      offset &+= 64
    }
    if count > 0 { unsafe sum &+= UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self)) }
    return sum
  }

  /// Keeps what was loaded only to have it near.
  func note(_ touched: UInt64) { unsafe accounts.touched ^= touched }

  /// Asks for a page's own header and its first bytes (`UnsafeRawPointer.prefetch`).
  @inline(__always)
  static func prefetch(_ page: UnsafeRawPointer, _ count: Int) {
    unsafe (page - headerSize).prefetch(headerSize + count)
  }

  // MARK: Commits

  /// Begins a commit.
  func begin() {
    _ = scratch
    unsafe accounts.keepsLittle = reusable.isMuch
    unsafe accounts.generation += 1
    unsafe (accounts.givesBack, accounts.isLoading) = (false, false)
  }

  /// Ends a commit whose version was published in place of `previous`.
  func finish(replacing previous: VersionPins) {
    unsafe born.empty()
    if previous.isPinned { unsafe pinned.append(Pinned(version: previous, pages: [])) }
    if unsafe pinned.isEmpty {
      recycleRetired()
    } else {
      for index in unsafe 0..<retired.count {
        let page = unsafe retired[index].pointee
        unsafe accounts.heldBytes += PageHeap.size(of: page)
        unsafe settle(page, death: generation)
      }
      releaseUnpinned()
    }
    if givesBack {
      givesBack = false
      releaseFree()
    } else if unsafe accounts.freeBytes > 2 * mostFree + PageHeap.muchFree {
      releaseSurplus()
    }
    end()
  }

  /// Gives back what a commit of many records left, or asked for and did not keep, beyond what is kept to be used again; the
  /// largest pages first.
  private func releaseSurplus() {
    for sizeClass in unsafe (0..<free.count).reversed() {
      while freeBytes > mostFree, let page = unsafe takeFree(sizeClass) { unsafe release(page) }
    }
  }

  /// Keeps what the commit did without to be used again, where nobody reads it: ``recycle(_:)`` of many pages.
  private func recycleRetired() {
    // What is live falls with each, by little beside what is kept.
    let most = mostFree
    let classes = unsafe free.count
    for index in unsafe 0..<retired.count {
      let page = unsafe retired[index].pointee
      let sizeClass = unsafe Int(PageHeap.header(page).pointee.sizeClass)
      if unsafe accounts.freeBytes > most || sizeClass >= classes {
        unsafe recycle(page)
      } else {
        unsafe keep(page, sizeClass)
      }
    }
  }

  /// Puts a page among those of its size that wait to be used again.
  @inline(__always)
  private func keep(_ page: UnsafeMutableRawPointer, _ sizeClass: Int) {
    let header = unsafe PageHeap.header(page)
    unsafe (header.pointee.isLive, header.pointee.generation) = (0, 0)
    unsafe free[sizeClass].pointee.put(page)
    unsafe accounts.freeBytes += header.pointee.size
  }

  /// Gives the pages that wait to be used again back to the system.
  private func releaseFree() {
    for sizeClass in unsafe 0..<free.count {
      while let page = unsafe takeFree(sizeClass) { unsafe release(page) }
    }
  }

  /// Gives back a page that no commit needed of late, if one is known. Size classes are looked at in turn, one a call and
  /// each once a commit at most.
  private func releaseIdle() -> Bool {
    if unsafe idleClass >= free.count { unsafe idleClass = 0 }
    let pages = unsafe free[idleClass]
    if unsafe pages.pointee.lookedAt == generation { return false }
    if unsafe pages.pointee.idle > 0, let page = unsafe takeFree(idleClass) {
      unsafe release(page)
      return true
    }
    unsafe pages.pointee.look(generation)
    unsafe idleClass += 1
    return false
  }

  /// Uses the pages again that were held for readers who have gone, of so many versions at most, so that no commit waits for
  /// what thousands leave: the next ones go on.
  func releaseUnpinned() {
    for _ in unsafe 0..<min(pinned.count, PageHeap.mostLookedAt) {
      if unsafe (nextPinned == 0 || nextPinned > pinned.count) { unsafe nextPinned = pinned.count }
      unsafe nextPinned -= 1
      if unsafe pinned[nextPinned].version.isPinned { continue }
      let pages = unsafe pinned.remove(at: nextPinned).pages
      for index in unsafe pages.indices { unsafe settle(pages[index].page, death: pages[index].death) }
    }
  }

  /// How many pinned versions a commit looks at.
  private static var mostLookedAt: Int { 32 }

  /// Hangs a page on the youngest pinned version that reaches it, or makes it free.
  private func settle(_ page: UnsafeMutableRawPointer, death: UInt64) {
    let birth = unsafe PageHeap.header(page).pointee.generation
    var (low, high) = unsafe (0, pinned.count)
    while low < high {
      let middle = (low + high) / 2
      if unsafe pinned[middle].version.generation < death { low = middle + 1 } else { high = middle }
    }
    if low > 0, unsafe pinned[low - 1].version.generation >= birth {
      unsafe pinned[low - 1].pages.append((page, death))
      return
    }
    unsafe accounts.heldBytes -= PageHeap.size(of: page)
    unsafe recycle(page)
  }

  /// Ends a commit of which nothing stays.
  func rollback() {
    for index in unsafe 0..<born.count {
      let page = unsafe born[index].pointee
      if unsafe !isOwn(page) || PageHeap.header(page).pointee.isLive == 0 { continue }
      unsafe recycle(page)
    }
    unsafe born.empty()
    releaseSurplus()
    end()
  }

  /// Keeps a page to be used again; where enough wait already, one is given back: an idle one, if such is known, so that
  /// sizes that are no longer needed do not keep those out that are, or else the page itself.
  private func recycle(_ page: UnsafeMutableRawPointer) {
    let sizeClass = unsafe Int(PageHeap.header(page).pointee.sizeClass)
    while unsafe free.count <= sizeClass { unsafe free.append(FreePages()) }
    // A page of the running commit may stand in `born`, and must not be freed under it.
    if unsafe born.count == 0 {
      let most = mostFree
      while freeBytes > most, releaseIdle() {}
      if freeBytes > most {
        unsafe release(page)
        return
      }
    }
    unsafe keep(page, sizeClass)
  }

  /// How many bytes are kept to be used again.
  private var mostFree: Int {
    max(unsafe accounts.keepsLittle ? PageHeap.leastReusable : PageHeap.mostReusable, liveBytes / 8)
  }

  /// So many are in any case, where the zones of the database keep little in all.
  private static var mostReusable: Int { 1 << 18 }
  /// So many more than twice what is kept are given back at the end of a commit, rather than by later ones.
  private static var muchFree: Int { 1 << 20 }
  /// And so many where they keep much.
  private static var leastReusable: Int { 1 << 12 }

  private func release(_ page: UnsafeMutableRawPointer) {
    let header = unsafe PageHeap.header(page).pointee
    unsafe accounts.allBytes -= header.size
    if let next = unsafe header.next {
      unsafe next.assumingMemoryBound(to: Header.self).pointee.previous = header.previous
    }
    if let previous = unsafe header.previous {
      unsafe previous.assumingMemoryBound(to: Header.self).pointee.next = header.next
    } else {
      unsafe first = header.next
    }
    unsafe freeMemory(page - PageHeap.headerSize)
  }

  private func freeMemory(_ block: UnsafeMutableRawPointer) {
    #if canImport(Glibc)
      unsafe Glibc.free(block)
    #elseif canImport(Musl)
      unsafe Musl.free(block)
    #elseif canImport(Darwin)
      unsafe Darwin.free(block)
    #endif
  }

  /// Bytes in pages that the version of the running commit reaches, for checks.
  var newBytes: Int {
    unsafe (0..<retired.count).reduce(liveBytes) { unsafe $0 - PageHeap.size(of: retired[$1].pointee) }
  }

  /// Says that much is about to be allocated, until ``gather()``.
  func beginLoading() { unsafe (accounts.isLoading, accounts.foreseen) = (true, 0) }

  /// Has what is asked for next mapped by huge pages, anew every so many bytes.
  private func foresee(_ size: Int) {
    unsafe accounts.foreseen -= size
    if unsafe accounts.foreseen > 0 { return }
    unsafe accounts.foreseen = HugePages.foreseenBytes
    HugePages.foresee()
  }

  /// Asks the system to map the memory of a large zone by huge pages, where it lies together. What is mapped by small pages
  /// already must be copied for that: that is waited for where the zone is so large that its queries gain most; for others,
  /// whose loads it would make longer by a tenth or so, the system does it in its own time.
  func gather() {
    unsafe accounts.isLoading = false
    #if os(Linux)
      guard liveBytes >= 4 * HugePages.size else { return }
      var bytes: [UInt: Int] = [:]
      var next = unsafe first
      while let block = unsafe next {
        let header = unsafe block.load(as: Header.self)
        let region = UInt(bitPattern: block) / UInt(HugePages.size)
        unsafe bytes[region, default: 0] += header.size
        unsafe next = header.next
      }
      for (number, size) in bytes where size > HugePages.size / 2 {
        HugePages.gather(number, atOnce: liveBytes >= PageHeap.gatheredAtOnce)
      }
    #endif
  }

  /// From this size on a load waits until the memory is gathered.
  private static var gatheredAtOnce: Int { 256 << 20 }

  /// Checks the accounts against the list of all pages: for tests.
  func check() -> Bool {
    var (live, idle) = (0, 0)
    var next = unsafe first
    while let block = unsafe next {
      let header = unsafe block.load(as: Header.self)
      if unsafe header.isLive == 1 { unsafe live += header.size } else { unsafe idle += header.size }
      unsafe next = header.next
    }
    return live == liveBytes + heldBytes && idle == freeBytes
  }
}
