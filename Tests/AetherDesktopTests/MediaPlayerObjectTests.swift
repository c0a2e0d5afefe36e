import AetherCore
import Foundation
import Testing

@testable import AetherDesktop

@Suite struct MediaPlayerObjectTests {
    private let now = HostTime(nanoseconds: 10_000_000_000)

    private var film: PlayerStatus {
        var status = PlayerStatus()
        status.transport = .playing
        status.track = 3
        (status.title, status.artist) = ("The Demo", "Somebody")
        status.url = "file:///films/demo.mkv"
        status.duration = .seconds(5400)
        (status.position, status.positionAt, status.isMoving) = (.seconds(60), HostTime(nanoseconds: 8_000_000_000), true)
        status.rate = 1.5
        status.canGoNext = true
        status.canSeek = true
        return status
    }

    private func answer(_ interface: String, _ member: String, _ arguments: [BusValue] = [], _ status: PlayerStatus? = nil)
        -> MediaPlayerObject.Outcome
    {
        MediaPlayerObject(status: status ?? film, now: now).answer(
            to: BusConnection.Call(interface: interface, member: member, arguments: arguments))
    }

    private func player(_ member: String, _ arguments: BusValue...) -> DesktopRequest? {
        answer(MediaPlayerObject.player, member, arguments).request
    }

    @Test func theDesktopFileNamesTheSameTypesOfMedia() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../share/aether-tui.desktop")
        let line = try #require(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        #expect(line.dropFirst(9).split(separator: ";").map(String.init) == MediaTypes.all)
        #expect(Set(MediaTypes.all).count == MediaTypes.all.count)
    }

    @Test func theDesktopsWordsAreRequests() {
        #expect(
            player("PlayPause") == .playPause && player("Play") == .play && player("Pause") == .pause && player("Stop") == .stop)
        #expect(player("Next") == .next)
        #expect(player("Previous") == nil, "there is none before the first")
        #expect(player("Seek", .integer(-5_000_000)) == .seek(by: .seconds(-5)))
        #expect(player("Seek", .integer(.max)) == .next, "beyond the end is the next file")
        #expect(player("SetPosition", .path("/org/aethertui/track/3"), .integer(90_000_000)) == .setPosition(.seconds(90)))
        #expect(player("SetPosition", .path("/org/aethertui/track/2"), .integer(90_000_000)) == nil, "of another file")
        #expect(player("SetPosition", .path("/org/aethertui/track/3"), .integer(5_401_000_000)) == nil, "outside")
        #expect(player("OpenUri", .string("file:///a")) == .open("file:///a"))
        #expect(answer(MediaPlayerObject.root, "Quit").request == .quit)
    }

    @Test func whatIsUnknownIsRefused() {
        for (interface, member, arguments) in [
            (MediaPlayerObject.player, "Dance", []), ("org.example", "Play", []), (MediaPlayerObject.player, "Seek", []),
            (MediaPlayerObject.player, "SetPosition", [BusValue.path("/")]),
            (MediaPlayerObject.properties, "Get", [.string(MediaPlayerObject.player), .string("Mood")]),
            (MediaPlayerObject.properties, "Set", [.string(MediaPlayerObject.player), .string("Position"), .integer(1)]),
            (MediaPlayerObject.properties, "Set", [.string(MediaPlayerObject.player), .string("Volume"), .string("loud")]),
        ] {
            let outcome = answer(interface, member, arguments)
            guard case .failure = outcome.answer else {
                Issue.record("\(member) was taken")
                continue
            }
            #expect(outcome.request == nil)
        }
    }

    @Test func propertiesAreSetWithinTheirRange() {
        func set(_ name: String, _ value: BusValue) -> DesktopRequest? {
            answer(MediaPlayerObject.properties, "Set", [.string(MediaPlayerObject.player), .string(name), .variant(value)])
                .request
        }
        #expect(set("Volume", .double(0.5)) == .setVolume(0.5) && set("Volume", .double(9)) == .setVolume(1.5))
        #expect(set("Volume", .double(-1)) == .setVolume(0) && set("Volume", .double(.nan)) == nil)
        #expect(set("Rate", .double(2)) == .setRate(2) && set("Rate", .double(0)) == .pause)
        #expect(
            set("LoopStatus", .string("Playlist")) == .setRepeats(.list)
                && set("LoopStatus", .string("None")) == .setRepeats(.off)
                && set("LoopStatus", .string("Track")) == .setRepeats(.file))
        #expect(set("Shuffle", .bool(true)) == .setShuffles(true))
    }

    @Test func thePositionRunsOnBetweenTwoWordsOfThePlayer() {
        let object = MediaPlayerObject(status: film, now: now)
        #expect(object.property(MediaPlayerObject.player, "Position") == .integer(63_000_000))
        #expect(object.property(MediaPlayerObject.player, "PlaybackStatus") == .string("Playing"))
        var standing = film
        standing.isMoving = false
        #expect(
            MediaPlayerObject(status: standing, now: now).property(MediaPlayerObject.player, "Position") == .integer(60_000_000))
        var atEnd = film
        atEnd.position = .seconds(5399)
        #expect(atEnd.position(at: now) == .seconds(5400))
    }

    @Test func metadataHasWhatIsKnown() throws {
        let metadata = try #require(MediaPlayerObject(status: film, now: now).property(MediaPlayerObject.player, "Metadata"))
        #expect(metadata["mpris:trackid"] == .path("/org/aethertui/track/3"))
        #expect(metadata["mpris:length"] == .integer(5_400_000_000))
        #expect(metadata["xesam:title"] == .string("The Demo") && metadata["xesam:artist"] == .strings(["Somebody"]))
        #expect(metadata["xesam:album"] == nil && metadata["mpris:artUrl"] == nil)
    }

    @Test func onlyWhatChangedIsTold() {
        var later = film
        (later.position, later.positionAt) = (.seconds(63), now)
        #expect(later.isExpected(after: film))
        #expect(MediaPlayerObject(status: later, now: now).changes(since: film) == [])
        later.volume = 0.5
        (later.transport, later.seeks, later.position) = (.paused, 1, .seconds(90))
        let object = MediaPlayerObject(status: later, now: now)
        #expect(!later.isExpected(after: film))
        #expect(
            object.changes(since: film) == [
                BusValue.Entry("PlaybackStatus", .string("Paused")), BusValue.Entry("Volume", .double(0.5)),
            ])
        #expect(object.seeked(since: film) == .seconds(90))
        later.track = 4
        #expect(MediaPlayerObject(status: later, now: now).seeked(since: film) == nil, "another file is no seek")
    }

    @Test func everyPropertyHasAValueAndIsDescribed() {
        let object = MediaPlayerObject(status: PlayerStatus(), now: now)
        for (interface, names) in [
            (MediaPlayerObject.root, MediaPlayerObject.rootProperties),
            (MediaPlayerObject.player, MediaPlayerObject.playerProperties),
        ] {
            for name in names {
                let value = object.property(interface, name)
                #expect(value != nil, "\(name)")
                let line = "<property name=\"\(name)\" type=\"\(value?.signature ?? "")\""
                #expect(MediaPlayerDescription.xml.contains(line), "\(line)")
            }
        }
    }
}
