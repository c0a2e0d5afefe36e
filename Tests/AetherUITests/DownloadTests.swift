import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// Downloads begun by key: the list, its figures, and files that really come.
@Suite struct DownloadTests {
    private static func entry(
        _ number: Int, _ title: String, _ state: DownloadEntry.State = .running, share: Double = 0.42
    ) -> DownloadEntry {
        var progress = AssetDownloadProgress()
        (progress.duration, progress.finishedDuration) = (.seconds(100), .seconds(100 * share))
        (progress.finishedBytes, progress.expectedBytes, progress.rate) = (42_000_000, 100_000_000, 1_000_000)
        return DownloadEntry(number: number, title: title, folder: "/v/\(title).aepkg", state: state, progress: progress)
    }

    private func opened(_ entries: [DownloadEntry]) -> (model: AppModel, effects: [AppEffect]) {
        var model = model()
        _ = model.update(.playlist(PlaylistPosition(index: 0, count: 1, name: "film.mkv", scheme: "https")), now: at(1))
        let (open, effects) = pressing([KeyStroke("O")], model)
        model = open
        _ = model.update(.downloads(entries), now: at(2))
        return (model, effects)
    }

    @Test func theKeyDownloadsWhatPlaysAndShowsTheList() throws {
        let (model, effects) = opened([Self.entry(1, "The Demo"), Self.entry(2, "Another", .complete)])
        #expect(effects == [.download(.keep)])
        let lines = try rendered(model)
        #expect(lines.contains { $0.contains("The Demo") && $0.contains("42 %, 1.00 MB/s, 0:00:58 left") }, "\(lines)")
        #expect(lines.contains { $0.contains("Another") && $0.contains("complete, 42.00 MB") })
        let closed = pressing([KeyStroke(.escape)], model).0
        #expect(try !rendered(closed).contains { $0.contains("Downloads") })
    }

    @Test func withoutAFileThereIsNothingToDownload() throws {
        var empty = AppModel(
            size: CellSize(columns: 80, rows: 24), capabilities: ChromeCapabilities(isUnicode: true, hasColor: true), now: at(0))
        _ = empty.update(.playlist(PlaylistPosition(count: 0)), now: at(0))
        let effects = empty.update(.action(.keepSource), now: at(1))
        #expect(!effects.contains(.download(.keep)) && empty.message?.text == "No file to download")
    }

    @Test func enterStopsAndGoesOnAndTwoKeysRemove() throws {
        let entries = [Self.entry(1, "One"), Self.entry(2, "Two", .stopped)]
        let (model, _) = opened(entries)
        // The newest is selected.
        #expect(pressing([KeyStroke(.enter)], model).1 == [.download(.turn(2))])
        let first = pressing([KeyStroke(.up)], model).0
        #expect(pressing([KeyStroke(.enter)], first).1 == [.download(.turn(1))])
        let (asked, none) = pressing([KeyStroke("x")], first)
        #expect(none == [])
        #expect(try rendered(asked).contains { $0.contains("x again: remove /v/One.aepkg") })
        #expect(pressing([KeyStroke("x")], asked).1 == [.download(.remove(1))])
        // Any other way on keeps it: another row, Enter, Escape, which leaves the list open.
        #expect(pressing([KeyStroke(.down), KeyStroke(.up), KeyStroke("x")], asked).1 == [])
        let (kept, _) = pressing([KeyStroke(.escape)], asked)
        #expect(try rendered(kept).contains { $0.contains("Enter stop  x remove") })
        #expect(pressing([KeyStroke("x")], kept).1 == [])
    }

    @Test func aSelectionStaysInAListThatGetsShorter() throws {
        var (model, _) = opened([Self.entry(1, "One"), Self.entry(2, "Two")])
        _ = model.update(.downloads([Self.entry(1, "One")]), now: at(3))
        #expect(pressing([KeyStroke(.enter)], model).1 == [.download(.turn(1))])
        _ = model.update(.downloads([]), now: at(4))
        #expect(pressing([KeyStroke(.enter), KeyStroke("x"), KeyStroke("x")], model).1 == [])
        #expect(try rendered(model).contains { $0.contains("No downloads: O downloads what plays from the web") })
    }

