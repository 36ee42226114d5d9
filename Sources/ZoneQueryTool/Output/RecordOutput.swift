internal import ZoneQuery

/// How records are written.
enum RecordFormat: Sendable {
  case table
  case jsonl
  case json
}

/// Writes the records of an answer.
struct RecordOutput {
  let format: RecordFormat
  /// The keys asked for, in order; nil for all.
  let keys: [String]?
  /// What a column of distances is measured from.
  let origin: (field: String, place: Location)?

  func write(_ records: [Record], recordType: RecordType?, to console: Console) throws(Stop) {
    switch format {
    case .table: if !records.isEmpty { try writeTable(records, recordType, console) }
    case .jsonl:
      for record in records {
        try console.write(json(record))
        try console.write(CollectionOfOne(0x0A))
      }
    case .json:
      try console.write("[".utf8)
      for (index, record) in records.enumerated() {
        try console.write((index == 0 ? "\n" : ",\n").utf8)
        try console.write(json(record))
      }
      try console.write((records.isEmpty ? "]\n" : "\n]\n").utf8)
    }
  }

  private func json(_ record: Record) throws(Stop) -> [UInt8] {
    do throws(ZoneQueryError) {
      var writer = JSONWriter()
      try record.write(webServicesTo: &writer)
      return writer.bytes
    } catch {
      throw .failed(EngineMessage.text(error, at: "zonequery", record: record.recordID))
    }
  }

  private enum Source {
    case name
    case field(String)
    case system(SystemField)
    case distance(String, Location)
  }

  private func writeTable(_ records: [Record], _ recordType: RecordType?, _ console: Console) throws(Stop) {
    var sources: [Source] = [.name]
    var columns = [TextTable.Column(title: "recordName", isCuttable: false)]
    if let origin {
      sources.append(.distance(origin.field, origin.place))
      columns.append(TextTable.Column(title: "metres", isRightAligned: true, isCuttable: false))
    }
    // Without keys asked for, what no record has is not worth a column.
    let names = keys ?? recordType?.fields.map(\.name).filter { name in records.contains { $0[name] != nil } } ?? []
    for name in names {
      let system = SystemField.allCases.first { field in
        sameBytes(field.key, name) || field.schemaName.map { sameBytes($0, name) } == true
      }
      if let system {
        if system == .recordID { continue }
        sources.append(.system(system))
        columns.append(TextTable.Column(title: system.key, isCuttable: system.type != .timestamp))
      } else {
        sources.append(.field(name))
        let type = recordType?.field(name)?.type
        let isNumber = type == .int64 || type == .double
        columns.append(
          TextTable.Column(
            title: name, isRightAligned: isNumber,
            isCuttable: !isNumber && type != .timestamp && type != .location))
      }
    }
    var table = TextTable(columns)
    table.rows = records.map { record in sources.map { cell(of: record, $0) } }
    let (lines, hidden) = table.text(columns: console.columns)
    for line in lines { try console.writeLine(line) }
    if !hidden.isEmpty {
      try console.note("no room for \(hidden.joined(separator: ", ")); choose columns with --keys")
    }
  }

  private func cell(of record: Record, _ source: Source) -> String? {
    switch source {
    case .name: return Printable.text(record.recordID.description)
    case .field(let name): return record[name].map(CellText.text)
    case .system(let field): return record.systemValue(field).map(CellText.text)
    case .distance(let name, let origin):
      guard case .location(let place)? = record[name] else { return nil }
      let metres = Geodesic.distance(
        latitude1: origin.latitude, longitude1: origin.longitude, latitude2: place.latitude,
        longitude2: place.longitude)
      return Int64(exactly: metres.rounded()).map { "\($0)" }
    }
  }
}
