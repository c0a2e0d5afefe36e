import AetherFormats
import Testing

@testable import AetherEngine

/// The segments of a list that are fetched because a folder lacks them.
@Suite struct RenditionWorkTests {
    private static let part = DownloadPlan.Part(rendition: "r", group: "g", kind: .video, auxiliary: nil)

    private static func list(_ durations: [Double], first: Int = 0, map: String? = "i.mp4") throws -> any SegmentIndex {
        let head = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + (map.map { "#EXT-X-MAP:URI=\"\($0)\"\n" } ?? "")
        let lines = durations.enumerated().map { "#EXTINF:\($1),\n\(first + $0).m4s\n" }
        let address = try #require(StreamAddress("https://h/l.m3u8"))
        return try HLSPlaylist(Array((head + lines.joined() + "#EXT-X-ENDLIST\n").utf8), address: address).segmentList().segments
    }

    /// A folder in which these files of a list are finished.
    private static func journal(_ list: any SegmentIndex, finished: Set<Int>) -> PackageJournal {
        var journal = PackageJournal(), work = RenditionWork(part, folder: 1, journal: journal, isLive: false)
        for (place, job) in work.jobs(list, journal).enumerated() where finished.contains(place) {
            var entry = job.entry
            entry.file = "s\(entry.number).m4s"
            journal.take(entry)
        }
        return journal
    }

    @Test func anEmptyFolderNeedsAllOfIt() throws {
        let list = try Self.list([2, 2, 1.5])
        var work = RenditionWork(Self.part, folder: 1, journal: PackageJournal(), isLive: false)
        let jobs = work.jobs(list, PackageJournal())
        #expect(jobs.map(\.entry.kind) == [.map, .segment, .segment, .segment])
        #expect(jobs.dropFirst().map(\.entry.start) == [0, 2_000_000_000, 4_000_000_000])
        #expect(work.jobs(list, PackageJournal()).isEmpty)
    }

    @Test(arguments: [0, 7]) func whatIsThereIsFoundByItsTimeWhateverItsNumber(_ first: Int) throws {
        let journal = Self.journal(try Self.list([2, 2, 2, 1.5]), finished: [0, 1, 3])
        var work = RenditionWork(Self.part, folder: 1, journal: journal, isLive: false)
        let jobs = work.jobs(try Self.list([2, 2, 2, 1.5], first: first), journal)
        #expect(!work.mustBeginAnew && work.missingMaps().isEmpty)
        #expect(jobs.map(\.entry.start) == [2_000_000_000, 6_000_000_000])
        // None of the names that are taken.
        #expect(Set(jobs.map(\.entry.number)).isDisjoint(with: journal.list(1).map(\.number)))
    }

    @Test func anInitSectionThatIsNotThereIsAskedForAlone() throws {
        let list = try Self.list([2, 2]), journal = Self.journal(list, finished: [1, 2])
        var work = RenditionWork(Self.part, folder: 1, journal: journal, isLive: false)
        #expect(work.jobs(list, journal).isEmpty)
        #expect(work.missingMaps().map(\.entry.kind) == [.map])
    }

    @Test(arguments: [[2, 2.5, 1.5], [6], [3, 3]] as [[Double]]) func aListOfOtherSegmentsBeginsAnew(_ durations: [Double]) throws
    {
        let journal = Self.journal(try Self.list([2, 2, 2, 1.5]), finished: [0, 1, 2, 3])
        var work = RenditionWork(Self.part, folder: 1, journal: journal, isLive: false)
        _ = work.jobs(try Self.list(durations), journal)
        #expect(work.mustBeginAnew)
    }
}
