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
    .target(name: "ZoneQuery", dependencies: ["PredicateSyntax"], swiftSettings: settings),
    .target(
      name: "ZoneQueryTesting", dependencies: ["PredicateSyntax", "ZoneQuery"], swiftSettings: settings,
      linkerSettings: mathematics),
    .executableTarget(
      name: "ZoneQueryTool", dependencies: ["ZoneQuery", "ZoneQueryTesting"], swiftSettings: settings),
    .testTarget(
      name: "PredicateSyntaxTests", dependencies: ["PredicateSyntax"], swiftSettings: settings),
    .testTarget(
      name: "ZoneQueryTests", dependencies: ["ZoneQuery"], exclude: ["Semantics/Refusals.txt", "Planning/Golden"],
      swiftSettings: settings),
    .testTarget(
      name: "ZoneQueryTestingTests", dependencies: ["PredicateSyntax", "ZoneQuery", "ZoneQueryTesting"],
      exclude: ["HostileInputs.md"], swiftSettings: settings),
    .testTarget(
      name: "ZoneQueryToolTests", dependencies: ["ZoneQuery", "ZoneQueryTool"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