    @Test(arguments: [
        (DownloadEntry.State.stopped, "stopped at 42 %"), (.complete, "complete, 42.00 MB"),
        (.failed("the server is away"), "the server is away"), (.running, "42 %, 1.00 MB/s, 0:00:58 left"),
    ])
    func states(_ state: DownloadEntry.State, _ words: String) { #expect(Self.entry(1, "One", state).words == words) }

    @Test func aBroadcastHasNoShareAndNoEnd() {
        var entry = Self.entry(1, "News")
        entry.progress.isLive = true
        #expect(entry.words == "42.00 MB, 1.00 MB/s, live")
    }

    /// Waits for the download's word, never for a time.
    private func settle(_ shelf: DownloadShelf, _ wake: WakeHandle, _ isDone: ([DownloadEntry]) -> Bool) throws -> [String] {
        var sentences = shelf.takeSentences()
        while !isDone(shelf.entries) {
            try #require(wake.wait(until: SystemTime().now() + .seconds(60), now: SystemTime().now), "nobody woke")
            wake.drain()
            sentences += shelf.takeSentences()
        }
        return sentences + shelf.takeSentences()
    }

    @Test func aFileComesIsThereAlreadyAndIsRemoved() throws {
        let film = try Data(
            contentsOf: URL(
                filePath: Fixtures.clip(
                    ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", "-c:v", "mpeg4"], ext: "mkv")))
        let origin = try TestOrigin(["/film.mkv": .bytes(Array(film))]), place = try TemporaryFolder()
        let wake = WakeHandle(), shelf = DownloadShelf(wake: wake)
        let location = MediaLocation.parse(origin.address + "/film.mkv")
        var options = AssetDownloadOptions()
        options.folder = location.packageFolder(titled: "A: film", in: place.url.path)
        #expect(options.folder == place.path("A film.aepkg"))
        #expect(shelf.keep(AssetDownloadConfiguration(asset: location), options, title: "A: film") == "Downloading A: film")
        let sentences = try settle(shelf, wake) { $0.first?.state == .complete }
        #expect(sentences == ["Downloaded A: film to \(place.path("A film.aepkg"))"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.path("A film.aepkg"))
        #expect(kept.contains { $0.hasSuffix(".mkv") }, "\(kept)")
        let asked = origin.requests.count
        #expect(
            shelf.keep(AssetDownloadConfiguration(asset: location), options, title: "A: film") == "A: film is downloaded already")
        #expect(origin.requests.count == asked)
        // The same source goes on in its folder, another one of the same title gets its own.
        #expect(location.packageFolder(titled: "A: film", in: place.url.path) == options.folder)
        let other = MediaLocation.parse(origin.address + "/other.mkv")
        #expect(other.packageFolder(titled: "A: film", in: place.url.path) == place.path("A film 2.aepkg"))
        #expect(shelf.remove(1) == "Removed: A: film" && shelf.entries.isEmpty)
        // The end of removing wakes.
        while FileManager.default.fileExists(atPath: place.path("A film.aepkg")) {
            try #require(wake.wait(until: SystemTime().now() + .seconds(60), now: SystemTime().now), "nobody woke")
            wake.drain()
        }
    }

    @Test func whatIsNotThereIsSaidOnceAndMayBeTriedAgain() throws {
        let origin = try TestOrigin([:]), place = try TemporaryFolder(), wake = WakeHandle(), shelf = DownloadShelf(wake: wake)
        let location = MediaLocation.parse(origin.address + "/gone.mkv")
        var options = AssetDownloadOptions()
        options.folder = place.path("gone.aepkg")
        _ = shelf.keep(AssetDownloadConfiguration(asset: location), options, title: "Gone")
        let sentences = try settle(shelf, wake) { $0.first?.hasFailed == true }
        #expect(sentences.count == 1 && sentences[0].contains("404"), "\(sentences)")
        #expect(shelf.takeSentences().isEmpty)
        let asked = origin.requests.count
        shelf.turn(1)
        _ = try settle(shelf, wake) { _ in origin.requests.count > asked }
        shelf.stop()
    }
}
