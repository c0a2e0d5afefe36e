import AetherTestSupport
import Foundation
import Testing

/// The engine's public API is recorded for each version: a change of it is seen, and told to hosts.
@Suite struct PublicAPITests {
    private static let folder = Shared.checkout.appending(path: "docs/api")

    /// The sections of the changelog by their versions, the newest first.
    private static func sections() throws -> [(version: APIChange.Version, name: String, text: String)] {
        let log = try String(contentsOf: Shared.checkout.appending(path: "CHANGELOG.md"), encoding: .utf8)
        return log.components(separatedBy: "\n## [").dropFirst().compactMap { section in
            let name = String(section.prefix { $0 != "]" })
            return APIChange.Version(name).map { ($0, name, section) }
        }
    }

    @Test func theRecordIsWhatIsBuilt() throws {
        let api = try PublicAPI.built(), version = try #require(try Self.sections().first?.name)
        #expect(api.lines.count > 500 && api.lines.contains("AetherEngine: final class AetherEngine"))
        let missing = api.undocumented
        #expect(missing.isEmpty, "public names without a comment")
        let file = Self.folder.appending(path: "\(version).txt")
        if ProcessInfo.processInfo.environment["AETHER_RECORD_API"] != nil {
            let head = "# The public names of AetherEngine \(version). Made by `make api`.\n"
            try (head + api.lines.sorted().joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        let record = PublicAPI(record: try String(contentsOf: file, encoding: .utf8))
        let new = api.lines.subtracting(record.lines).sorted(), gone = record.lines.subtracting(api.lines).sorted()
        #expect(new.isEmpty && gone.isEmpty, "the API is another one: tell of it in CHANGELOG.md, then `make api`")
    }

    @Test func eachRecordedVersionSaysWhatItChanges() throws {
        let sections = try Self.sections()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".txt") }
        let records = try names.map { name in
            let version = try #require(APIChange.Version(name.dropLast(4)), "\(name)")
            let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            return (version: version, api: PublicAPI(record: text))
        }.sorted { $0.version < $1.version }
        #expect(records.last?.version == sections.first?.version)
        for (former, next) in zip(records, records.dropFirst()) {
            let section = try #require(sections.first { $0.version == next.version }, "a version without its section")
            #expect(APIChange(from: former, to: next).flaws(changelog: section.text) == [])
        }
    }

    private static let kept = "Player: struct Player", played = "Player.play(): func play()"

    @Test(
        arguments: [
            ("0.2.0", "0.2.1", [kept], [kept], "", 0),
            // New names.
            ("0.2.0", "0.3.0", [kept], [kept, played], "- `Player` plays", 0),
            ("0.2.0", "0.3.0", [kept], [kept, played], "- plays", 1),
            ("0.2.0", "0.2.1", [kept], [kept, played], "- `Player.play` plays", 1),
            ("1.2.0", "1.3.0", [kept], [kept, played], "- `Player` plays", 0),
            ("1.2.0", "1.2.1", [kept], [kept, played], "- `Player` plays", 1),
            // Names that go, or are declared otherwise.
            ("0.2.0", "0.3.0", [kept, played], [kept], "- `Player` plays no more", 0),
            ("1.2.0", "1.3.0", [kept, played], [kept], "- `Player` plays no more", 1),
            ("1.2.0", "2.0.0", [kept, played], [kept], "- `Player` plays no more", 0),
            ("1.2.0", "1.3.0", [kept], ["Player: final class Player"], "", 2),
        ] as [(String, String, Set<String>, Set<String>, String, Int)])
    func versionsFollowTheRules(
        _ old: String, _ new: String, _ before: Set<String>, _ after: Set<String>, _ changelog: String, _ flaws: Int
    ) throws {
        let change = APIChange(
            from: (try #require(APIChange.Version(old)), PublicAPI(lines: before)),
            to: (try #require(APIChange.Version(new)), PublicAPI(lines: after)))
        #expect(change.flaws(changelog: changelog).count == flaws)
    }

    @Test func whatIsNoVersionIsNone() {
        #expect(APIChange.Version("Unreleased") == nil && APIChange.Version("1.2") == nil && APIChange.Version("1..2") == nil)
    }
}
