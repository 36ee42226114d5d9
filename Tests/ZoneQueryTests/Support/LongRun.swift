import Foundation

/// Whether the longer forms of generated checks are asked for.
enum LongRun {
  static let isAsked = ProcessInfo.processInfo.environment["ZONEQUERY_LONG"] != nil
}
