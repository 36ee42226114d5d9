// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// The C library's mathematics, which nothing links by itself where Foundation is not imported.
let mathematics: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux]))]

/// What is built of the tests: all, or what `ZONEQUERY_TESTS` names, targets and their folders or files with commas
/// between (`PredicateSyntaxTests,ZoneQueryTests/Indexing`), for runs that need few of them.
let named = Context.environment["ZONEQUERY_TESTS"].flatMap { names in
  names.isEmpty ? nil : names.split(separator: ",").map(String.init)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> [Target] {
  var sources: [String]?
  if let named, !named.contains(name) {
    let own = named.filter { $0.hasPrefix(name + "/") }.map { String($0.dropFirst(name.count + 1)) }
    if own.isEmpty { return [] }
    sources = own
  }
  return [
    .testTarget(
      name: name, dependencies: dependencies, exclude: exclude, sources: sources, swiftSettings: settings)
  ]
}

let package = Package(
  name: "ZoneQuery",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "PredicateSyntax", targets: ["PredicateSyntax"]),
    .library(name: "ZoneQuery", targets: ["ZoneQuery"]),
    .library(name: "ZoneQueryTesting", targets: ["ZoneQueryTesting"]),
    .executable(name: "zonequery", targets: ["ZoneQueryTool"]),
  ],
  targets: [
    .target(name: "PredicateSyntax", swiftSettings: settings, linkerSettings: mathematics),
    .target(name: "CPrefetch"),
    .target(name: "ZoneQuery", dependencies: ["PredicateSyntax", "CPrefetch"], swiftSettings: settings),
    .target(
      name: "ZoneQueryTesting", dependencies: ["PredicateSyntax", "ZoneQuery"], swiftSettings: settings,
      linkerSettings: mathematics),
    .executableTarget(
      name: "ZoneQueryTool", dependencies: ["ZoneQuery", "ZoneQueryTesting"], swiftSettings: settings),
  ]
    + tests("PredicateSyntaxTests", ["PredicateSyntax"])
    + tests("ZoneQueryTests", ["ZoneQuery"], exclude: ["Semantics/Refusals.txt", "Planning/Golden"])
    + tests(
      "ZoneQueryTestingTests", ["PredicateSyntax", "ZoneQuery", "ZoneQueryTesting"], exclude: ["HostileInputs.md"])
    + tests("ZoneQueryToolTests", ["ZoneQuery", "ZoneQueryTool"]),
  swiftLanguageModes: [.v6]
)
