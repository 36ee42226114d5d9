/// The tables and indexes an expert gives SQLite for these questions.
enum SQLiteLayout {
  static let pragmas = [
    "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA temp_store = MEMORY", "PRAGMA secure_delete = OFF", "PRAGMA foreign_keys = OFF",
  ]

  /// Tags stand in a table of their own, where they are searched, and once more as text in the row, where they are
  /// read. The R*Tree carries each place in space, so that a distance takes no trigonometry. FTS5 keeps no text and no
  /// positions.
  static let tables = [
    """
    CREATE TABLE event (id INTEGER PRIMARY KEY, record_name TEXT NOT NULL, name TEXT, city TEXT, start INTEGER, \
    attendees INTEGER, price REAL, rating REAL, tags TEXT, latitude REAL, longitude REAL, title TEXT, body TEXT, \
    owner TEXT, created INTEGER, modified INTEGER, created_by TEXT, modified_by TEXT, change_tag INTEGER)
    """,
    "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE event_tag (tag INTEGER, event INTEGER, start INTEGER, PRIMARY KEY (tag, event)) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE place USING rtree (id, south, north, west, east, +x REAL, +y REAL, +z REAL)",
    "CREATE VIRTUAL TABLE words USING fts5 (title, body, content = '', columnsize = 0, detail = none)",
  ]

  /// The indexes, made after a bulk load. With `covering` each also holds the record name, so that names alone are read
  /// from the index; that costs some 40 bytes an entry.
  static func indexes(covering: Bool) -> [String] {
    let name = covering ? ", record_name" : ""
    return [
      "CREATE UNIQUE INDEX event_record_name ON event (record_name)",
      "CREATE INDEX event_name ON event (name\(name))",
      "CREATE INDEX event_city_start ON event (city, start\(name))",
      "CREATE INDEX event_start ON event (start\(name))",
      "CREATE INDEX event_price_start ON event (price, start\(name))",
      "CREATE INDEX event_tag_start ON event_tag (tag, start)",
    ]
  }

  /// The index of the questions that ignore case, which only they have: writing would take longer with it.
  static let noCaseIndex = "CREATE INDEX IF NOT EXISTS event_name_no_case ON event (name COLLATE NOCASE)"
  static let noNoCaseIndex = "DROP INDEX IF EXISTS event_name_no_case"

  static let columns = """
    e.record_name, e.name, e.city, e.start, e.attendees, e.price, e.rating, e.tags, e.latitude, e.longitude, e.title, \
    e.body, e.owner, e.created, e.modified, e.created_by, e.modified_by, e.change_tag
    """

  static let tagID = "(SELECT id FROM tag WHERE name = ?1)"
  /// The squared distance through the Earth to the place bound to 5, 6 and 7.
  static let squaredChord = "((p.x - ?5) * (p.x - ?5) + (p.y - ?6) * (p.y - ?6) + (p.z - ?7) * (p.z - ?7))"
  static let inBox = "p.north >= ?1 AND p.south <= ?2 AND p.east >= ?3 AND p.west <= ?4"

