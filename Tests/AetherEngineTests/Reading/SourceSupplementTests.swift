import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Facts of a source that the host knows beside the source's own.
@Suite struct SourceSupplementTests {
    private func description() throws -> SourceDescription {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
        let demuxer = try Demuxer(MediaInput(.location(.file(path)), interrupt: Interrupt()), interrupt: Interrupt())
        return SourceDescription(demuxer.info, traits: .file)
    }

    @Test func chaptersAndQualitiesOfThePageAreThoseOfTheSource() throws {
        var supplement = SourceSupplement()
        supplement.chapters = [
            .init(name: "One\u{1B}", start: .zero, end: .seconds(1)), .init(name: "", start: .seconds(1), end: .seconds(2)),
        ]
        let variants = ["a", "b"].map { MediaVariant(id: $0, badges: ["720p"], size: nil, peakBitRate: nil, codecs: []) }
        (supplement.variants, supplement.activeVariant) = (variants, "b")
        let plain = try description(), full = plain.supplemented(by: supplement)
        #expect(full.info.chapters.map(\.name) == ["One", ""])
        #expect(full.info.chapters.last?.start == plain.info.startTime + .seconds(1))
        #expect(full.variants == SourceVariants(list: variants, active: "b"))
        #expect(plain.supplemented(by: SourceSupplement()).variants == nil)
    }

    @Test func whatTheSourceSaysItselfCounts() throws {
        var plain = try description()
        plain.info.chapters = [ChapterInfo(id: 0, name: "Own", start: plain.info.startTime, duration: .seconds(1))]
        plain.variants = SourceVariants(list: [], active: "own")
        var supplement = SourceSupplement()
        supplement.chapters = [.init(name: "One", start: .zero, end: .seconds(1))]
        supplement.variants = ["a", "b"].map { MediaVariant(id: $0, badges: [], size: nil, peakBitRate: nil, codecs: []) }
        supplement.activeVariant = "a"
        let full = plain.supplemented(by: supplement)
        #expect(full.info.chapters.map(\.name) == ["Own"] && full.variants?.active == "own")
    }
}
