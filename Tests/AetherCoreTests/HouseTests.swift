import Foundation
import Testing

/// The documents that say which target may know which, against Package.swift.
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

    @Test func theReadmeNamesEveryFolderOfSources() throws {
        let readme = try Self.text("README.md")
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        #expect(folders.count >= 12)
        for folder in folders where !folder.hasPrefix("C") && !folder.hasPrefix(".") {
            #expect(readme.contains("`Sources/\(folder)`"), "README.md does not name Sources/\(folder)")
        }
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
}
