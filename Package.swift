// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Swift 6 language mode, every warning an error; imports are visible only where written, and C never leaks into public API.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Not by an unsafe flag: with one, others could not depend upon a version, or would have our warnings as their errors.
    .treatAllWarnings(as: .error),
]

// `make build`: what is not run for each frame is compiled for size, 1.2 of 31 MB. In our programs alone: nobody depends upon a version that
// has an unsafe flag.
let cold: [SwiftSetting] =
    Context.environment["AETHER_RELEASE"] == nil ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

func library(_ name: String, _ dependencies: [Target.Dependency], isCold: Bool = false) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + (isCold ? cold : []))
}

// All addresses are resolved at the start and read-only from then on (full RELRO).
let sealed: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])]

// glibc checks the bounds that the compiler knows or can compute. Without optimization it knows none, and glibc warns.
let checked: [CSetting] = [.define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release))]

// lld writes addresses that are only moved in 15 KB, where gold takes 1.6 of 31 MB, and the loader 3 ms less. TOMLKit names full Foundation and
// needs nothing of it; lld would take it from there all the same, with the table of ICU 44 MB: where a program is static, it does not see it.
// No library looks a symbol of a program up, so that none is listed. Functions of the same code are one, also those
// whose address is taken, for none is told from another by it: 0.8 MB.
let linked: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
            "--remap-inputs=*/libFoundation.a=/dev/null",
            "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all",
        ], .when(configuration: .release))
]

func program(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict, linkerSettings: sealed + linked)
}

func system(_ name: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)")
}

// Tests of the release build are compiled without optimization, in half the time: what they test is optimized.
let quick: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// `countsAllocations`: of its own code, too, which takes some where it is not optimized.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], countsAllocations: Bool = false
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["AetherCore", "AetherTestSupport"], exclude: exclude,
        swiftSettings: strict + (countsAllocations ? [] : quick))
}

