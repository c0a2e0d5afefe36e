import AetherCore
import AetherEngine
import AetherFormats
import AetherLibrary
import AetherSources
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// Passwords, tokens and queries reach none of the places where an address becomes text: a test for each place.
@Suite struct SecretPlacesTests {
    /// Long enough for a key that is known by its looks alone.
    private static let secret = "hunter2Hunter2hunter2Hunter2"

    static let addresses = [
        "https://me:\(secret)@example.org/film.mkv",
        "https://\(secret)@example.org/film.mkv",
        "https://example.org/film.mkv?token=\(secret)&t=1",
        // A key whose name says nothing, and one without a name.
        "https://example.org/film.mkv?x=\(secret)",
        "https://example.org/film.mkv?\(secret)",
        "https://example.org/film.mkv?a=1;\(secret)",
        "https://example.org/film.mkv#access_token=\(secret)",
        "https://example.org/key=\(secret)/film.mkv",
        "https://example.org/film.mkv;jwt=\(secret)?a=1",
        "https://example.org/get?u=https%3A%2F%2Fme%3A\(secret)%40example.org%2F",
        "https://example.org/https://me:\(secret)@example.com/film.mkv?x=\(secret)",
        "rtmp://example.org/app token=\(secret)",
        "https://example.org/film.mkv#\(secret)",
        "https://example.org/token/\(secret)/film.mkv",
        "http://example.org/live/me/\(secret)/1.ts",
    ]

    private func expectNone(_ text: String, _ comment: Comment? = nil) {
        #expect(!text.isEmpty && !text.contains(Self.secret), comment ?? "\(text)")
    }

    @Test(arguments: addresses) func theLogHasNone(_ address: String) {
        let log = Log()
        log.add(.error, "net", "\(MediaError(.cannotOpen, "open", subject: address, reason: "it is gone"))")
        // A space ends an address in a sentence: what follows it there is no part of any.
        if !address.contains(" ") { log.add(.error, "ffmpeg", "Opening '\(address)' for reading") }
        for line in log.lines { expectNone(line.text) }
    }

    @Test(arguments: addresses) func errorsHaveNone(_ address: String) {
        expectNone(MediaError(.cannotOpen, "open", subject: address).description)
        guard !address.contains(" ") else { return }
        expectNone(MediaError(.cannotOpen, "open", subject: "x", reason: "\(address) is gone").description)
        expectNone(NetworkFault(.redirection, detail: "to \(address)").sentence)
        expectNone(StreamFault(.badAddress, subject: address).description)
    }

    private func playing(_ address: String) -> (model: AppModel, playlist: Playlist) {
        let playlist = Playlist(items: [.init(location: .parse(address))])
        var snapshot = film()
        snapshot.source = playlist.current.displayName
        (snapshot.metadata, snapshot.phase) = (EngineSnapshot().metadata, .playing)
        var model = model(snapshot)
        _ = model.update(.playlist(playlist.position), now: at(0))
        _ = model.update(.files(playlist.names), now: at(0))
        return (model, playlist)
    }

    @Test(arguments: addresses) func theTitleHasNone(_ address: String) throws {
        let (model, _) = playing(address)
        expectNone(model.title)
        var announcer = TerminalAnnouncer(
            TerminalCapabilities(), environment: ProbeEnvironment(["TERM": "xterm-256color"]), isWanted: true)
        expectNone(String(decoding: announcer.bytes(title: model.title, fraction: nil, isPaused: false), as: UTF8.self))
        try expectNone(rendered(model).joined(separator: "\n"), "the bar")
    }

    /// The names in a query tell what it is for: the history alone keeps them, without their values.
    @Test func nobodyElseSeesThatThereAreNames() throws {
        let address = "https://example.org/film.mkv?quality=hd&user=me#part"
        let (model, playlist) = playing(address)
        let log = Log()
        log.add(.error, "net", "cannot read \(address)")
        let properties = RemoteProperties(snapshot: model.snapshot, playlist: playlist, title: model.title)
        let told =
            try [model.title, playlist.names.joined(), rendered(model).joined(), #require(DesktopPresence.url(.parse(address)))]
            + log.lines.map(\.text) + RemoteProperties.names.map { try #require(properties.value($0)).line }
        for text in told { #expect(!text.contains("quality") && !text.contains("user=") && !text.contains("#part"), "\(text)") }
        #expect(model.title.contains("film.mkv?…"))
        #expect(FileIdentity(of: .url(address)).location.hasSuffix("?quality=***&user=***#***"))
    }

    @Test(arguments: addresses) func theDesktopIsToldNone(_ address: String) throws {
        try expectNone(#require(DesktopPresence.url(.parse(address))))
    }

    @Test(arguments: addresses) func theRemoteControlIsToldNone(_ address: String) throws {
        let (model, playlist) = playing(address)
        let properties = RemoteProperties(snapshot: model.snapshot, playlist: playlist, title: model.title)
        for name in RemoteProperties.names { try expectNone(#require(properties.value(name)).line, "\(name)") }
    }

    @Test(arguments: addresses) func theHistoryKeepsNone(_ address: String) {
        let (model, _) = playing(address)
        let identity = FileIdentity(of: .url(address))
        expectNone(identity.location)
        var file = PlayedFile(.url(address))
        _ = file.follow(film(), title: model.title, now: at(0))
        expectNone(file.progress?.title ?? "")
        // Another key is another file, and none is opened without its key.
        #expect(identity.location.contains(Redaction.mark) && identity.fingerprint != nil)
    }

    /// A page's address is opened again: what names its video is no secret.
    @Test(arguments: [
        "https://example.org/watch?v=dQw4w9WgXcQ&t=10",
        "https://example.org/watch?v=dQw4w9WgXcQ&list=PL0123456789abcdefghijklmnop",
        "https://example.org/films/a.mkv", "https://example.org/get?file=Some.Film.2019.1080p.x265.mkv",
    ])
    func theHistoryKeepsWhatNamesAVideo(_ address: String) {
        #expect(FileIdentity(of: .url(address)).location == address)
    }

    @Test(arguments: addresses.filter { !$0.contains(" ") }) func noticesHaveNone(_ address: String) throws {
        var (model, _) = playing(address)
        _ = model.update(.notice("cannot read \(address): it is gone"), now: at(1))
        var failed = film()
        failed.phase = .error(MediaError(.cannotOpen, "open", subject: address, reason: "no \(address)"))
        _ = model.update(.snapshot(failed), now: at(2))
        #expect(model.notices.entries.count == 2)
        for entry in model.notices.entries { expectNone(entry.text) }
        try expectNone(rendered(model).joined(separator: "\n"), "the screen")
    }

    @Test(arguments: addresses) func telemetryHasNone(_ address: String) throws {
        let pipe = try PipeEnds()
        defer { close(pipe.reader) }
        do {
            var log = TelemetryLog(descriptor: pipe.writer)
            var snapshot = playing(address).model.snapshot
            snapshot.telemetry = LiveTelemetry()
            log.record(snapshot)
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(pipe.reader, &bytes, bytes.count)
        expectNone(String(decoding: bytes[..<max(0, count)], as: UTF8.self))
    }

    @Test(arguments: addresses) func listsHaveNone(_ address: String) {
        let entry = Playlist.item(PlaylistDocument.Entry(location: address), in: "/films/")
        expectNone(Playlist(items: [entry]).names.joined())
        #expect(entry.location == .url(address) || entry.location == .file("/films/" + address))
    }
}
