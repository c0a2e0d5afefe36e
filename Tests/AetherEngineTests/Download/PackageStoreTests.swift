import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// A package whose download was killed between two of its steps.
@Suite struct PackageStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let bytes: [UInt8] = Array(0..<200)

    private static var entry: PackageEntry {
        var entry = PackageEntry(.segment, rendition: 1, number: 7)
        (entry.duration, entry.size, entry.file) = (2_000_000_000, Int64(bytes.count), "s7.ts")
        return entry
    }

    /// Leaves a draft of so many bytes behind, and the line of the whole one.
    private func kill(after count: Int) throws {
        let store = try PackageStore.open(folder.path("p")).store
        try store.folder.replace(PackageName.index, with: PackageIndex(title: "A", source: "b").text)
        try store.folder.makeFolder("r1")
        let draft = try store.draft(Self.entry)
        try draft.write(Array(Self.bytes.prefix(count)))
        try store.note(Self.entry.line)
    }

    @Test func aWholeDraftThatIsInTheJournalGetsItsName() throws {
        try kill(after: Self.bytes.count)
        let (store, journal, _) = try PackageStore.open(folder.path("p"))
        #expect(journal.segments[1]?[7] == Self.entry)
        #expect(try store.folder.read("r1/s7.ts", limit: 1000) == Self.bytes)
    }

    @Test func aDraftThatIsCutOffIsFetchedAgain() throws {
        try kill(after: 50)
        let (store, journal, _) = try PackageStore.open(folder.path("p"))
        #expect(journal.segments[1]?[7] == nil && store.folder.size("r1/s7.ts") == nil)
    }

    @Test func aFolderWithAJournalAloneIsAPackageAndOneWithOtherThingsIsNone() throws {
        _ = try PackageStore.open(folder.path("p"))
        _ = try PackageStore.open(folder.path("p"))
        _ = try PackageFolder(folder.path("other")).create("letter.txt")
        #expect(throws: MediaError.self) { _ = try PackageStore.open(folder.path("other")) }
    }
}