  /// The ways to ask a question; the fastest is chosen before anything is timed.
  static func statements(_ question: Question, _ variant: Variant) -> [String] {
    let read = variant == .ids ? "e.record_name" : columns
    switch question {
    case .point: return ["SELECT \(read) FROM event e WHERE record_name = ?1"]
    case .equality: return ["SELECT \(read) FROM event e WHERE name = ?1"]
    case .equalitySortLimit: return ["SELECT \(read) FROM event e WHERE city = ?1 ORDER BY start DESC LIMIT ?2"]
    case .equalityOtherSort: return ["SELECT \(read) FROM event e WHERE name = ?1 ORDER BY rating DESC"]
    case .equalityNoCase: return ["SELECT \(read) FROM event e WHERE name = ?1 COLLATE NOCASE"]
    case .prefixNoCase:
      return ["SELECT \(read) FROM event e WHERE name >= ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE"]
    case .inSortLimit(let cities, _):
      let (marks, limit) = (cities.indices.map { "?\($0 + 1)" }, "ORDER BY start DESC LIMIT ?\(cities.count + 1)")
      let newest = marks.map { "SELECT * FROM (SELECT id FROM event WHERE city = \($0) \(limit))" }
      return [
        "SELECT \(read) FROM event e WHERE city IN (\(marks.joined(separator: ", "))) \(limit)",
        "SELECT \(read) FROM event e INDEXED BY event_start WHERE city IN (\(marks.joined(separator: ", "))) \(limit)",
        "SELECT \(read) FROM event e WHERE id IN (\(newest.joined(separator: " UNION ALL "))) \(limit)",
      ]
    case .rangeLimit: return ["SELECT \(read) FROM event e WHERE start > ?1 ORDER BY start LIMIT ?2"]
    case .indexedSort:
      return ["", "INDEXED BY event_price_start", "INDEXED BY event_start"].map {
        "SELECT \(read) FROM event e \($0) WHERE start > ?1 ORDER BY price LIMIT ?2"
      }
    case .rangeOtherSort:
      return ["", "NOT INDEXED", "INDEXED BY event_start"].map {
        "SELECT \(read) FROM event e \($0) WHERE start > ?1 ORDER BY rating DESC LIMIT ?2"
      }
    case .equalityAndRange: return ["SELECT \(read) FROM event e WHERE city = ?1 AND start > ?2"]
    case .rangeAndRange:
      return ["", "INDEXED BY event_price_start", "INDEXED BY event_start"].map {
        "SELECT \(read) FROM event e \($0) WHERE start BETWEEN ?1 AND ?2 AND price BETWEEN ?3 AND ?4"
      }
    case .prefix: return ["SELECT \(read) FROM event e WHERE name >= ?1 AND name < ?2"]
    case .contains(let tags) where tags.count == 1:
      // Rows in the table's own order lie closer together than in that of start.
      return ["", " ORDER BY t.event"].map {
        "SELECT \(read) FROM event_tag t CROSS JOIN event e ON e.id = t.event WHERE t.tag = \(tagID)\($0)"
      }
    case .contains:
      return [
        """
        SELECT \(read) FROM event_tag t CROSS JOIN event_tag u ON u.event = t.event CROSS JOIN event e ON e.id = t.event \
        WHERE t.tag = \(tagID) AND u.tag = (SELECT id FROM tag WHERE name = ?2)
        """,
        """
        SELECT \(read) FROM event e WHERE e.id IN (SELECT event FROM event_tag WHERE tag = \(tagID) \
        INTERSECT SELECT event FROM event_tag WHERE tag = (SELECT id FROM tag WHERE name = ?2))
        """,
      ]
    case .containsSort:
      return [
        """
        SELECT \(read) FROM event_tag t CROSS JOIN event e ON e.id = t.event WHERE t.tag = \(tagID) \
        ORDER BY t.start DESC LIMIT ?2
        """
      ]
    case .names(let names):
      let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      return ["SELECT \(read) FROM event e WHERE name IN (\(marks))"]
    case .radius:
      return ["SELECT \(read) FROM place p CROSS JOIN event e ON e.id = p.id WHERE \(inBox) AND \(squaredChord) < ?8"]
    case .nearest:
      return [
        """
        SELECT \(read), n.chord FROM (SELECT p.id AS id, \(squaredChord) AS chord FROM place p WHERE \(inBox) \
        AND \(squaredChord) < ?8 ORDER BY chord LIMIT ?9) n CROSS JOIN event e ON e.id = n.id ORDER BY n.chord
        """,
        """
        SELECT \(read), \(squaredChord) AS chord FROM place p CROSS JOIN event e ON e.id = p.id WHERE \(inBox) \
        AND \(squaredChord) < ?8 ORDER BY chord LIMIT ?9
        """,
      ]
    case .tokens: return ["SELECT \(read) FROM words CROSS JOIN event e ON e.id = words.rowid WHERE words MATCH ?1"]
    case .tokensSort:
      return [
        """
        SELECT \(read) FROM words CROSS JOIN event e ON e.id = words.rowid WHERE words MATCH ?1 ORDER BY e.start DESC LIMIT ?2
        """,
        """
        SELECT \(read) FROM event e INDEXED BY event_start CROSS JOIN words ON words.rowid = e.id \
        WHERE words MATCH ?1 ORDER BY e.start DESC LIMIT ?2
        """,
        """
        SELECT \(read) FROM event e WHERE e.id IN (SELECT rowid FROM words WHERE words MATCH ?1) \
        ORDER BY e.start DESC LIMIT ?2
        """,
        """
        SELECT \(read) FROM event e INDEXED BY event_start WHERE +e.id IN (SELECT rowid FROM words WHERE words MATCH ?1) \
        ORDER BY e.start DESC LIMIT ?2
        """,
      ]
    case .tokensRangeEquality:
      return [
        """
        SELECT \(read) FROM words CROSS JOIN event e ON e.id = words.rowid \
        WHERE words MATCH ?1 AND e.city = ?2 AND e.start > ?3
        """,
        """
        SELECT \(read) FROM event e CROSS JOIN words ON words.rowid = e.id \
        WHERE words MATCH ?1 AND e.city = ?2 AND e.start > ?3
        """,
        """
        SELECT \(read) FROM event e INDEXED BY event_city_start \
        WHERE +e.id IN (SELECT rowid FROM words WHERE words MATCH ?1) AND e.city = ?2 AND e.start > ?3
        """,
      ]
    case .starts: return ["SELECT \(read) FROM event e WHERE start BETWEEN ?1 AND ?2"]
    case .deepPage:
      return ["SELECT \(read) FROM event e WHERE (city, start) > (?1, ?2) ORDER BY city, start LIMIT ?3"]
    case .scanCount: return ["SELECT count(*) FROM event WHERE rating > ?1 AND attendees > ?2"]
    case .memberPrefix:
      let tags = "SELECT event FROM event_tag WHERE tag IN (SELECT id FROM tag WHERE name >= ?1 AND name < ?2)"
      return [
        "SELECT \(read) FROM event e WHERE id IN (\(tags))",
        "SELECT \(read) FROM (SELECT DISTINCT event FROM (\(tags))) t CROSS JOIN event e ON e.id = t.event",
      ]
    case .computed: return ["SELECT count(*) FROM event WHERE attendees * 2 + 1 > ?1"]
    case .part(_, ignoresCase: false):
      return ["instr(body, ?1) > 0", "body GLOB '*' || ?1 || '*'"].map { "SELECT count(*) FROM event WHERE \($0)" }
    case .part: return ["SELECT count(*) FROM event WHERE body LIKE '%' || ?1 || '%'"]
    case .pattern: return ["SELECT count(*) FROM event WHERE body GLOB ?1"]
    case .scanTop: return ["SELECT \(read) FROM event e ORDER BY rating DESC LIMIT ?1"]
    case .count: return ["SELECT count(*) FROM event WHERE start BETWEEN ?1 AND ?2"]
    }
  }

