import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct TitleRowTests {
    /// A film with everything that has a badge.
    private func badged() -> EngineSnapshot {
        var snapshot = film()
        snapshot.hasFirstFrame = true
        snapshot.audioTracks[0].isAtmos = true
        snapshot.sourceVideoFormat = .hdr10
        var telemetry = LiveTelemetry()
        telemetry.renderer = "kitty"
        snapshot.telemetry = telemetry
        return snapshot
    }

    private func words(_ columns: Int) -> [String] {
        TitleRow(model(badged(), columns: columns).scene, columns: columns).words.map(\.text)
    }

    @Test func badgesStandBeforeWhatIsSelectedAndLeaveFirst() {
        let selected = ["HDR10 → SDR", "Audio 1/2 English", "Vol 100 %"]
        #expect(words(120) == [" 720p ", " H.264 ", " Atmos ", " kitty "] + selected)
        #expect(words(86) == [" 720p ", " H.264 ", " Atmos "] + selected)
        #expect(words(72) == [" Atmos "] + selected)
        #expect(words(64) == selected && words(54) == selected)
        #expect(words(36) == ["Vol 100 %"])
    }

    /// On their own ground where there are colours; without, words like the others.
    @Test func badgesWithoutColoursAreWords() {
        let row = TitleRow(model(badged(), columns: 120, hasColor: false).scene, columns: 120)
        #expect(row.words.map(\.text).prefix(4) == ["720p", "H.264", "Atmos", "kitty"] && row.words.allSatisfy { !$0.isBadge })
        let colored = TitleRow(model(badged(), columns: 120).scene, columns: 120).words
        for (left, right) in zip(colored, colored.dropFirst()) {
            let space = right.column - left.column - ChromeText.columns(of: left.text)
            #expect(space == (left.isBadge && right.isBadge ? 1 : 2), "\(left.text) \(right.text)")
        }
    }

    /// Only what comes over a network says how.
    @Test func theNetworkIsABadge() {
        func words(_ scheme: String, _ container: String) -> [String] {
            var snapshot = film()
            snapshot.container = container
            return BarBadges(snapshot, scheme: scheme).words.map(\.text)
        }
        #expect(words("", "hls") == words("", "matroska,webm"))
        #expect(words("https", "mov,mp4").contains("HTTPS") && words("https", "hls").contains("HLS"))
        #expect(words("http", "dash").contains("DASH") && words("\u{1B}]0;x", "mp4").allSatisfy { !$0.contains("\u{1B}") })
        #expect(Playlist(items: [.init(location: .url("HTTPS://example.org/a.mp4"))]).position.scheme == "HTTPS")
    }

    @Test func theChapterStandsBehindAWholeTitleAndOpensTheMenu() {
        let row = TitleRow(model(columns: 80).scene, columns: 80)
        #expect(row.chapter?.text == "Middle" && row.chapter?.column == 11)
        #expect(row.action(at: 12) == .showMenu(.chapters))
        #expect(row.action(at: 3) == .showMenu(.player) && row.action(at: 9) == nil)
        #expect(row.words.first.map { row.action(at: $0.column) } == .showMenu(.audio))
        #expect(TitleRow(model(columns: 44).scene, columns: 44).chapter == nil)
    }

    @Test func aMessageTakesThePlaceOfTitleAndChapter() {
        var snapshot = film()
        snapshot.notice = EngineSnapshot.Notice(number: 1, text: "The file is incomplete")
        let row = TitleRow(model(snapshot).scene, columns: 80)
        #expect(row.title == "The file is incomplete" && row.role == .barNotice && row.chapter == nil)
        #expect(row.words.allSatisfy { row.action(at: $0.column) == nil })
    }

    @Test(arguments: [
        (3840, 1600, "4K"), (4096, 2160, "4K"), (1920, 800, "1080p"), (1440, 1080, "1080p"), (1280, 718, "720p"),
        (1080, 1920, "1080p"),
        (720, 576, "576p"), (320, 240, "240p"), (7680, 4320, "8K"),
    ])
    func aSizeHasItsUsualName(_ width: Int, _ height: Int, _ name: String) {
        #expect(BarBadges.resolution(PixelSize(width: width, height: height)) == name)
    }
}
