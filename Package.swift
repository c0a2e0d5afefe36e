// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-warnings-as-errors"]),
]

func library(_ name: String, _ dependencies: [Target.Dependency], linked: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linked)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "aether-tui",
    products: [],
    dependencies: [],
    targets: [
        .target(name: "CLinux"),
        library("AetherCore", ["CLinux"]),
        .systemLibrary(name: "CFFmpeg", path: "Sources/CFFmpeg"),
        library("AetherMedia", ["AetherCore", "CFFmpeg"]),
        library("AetherEngine", ["AetherCore", "AetherMedia"]),
    ]
)