  static func arguments(_ question: Question) -> [SQLiteArguments.Value] {
    func search(_ words: [String]) -> SQLiteArguments.Value {
      .text(words.map { "\"\($0)\"" }.joined(separator: " "))
    }
    switch question {
    case .point(let name), .equality(let name), .equalityOtherSort(let name), .equalityNoCase(let name):
      return [.text(name)]
    case .inSortLimit(let cities, let limit): return cities.map { .text($0) } + [.integer(Int64(limit))]
    case .equalitySortLimit(let city, let limit): return [.text(city), .integer(Int64(limit))]
    case .rangeLimit(let after, let limit), .indexedSort(let after, let limit), .rangeOtherSort(let after, let limit):
      return [.integer(after), .integer(Int64(limit))]
    case .equalityAndRange(let city, let after): return [.text(city), .integer(after)]
    case .rangeAndRange(let starts, let prices):
      return [
        .integer(starts.lowerBound), .integer(starts.upperBound), .real(prices.lowerBound), .real(prices.upperBound),
      ]
    case .prefix(let prefix), .memberPrefix(let prefix): return beginning(prefix)
    // Capitals come as small letters.
    case .prefixNoCase(let prefix): return beginning(prefix.lowercased())
    case .contains(let tags): return tags.map { .text($0) }
    case .containsSort(let tag, let limit): return [.text(tag), .integer(Int64(limit))]
    case .names(let names): return names.map { .text($0) }
    case .radius(let centre, let metres): return circle(centre, metres)
    case .nearest(let centre, let within, let limit): return circle(centre, within) + [.integer(Int64(limit))]
    case .tokens(let words): return [search(words)]
    case .tokensSort(let words, let limit): return [search(words), .integer(Int64(limit))]
    case .tokensRangeEquality(let word, let city, let after): return [search([word]), .text(city), .integer(after)]
    case .starts(let range), .count(let range): return [.integer(range.lowerBound), .integer(range.upperBound)]
    case .deepPage(let city, let start, let limit): return [.text(city), .integer(start), .integer(Int64(limit))]
    case .scanCount(let rating, let attendees): return [.real(rating), .integer(attendees)]
    case .computed(let limit): return [.integer(limit)]
    case .part(let part, _): return [.text(part)]
    case .pattern(let parts): return [.text("*" + parts.joined(separator: "*") + "*")]
    case .scanTop(let limit): return [.integer(Int64(limit))]
    }
  }

  /// All that begins with a prefix is before the prefix with its last byte, an ASCII letter or space, raised.
  static func beginning(_ prefix: String) -> [SQLiteArguments.Value] {
    var end = Array(prefix.utf8)
    end[end.count - 1] += 1
    return [.text(prefix), .text(String(decoding: end, as: UTF8.self))]
  }

  static func circle(_ centre: Place, _ metres: Double) -> [SQLiteArguments.Value] {
    let box = centre.box(metres: metres)
    let point = centre.cartesian
    return [
      .real(centre.latitude - box.latitude), .real(centre.latitude + box.latitude),
      .real(centre.longitude - box.longitude), .real(centre.longitude + box.longitude),
      .real(point.x), .real(point.y), .real(point.z), .real(metres * metres),
    ]
  }
}
