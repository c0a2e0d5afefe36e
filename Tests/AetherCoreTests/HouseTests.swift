import AetherCore
import Foundation
import Testing

/// The documents, against Package.swift, the sources and one another.
@Suite struct HouseTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Package.swift's `library("X", [...])` and `program("x", [...])` of Sources: name and dependencies.
    private static func declaredArrows() throws -> [String: Set<String>] {
        let declaration = #/(?:library|program)\(\s*"(?<name>[A-Za-z-]+)",\s*\[(?<list>[^\]]*)\]/#
        let dependency = #/"(?<target>[A-Za-z0-9]+)"(?:, package: "[^"]*")?|\barguments\b/#
        var arrows: [String: Set<String>] = [:]
        for found in try text("Package.swift").matches(of: declaration) {
            let names = found.output.list.matches(of: dependency).map { $0.output.target.map(String.init) ?? "ArgumentParser" }
            arrows[String(found.output.name)] = Set(names)
        }
        return arrows
    }

    /// The rows of the table in architecture.md whose header begins with `target`: first column to second.
    private static func documentedArrows() throws -> [String: Set<String>] {
        let code = #/`([^`]+)`/#
        var arrows: [String: Set<String>] = [:]
        let lines = try text("docs/architecture.md").split(separator: "\n")
        let header = try #require(lines.firstIndex { $0.hasPrefix("| target | knows |") })
        for row in lines[(header + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let columns = row.split(separator: "|", omittingEmptySubsequences: false)
            let name = try #require(columns[1].firstMatch(of: code)).output.1
            arrows[String(name)] = Set(columns[2].matches(of: code).map { String($0.output.1) })
        }
        return arrows
    }

    @Test func theTableOfArchitectureIsPackageSwifts() throws {
        var documented = try Self.documentedArrows()
        #expect(documented.removeValue(forKey: "C…") == [])
        let declared = try Self.declaredArrows()
        #expect(declared.count >= 12, "Package.swift was not understood: \(declared.keys.sorted())")
        #expect(Set(documented.keys) == Set(declared.keys))
        for (target, arrows) in declared {
            #expect(documented[target] == arrows, "docs/architecture.md on \(target)")
        }
    }

    /// SwiftPM may refuse a package as a dependency by version where a target of the product that is used has an unsafe flag.
    @Test func whatTheEngineIsMadeOfHasNoUnsafeFlags() throws {
        let package = try Self.text("Package.swift")
        func body(_ start: String, _ end: String) throws -> Substring {
            let first = try #require(package.range(of: start), "\(start)")
            return package[first.lowerBound...].prefix { _ in true }.components(separatedBy: end)[0][...]
        }
        for part in [try body("let strict:", "\n]"), try body("func library(", "\n}"), try body("let checked:", "\n")] {
            #expect(!part.contains("unsafeFlags"), "\(part)")
        }
        #expect(package.contains("let shims: [CSetting] = sanitized == nil ? [] : "), "flags of sanitizers are for us alone")
        #expect(package.contains(".target(name: \"CLinux\", cSettings: checked + shims),"))
    }

    /// The engine exports the modules whose types its public API names: a program needs no other import.
    @Test func theEngineExportsWhatItsPublicNamesStandFor() throws {
        let folder = Self.root.appending(path: "Sources/AetherEngine")
        let exports = try Self.text("Sources/AetherEngine/Exports.swift")
        let exported = Set(
            exports.matches(of: #/(?m)^@_exported public import (?<module>\w+)$/#).map { String($0.output.module) })
        var named: Set<String> = []
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path))
        where name.hasSuffix(".swift") {
            let text = try Self.text("Sources/AetherEngine/\(name)")
            named.formUnion(
                text.matches(of: #/(?m)^public import (?:[a-z]+ )?(?<module>Aether\w+)/#).map { String($0.output.module) })
            #expect(name == "Exports.swift" || !text.contains("@_exported"), "exports are in one file, not in \(name)")
        }
        #expect(!named.isEmpty && named.isSubset(of: exported), "\(named.subtracting(exported)) must be exported")
    }

    @Test func theReadmeNamesEveryFolderOfSources() throws {
        let readme = try Self.text("README.md")
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        #expect(folders.count >= 12)
        for folder in folders where !folder.hasPrefix("C") && !folder.hasPrefix(".") {
            #expect(readme.contains("`Sources/\(folder)`"), "README.md does not name Sources/\(folder)")
        }
    }

    @Test func architectureNamesEveryFolderOfTheEngine() throws {
        let parts = try Self.text("docs/architecture.md").components(separatedBy: "\n## ")
        let words = try #require(parts.first { $0.hasPrefix("The folders of the engine\n") })
        let named = Set(words.matches(of: #/`([A-Za-z]+)`/#).map { String($0.output.1) })
        let engine = Self.root.appending(path: "Sources/AetherEngine")
        let folders = try FileManager.default.contentsOfDirectory(atPath: engine.path).filter { !$0.contains(".") }
        #expect(folders.count > 10 && Set(folders).subtracting(named).isEmpty)
        #expect(named.subtracting(folders) == ["HouseTests", "AetherEngine"], "a folder that is gone")
    }

    /// Messages in the words of a native speaker: "not a key", no "no key" behind a verb.
    @Test func messagesDoNotSayIsNo() throws {
        let sources = Self.root.appending(path: "Sources")
        let message = #/"[^"\n]*\b(?:is|are|was|were) no (?!longer|more|answer|room|end)[a-z][^"\n]*"/#
        var found: [String] = [], count = 0
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        for case let name as String in files where name.hasSuffix(".swift") {
            for line in try String(contentsOf: sources.appending(path: name), encoding: .utf8).split(separator: "\n") {
                let code = line.drop { $0 == " " }
                count += 1
                if !code.hasPrefix("//"), code.contains(message) { found.append("\(name): \(code)") }
            }
        }
        #expect(found.isEmpty && count > 10_000, "\(found.joined(separator: "\n"))")
    }

    @Test func everyImportIsAnArrow() throws {
        let importing = #/(?m)^(?:public |internal |package )?import (?:struct |class |enum |func )?(?<module>[A-Za-z0-9]+)/#
        let declared = try Self.declaredArrows()
        for (target, arrows) in declared {
            let folder = Self.root.appending(path: "Sources/\(target)")
            guard let files = FileManager.default.enumerator(atPath: folder.path) else {
                Issue.record("no folder \(folder.path)")
                continue
            }
            for case let name as String in files where name.hasSuffix(".swift") {
                for found in try Self.text("Sources/\(target)/\(name)").matches(of: importing) {
                    let module = String(found.output.module)
                    guard module.hasPrefix("Aether") || module.hasPrefix("C") else { continue }
                    #expect(arrows.contains(module), "Sources/\(target)/\(name) imports \(module)")
                }
            }
        }
    }

    /// Full Foundation brings ICU, whose table alone is half of a program (34 MB). FoundationEssentials does without.
    @Test func noSourceImportsFullFoundation() throws {
        let importing = #/(?m)^[^\n/]*\bimport (?:[a-z]+ )?Foundation(?:Internationalization|Networking|XML)?(?![A-Za-z])/#
        #expect("@preconcurrency public import struct Foundation.Date".contains(importing))
        #expect(!"import FoundationEssentials".contains(importing))
        let folder = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }.filter {
            $0.hasSuffix(".swift")
        }
        #expect(files.count > 300)
        for file in files {
            #expect(try !Self.text("Sources/\(file)").contains(importing), "Sources/\(file) imports full Foundation")
        }
    }

    /// The programs of `make build`, where they were built: a linker that keeps what nothing refers to brings ICU back.
    @Test(arguments: ["aether-tui", "aetherctl"])
    func aStaticProgramHoldsNoICU(_ program: String) throws {
        let mark = BytePattern("icudt")
        let library = URL(filePath: "/opt/swift/usr/lib/swift_static/linux/lib_FoundationICU.a")
        // Where the toolchain lies elsewhere, nobody doubts the mark.
        if let known = try? Data(contentsOf: library, options: .alwaysMapped) { #expect(mark.first(in: known) != nil) }
        // Where nothing was built there is nothing to look at.
        guard let bytes = try? Data(contentsOf: Self.root.appending(path: ".build/release/\(program)"), options: .alwaysMapped)
        else {
            print("skipped: no .build/release/\(program)")
            return
        }
        #expect(mark.first(in: bytes) == nil, "\(bytes.count >> 20) MB")
    }

    @Test func theReadmeNamesEverySubcommandOfAetherctl() throws {
        let source = try Self.text("Sources/aetherctl/AetherCtl.swift")
        let list = try #require(source.firstMatch(of: #/subcommands: \[(?<list>[^\]]*)\]/#)).output.list
        let readme = try Self.text("README.md")
        let start = try #require(readme.range(of: "`aetherctl` runs each stage alone"))
        let paragraph = readme[start.lowerBound...].prefix { $0 != "#" }
        let types = list.split { $0 == "," || $0.isWhitespace }.map { String($0.split(separator: ".")[0]) }
        #expect(types.count >= 10)
        for type in types {
            // `AudioDevices` is `audio-devices`.
            let words = type.replacing("Command", with: "").reduce(into: "") { name, letter in
                if letter.isUppercase, !name.isEmpty { name += "-" }
                name += letter.lowercased()
            }
            let isNamed = paragraph.contains("`\(words)") || paragraph.contains("`\(words.replacing("-", with: ""))")
            #expect(isNamed, "README.md on \(words)")
        }
    }

    @Test func theVersionIsTheSameWhereverItIsStated() throws {
        func stated(in path: String, _ place: Regex<(Substring, version: Substring)>) throws -> Substring {
            try #require(try Self.text(path).firstMatch(of: place), "\(path) states no version").output.version
        }
        let program = try stated(in: "Sources/AetherUI/Text/ProgramVersion.swift", #/static let text = "(?<version>[0-9.]+)"/#)
        #expect(try stated(in: "CHANGELOG.md", #/(?m)^## \[(?<version>[0-9.]+)\]/#) == program)
        #expect(try stated(in: "man/aether-tui-ipc.5", #/"event":"hello".*"version":"(?<version>[0-9.]+)"/#) == program)
    }

    @Test func everyEntryOfTheChangelogIsOneLine() throws {
        let lines = try Self.text("CHANGELOG.md").split(separator: "\n")
        let entries = try #require(lines.firstIndex { $0.hasPrefix("## [") })
        for line in lines[entries...] {
            #expect(line.hasPrefix("#") || line.hasPrefix("- ") || line.count < 40, "goes on in a second line: \(line)")
            #expect(line.count <= 130, "too long: \(line)")
        }
        let kinds = Set(lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) })
        #expect(kinds.isSubset(of: ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]))
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "docs"])
    func everyLinkOfTheDocumentsLeadsToAFile(_ place: String) throws {
        let files = FileManager.default
        var pages = [place]
        if !place.hasSuffix(".md") {
            let folder = try #require(files.enumerator(atPath: Self.root.appending(path: place).path))
            pages = folder.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { place + "/" + $0 }
            #expect(pages.count >= 6)
        }
        for page in pages {
            let folder = Self.root.appending(path: page).deletingLastPathComponent()
            for link in try Self.text(page).matches(of: #/\]\((?<target>[^)#:\s]+)(?:#[^)]*)?\)/#) {
                let target = folder.appending(path: String(link.output.target)).standardized
                #expect(files.fileExists(atPath: target.path), "\(page) links to \(link.output.target)")
            }
        }
    }

    /// A page that names a type which is gone misleads whoever looks for it.
    @Test(arguments: ["docs/architecture.md", "docs/glossary.md", "docs/clock.md"])
    func everyTypeAndFileThatADocumentNamesIsThere(_ page: String) throws {
        var known: Set<Substring> = []
        for place in ["Sources", "Tests"] {
            let folder = try #require(FileManager.default.enumerator(atPath: Self.root.appending(path: place).path))
            for case let name as String in folder where name.hasSuffix(".swift") {
                let words = try Self.text("\(place)/\(name)") + " " + name
                known.formUnion(words.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            }
        }
        let named = Set(try Self.text(page).matches(of: #/`(?<type>[A-Z][a-z]+[A-Z][A-Za-z]*)/#).map(\.output.type))
        #expect(named.count >= 5)
        let gone = named.subtracting(known).filter { !$0.hasPrefix("Aether") }.sorted()
        #expect(gone.isEmpty, "\(page) names what is not in the sources")
    }

    /// Folders that name each other's types, or do so by way of others, are one folder in truth.
    @Test(arguments: [
        "AetherUI", "AetherEngine", "AetherMedia", "AetherRender", "AetherTerminal", "AetherSources", "AetherLibrary",
        "AetherCore", "AetherFormats", "AetherDesktop", "AetherServe",
    ])
    func theFoldersOfATargetBuildOnOneAnother(_ target: String) throws {
        let circles = try FolderCircles(of: Self.root.appending(path: "Sources/\(target)"))
        #expect(circles.pairs.isEmpty, "\(circles.pairs.joined(separator: "; "))")
        #expect(circles.tangled.isEmpty, "\(circles.tangled)")
    }

    @Test func aCircleOfFoldersIsSeen() {
        let code = FolderCircles.code(
            of: "struct Inner {} // Outer\nlet a = \"Outer \\(Inner(b: (1))) \\(\"x\")\"\nlet c = b.Outer")
        #expect(code.contains("Inner(b: (1))") && !code.contains("// Outer") && !code.contains("\"Outer"))
        let apart = FolderCircles(sources: [("A", "struct Outer { let a: Inner }"), ("B", code)])
        #expect(apart.pairs.isEmpty && apart.tangled.isEmpty, "a comment, a string and a member are no names")
        let circle = FolderCircles(sources: [("A", "struct Outer { let a: Inner }"), ("B", "struct Inner { var b: [Outer] }")])
        #expect(circle.pairs == ["A names B's Inner, B names A's Outer"] && circle.tangled == ["A", "B"])
        let round = FolderCircles(sources: [
            ("A", "struct One { let a: Two }"), ("B", "struct Two { let a: Three }"), ("C", "struct Three { let a: One }"),
            ("D", "struct Four { let a: One }"),
        ])
        #expect(round.pairs.isEmpty && round.tangled == ["A", "B", "C"])
    }
}
