// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what it can do with `import AetherEngine` alone, others can. From elsewhere the dependency is
// .package(url: ..., from: "0.2.0").
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "aether-tui", path: "..")],
    targets: ["MinimalPlayer", "FrameServer"].map { name in
        .executableTarget(
            name: name, dependencies: [.product(name: "AetherEngine", package: "aether-tui")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    }
)