/// scripts/sanitize.sh: C of ours traps on undefined behaviour; `parsers` leaves out whatever parses no outside bytes.
let sanitized = Context.environment["AETHER_SANITIZE"]
let shims: [CSetting] = sanitized == nil ? [] : [.unsafeFlags(["-fsanitize=undefined", "-fsanitize-trap=undefined"])]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "aether-tui",
    products: [
        .executable(name: "aether-tui", targets: ["aether-tui"]),
        .executable(name: "aetherctl", targets: ["aetherctl"]),
        .executable(name: "aether-decoder", targets: ["aether-decoder"]),
        .library(name: "AetherEngine", targets: ["AetherEngine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // C, one system library each
        .target(name: "CLinux", cSettings: checked + shims), .target(name: "CLanes", cSettings: checked + shims),
        .target(name: "CBox", cSettings: checked + shims),
        system("CFFmpeg"), system("CALSA"), system("CNcurses"), system("CZlib"), system("CUchardet"),
        system("CFriBidi"), system("CAss"), system("CDav1d"), system("CSystemd"), system("CSQLite"), system("CHarfBuzz"),
        system("CCurl"),

        // The house, from the ground up. These lines are the only allowed arrows.
        library("AetherCore", ["CLinux"]),
        library("AetherFormats", ["AetherCore"], isCold: true),
        library("AetherSources", ["AetherCore", "CLinux", "CCurl"], isCold: true),
        library("AetherDiscs", ["AetherCore", "AetherFormats", "AetherSources"], isCold: true),
        library("AetherMedia", ["AetherCore", "AetherFormats", "CLanes", "CFFmpeg", "CDav1d", "CALSA", "CUchardet", "CAss"]),
        library("AetherBox", ["AetherCore", "AetherMedia", "CBox"], isCold: true),
        library("AetherEngine", ["AetherCore", "AetherFormats", "AetherSources", "AetherDiscs", "AetherMedia"]),

        library("AetherOptions", ["AetherCore", "AetherSources", arguments], isCold: true),
        library("AetherServe", ["AetherCore", "AetherFormats", "AetherMedia", "AetherEngine", "CLinux"], isCold: true),
        library("AetherLibrary", ["AetherCore", "CLinux", "CSQLite"], isCold: true),
        library("AetherDesktop", ["AetherCore", "CLinux", "CSystemd"], isCold: true),
        library("AetherRender", ["AetherCore", "CLanes", "CZlib"]),
        library("AetherTerminal", ["AetherCore", "CLinux", "CNcurses", "CFriBidi", "CHarfBuzz"]),
        library(
            "AetherUI",
            [
                "AetherCore", "AetherFormats", "AetherSources", "AetherEngine", "AetherRender", "AetherTerminal", "AetherLibrary",
                "AetherDesktop", "AetherOptions", "AetherBox", "TOMLKit", arguments,
            ], isCold: true),

        program("aether-tui", ["AetherUI", arguments]),
        program(
            "aetherctl",
            [
                "AetherCore", "AetherFormats", "AetherSources", "AetherMedia", "AetherEngine", "AetherRender", "AetherTerminal",
                "AetherLibrary",
                "AetherDesktop", "AetherServe", "AetherOptions", "AetherBox", arguments,
            ]),
        program("aether-decoder", ["AetherBox"]),
        program("aether-bench-seek", path: "Benchmarks/SeekBench", ["AetherEngine", "AetherSources", "AetherCore"]),
        program(
            "aether-bench-soak", path: "Benchmarks/SoakBench",
            ["AetherEngine", "AetherSources", "AetherCore", "AetherTestSupport"]),
        program("aether-bench-network", path: "Benchmarks/NetworkBench", ["AetherTestSupport", "AetherSources", "AetherCore"]),
        program("aether-bench-channels", path: "Benchmarks/ChannelBench", ["AetherFormats", "AetherCore"]),
        program("aether-bench-playlists", path: "Benchmarks/PlaylistBench", ["AetherFormats", "AetherCore"]),
        program("aether-bench-subtitles", path: "Benchmarks/SubtitleBench", ["AetherMedia", "AetherCore"]),
        program("aether-bench-colour", path: "Benchmarks/ColourBench", ["AetherMedia", "AetherSources", "AetherCore"]),
        program("aether-bench-render", path: "Benchmarks/RenderBench", ["AetherRender", "AetherCore", "AetherTestSupport"]),

        // Tests mirror the sources.
        .target(name: "CBoxTrial", path: "Tests/CBoxTrial", cSettings: checked + shims),
        .executableTarget(
            name: "aether-box-trial", dependencies: ["AetherBox", "AetherMedia", "AetherCore", "CBoxTrial"],
            path: "Tests/BoxTrial", swiftSettings: strict),
        .target(name: "CAllocations", path: "Tests/CAllocations", cSettings: checked + shims),
        .target(
            name: "AetherTestSupport", dependencies: ["AetherCore", "CLinux", "CZlib"], path: "Tests/Support",
            swiftSettings: strict),
        tests("AetherCoreTests", []),
        tests("AetherFormatsTests", ["AetherFormats"], exclude: ["HLS/Published"]),
        tests("AetherSourcesTests", ["AetherSources"]),
        tests("AetherDiscsTests", ["AetherDiscs", "AetherFormats", "AetherSources"]),
        tests("AetherMediaTests", ["AetherMedia", "AetherFormats", "AetherSources", "CFFmpeg", "CALSA"]),
        tests("AetherBoxTests", ["AetherBox", "AetherMedia", "AetherEngine", "AetherSources", "CBoxTrial", "CBox", "CFFmpeg"]),
        tests(
            "AetherEngineTests",
            ["AetherEngine", "AetherBox", "AetherDiscs", "AetherFormats", "AetherMedia", "AetherSources", "CFFmpeg"]),
        // Tests that play in real time run alone, one after the other (scripts/test.sh). They use the engine's Tests/…/Support.
        tests("AetherPlayingTests", ["AetherEngineTests", "AetherEngine", "AetherMedia", "AetherSources", "CFFmpeg"]),
        tests("AetherRenderTests", ["AetherRender", "CAllocations"], exclude: ["Golden"], countsAllocations: true),
        tests("AetherTerminalTests", ["AetherTerminal", "AetherRender", "CLinux"], exclude: ["Recordings"]),
        tests("AetherServeTests", ["AetherServe", "AetherFormats", "AetherMedia", "AetherEngine", "AetherSources"]),
        tests("AetherLibraryTests", ["AetherLibrary", "CSQLite"]),
        tests("AetherDesktopTests", ["AetherDesktop", "CLinux"]),
        tests(
            "AetherUITests",
            [
                "AetherUI", "AetherFormats", "AetherEngine", "AetherRender", "AetherTerminal", "AetherLibrary", "AetherDesktop",
                "AetherSources", "AetherOptions", arguments,
            ],
            exclude: ["Golden"]),
        tests("EndToEndTests", ["AetherUI", "AetherTerminal", "AetherDesktop"]),
    ]
)

// `make fuzz`: a libFuzzer program over every parser of outside bytes. Only when asked for: it has no main of its own. Otherwise
// the same targets are a suite of the tests.
let fuzzed: [Target.Dependency] = [
    "AetherCore", "AetherFormats", "AetherMedia", "AetherEngine", "AetherTerminal", "AetherDesktop", "AetherUI", "CFFmpeg",
    "AetherSources", "AetherServe",
]
if Context.environment["AETHER_FUZZ"] == "mutants" {
    // scripts/mutants.sh: the inspectors alone, and what they stand on, so that it is built in minutes.
    package.products = []
    package.targets.removeAll { !["AetherCore", "AetherFormats", "CLinux"].contains($0.name) }
    package.targets.append(
        .executableTarget(
            name: "aether-mutants", dependencies: ["AetherCore", "AetherFormats"], path: "Tests",
            sources: [
                "Fuzz/Mutants", "Fuzz/Suite/FileMutant.swift", "Fuzz/Targets/InspectionTarget.swift",
                "Support/SeededRandom.swift",
            ],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
} else if Context.environment["AETHER_FUZZ"] != nil {
    package.targets += [
        .target(name: "AetherFuzz", dependencies: fuzzed, path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .executableTarget(
            name: "aether-fuzz", dependencies: ["AetherFuzz"], path: "Tests/Fuzz/Program",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
    ]
} else {
    package.targets.append(
        .testTarget(
            name: "AetherFuzzTests", dependencies: fuzzed + ["AetherTestSupport"], path: "Tests/Fuzz",
            exclude: ["Mutants", "Program", "Seeds"], swiftSettings: strict))
}

// Nothing but the tests of what reads bytes from outside, and what they stand on. Interface, engine and sources are left out with their four parsers:
// they would be two thirds of the build. The packages that nothing uses then stay named: SwiftPM would forget their versions for
// the next build.
if sanitized == "parsers" {
    let wanted: Set = [
        "CLinux", "CLanes", "CZlib", "CFFmpeg", "CALSA", "CUchardet", "CAss", "CDav1d", "CSystemd", "CNcurses", "CFriBidi",
        "CHarfBuzz",
        "AetherCore", "AetherFormats", "AetherMedia", "AetherTerminal", "AetherDesktop", "AetherTestSupport",
        "AetherFormatsTests", "AetherFuzzTests",
    ]
    package.products = []
    package.targets.removeAll { !wanted.contains($0.name) }
    for target in package.targets where target.name == "AetherFuzzTests" {
        target.dependencies.removeAll {
            if case .byNameItem(let name, _) = $0 {
                ["AetherUI", "AetherEngine", "AetherSources", "AetherServe"].contains(name)
            } else {
                false
            }
        }
        target.exclude += [
            "DriveFramesTarget", "InitSectionTarget", "ServedRequestTarget", "SettingsTarget", "ShareFramesTarget",
            "SongStreamTarget", "ThemeParserTarget", "VariantPredicateTarget", "WebAnswerTarget", "WorkerTarget",
        ].map { "Targets/\($0).swift" }
        target.swiftSettings = strict + [.define("WITHOUT_UI")]
    }
}

// Shares: an optional part, for its libraries need not be there: libsmbclient decides on the program, libnfs on what it knows beside SMB.
// AETHER_WITHOUT_SHARES leaves it out where they are.
func hasLibrary(_ name: String) -> Bool {
    ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].contains {
        FileManager.default.fileExists(atPath: "/usr/lib/\($0)pkgconfig/\(name).pc")
    }
}
let hasSources = package.targets.contains { $0.name == "AetherSources" }
if hasLibrary("smbclient"), hasSources, sanitized != "parsers", Context.environment["AETHER_WITHOUT_SHARES"] == nil {
    let share = program("aether-share", ["AetherSources", "AetherCore", "CSMBClient", "CNFS"])
    package.targets += [
        .systemLibrary(
            name: "CSMBClient", path: "Sources/CSMBClient", pkgConfig: "smbclient", providers: [.apt(["libsmbclient-dev"])]),
        share,
    ]
    if hasLibrary("libnfs") {
        package.targets.append(
            .systemLibrary(name: "CNFS", path: "Sources/CNFS", pkgConfig: "libnfs", providers: [.apt(["libnfs-dev"])]))
    } else {
        share.dependencies.removeLast()
    }
}

// Discs in a drive: an optional part likewise. AETHER_WITHOUT_DRIVES leaves it out where libcdio is.
if hasLibrary("libcdio"), hasSources, sanitized != "parsers", Context.environment["AETHER_WITHOUT_DRIVES"] == nil {
    package.targets += [
        .systemLibrary(name: "CCDIO", path: "Sources/CCDIO", pkgConfig: "libcdio", providers: [.apt(["libcdio-dev"])]),
        program("aether-disc", ["AetherSources", "CCDIO"]),
    ]
}
