/// An index that a query needs and the schema does not have.
public struct MissingIndex: Sendable, Hashable {
  /// What the query does with the field.
  public enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// A comparison of the field, whether it stands under `NOT` or not: `QUERYABLE`.
    case filter
    /// `<`, `<=`, `>`, `>=` or `BETWEEN` with constants: `QUERYABLE` or `SORTABLE`.
    case range
    /// A distance held against a radius: `QUERYABLE`.
    case distance
    /// A search for words: `SEARCHABLE` on some text field.
    case tokenSearch
    /// No filter at all: `QUERYABLE` on the record ID.
    case everyRecord
    /// A sort descriptor: `SORTABLE`.
    case sort
    /// A sort by the distance from a place: `QUERYABLE`.
    case distanceSort
  }

  /// The field's name, as a schema has it: `___createTime`, not `creationDate`.
  public let field: String
  /// The index that would serve.
  public let kind: IndexKinds
  /// What the query does with the field.
  public let purpose: Purpose
  /// CloudKit's own words: `Field 'city' is not marked queryable`.
  public let message: String
  /// The line of a `.ckdb` schema that has the index, and all others the query needs of the field: `city STRING
  /// QUERYABLE SORTABLE`. Nil where the type has no field that could have the index.
  public let item: String?
  /// Whether the schema has a line for the field, which ``item`` takes the place of.
  public let replacesItem: Bool
  /// Where the predicate names the field.
  public let range: SourceRange?

  /// Why the query needs the index, in a few words.
  public var reason: String {
    switch purpose {
    case .filter: "a filter needs QUERYABLE"
    case .range: "a range filter needs QUERYABLE or SORTABLE"
    case .distance: "a filter by distance needs QUERYABLE"
    case .tokenSearch: "a search for words needs a SEARCHABLE field"
    case .everyRecord: "a query without a filter needs QUERYABLE on the record ID"
    case .sort: "a sort needs SORTABLE"
    case .distanceSort: "a sort by distance needs QUERYABLE"
    }
  }
}

extension MissingIndex: CustomStringConvertible {
  /// What is missing, why, and the line that would serve: `Field 'city' is not marked queryable: a filter needs QUERYABLE;
  /// the schema needs: city STRING QUERYABLE`.
  public var description: String {
    "\(message): \(reason)\(item.map { "; the schema needs: \($0)" } ?? "")"
  }
}
