import AetherCore

/// The object that MPRIS asks of a player (specification 2.2, interfaces MediaPlayer2 and MediaPlayer2.Player), without a bus: what a
/// property says, what a call means, what has changed. Pure.
struct MediaPlayerObject {
    static let path = "/org/mpris/MediaPlayer2"
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// The outcome of a call: an answer, and perhaps a request.
    struct Outcome: Equatable {
        let answer: BusConnection.Answer
        var request: DesktopRequest?
    }

    let status: PlayerStatus
    let now: HostTime

    // MARK: Properties

    static let rootProperties = [
        "CanQuit", "CanRaise", "HasTrackList", "Identity", "DesktopEntry", "SupportedUriSchemes", "SupportedMimeTypes",
    ]
    static let playerProperties = [
        "PlaybackStatus", "LoopStatus", "Rate", "Shuffle", "Metadata", "Volume", "Position", "MinimumRate", "MaximumRate",
        "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl",
    ]

    func property(_ interface: String, _ name: String) -> BusValue? {
        interface == Self.root ? rootProperty(name) : interface == Self.player ? playerProperty(name) : nil
    }

    private func rootProperty(_ name: String) -> BusValue? {
        switch name {
        case "CanQuit": .bool(true)
        case "CanRaise", "HasTrackList": .bool(false)
        case "Identity": .string("aether-tui")
        case "DesktopEntry": .string("aether-tui")
        case "SupportedUriSchemes": .strings(["file", "http", "https"])
        case "SupportedMimeTypes": .strings(MediaTypes.all)
        default: nil
        }
    }

    private func playerProperty(_ name: String) -> BusValue? {
        switch name {
        case "PlaybackStatus": .string(status.transport.rawValue)
        case "LoopStatus": .string(Self.loopStatus(status.repeats))
        case "Rate": .double(status.rate)
        case "Shuffle": .bool(status.shuffles)
        case "Metadata": .dictionary(metadata)
        case "Volume": .double(status.volume)
        case "Position": .integer(Self.microseconds(status.position(at: now)))
        case "MinimumRate": .double(0.25)
        case "MaximumRate": .double(4)
        case "CanGoNext": .bool(status.canGoNext)
        case "CanGoPrevious": .bool(status.canGoPrevious)
        case "CanSeek": .bool(status.canSeek)
        case "CanPlay", "CanPause", "CanControl": .bool(true)
        default: nil
        }
    }

    /// The object path that names the present file.
    var trackPath: String { "/org/aethertui/track/\(status.track)" }

    private var metadata: [BusValue.Entry] {
        var entries = [BusValue.Entry("mpris:trackid", .path(trackPath))]
        if let duration = status.duration { entries.append(.init("mpris:length", .integer(Self.microseconds(duration)))) }
        if !status.title.isEmpty { entries.append(.init("xesam:title", .string(status.title))) }
        if !status.artist.isEmpty { entries.append(.init("xesam:artist", .strings([status.artist]))) }
        if !status.album.isEmpty { entries.append(.init("xesam:album", .string(status.album))) }
        if let url = status.url { entries.append(.init("xesam:url", .string(url))) }
        if let art = status.artURL { entries.append(.init("mpris:artUrl", .string(art))) }
        return entries
    }

    private static func loopStatus(_ mode: RepeatMode) -> String {
        switch mode {
        case .off: "None"
        case .list: "Playlist"
        case .file: "Track"
        }
    }

    static func microseconds(_ span: TimeSpan) -> Int64 { span.nanoseconds / 1000 }

    private static func span(microseconds: Int64) -> TimeSpan {
        let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return TimeSpan(nanoseconds: overflow ? (microseconds < 0 ? .min : .max) : nanoseconds)
    }

    /// The properties whose values have changed, for the desktop. The position is asked for, never told.
    func changes(since earlier: PlayerStatus) -> [BusValue.Entry] {
        let before = MediaPlayerObject(status: earlier, now: now)
        return Self.playerProperties.compactMap { name in
            guard name != "Position", let value = playerProperty(name), value != before.playerProperty(name) else { return nil }
            return BusValue.Entry(name, value)
        }
    }

    /// The position of the last seek since then; nil: there was none in this file.
    func seeked(since earlier: PlayerStatus) -> TimeSpan? {
        status.track == earlier.track && status.seeks != earlier.seeks ? status.position(at: now) : nil
    }

    // MARK: Calls

    func answer(to call: BusConnection.Call) -> Outcome {
        switch call.interface {
        case Self.properties: return answerProperties(call)
        case Self.introspectable where call.member == "Introspect":
            return Outcome(answer: .values([.string(MediaPlayerDescription.xml)]))
        case Self.root:
            switch call.member {
            case "Quit": return done(.quit)
            case "Raise": return done(nil)
            default: return unknown(call)
            }
        case Self.player: return answerPlayer(call)
        default: return unknown(call)
        }
    }

    private func answerPlayer(_ call: BusConnection.Call) -> Outcome {
        switch call.member {
        case "Play": return done(.play)
        case "Pause": return done(.pause)
        case "PlayPause": return done(.playPause)
        case "Stop": return done(.stop)
        case "Next": return done(status.canGoNext ? .next : nil)
        case "Previous": return done(status.canGoPrevious ? .previous : nil)
        case "Seek":
            guard let offset = call.arguments.first?.integer else { return invalid("Seek takes microseconds") }
            return done(seek(by: Self.span(microseconds: offset)))
        case "SetPosition":
            guard call.arguments.count == 2, let track = call.arguments[0].text, let place = call.arguments[1].integer else {
                return invalid("SetPosition takes a track and microseconds")
            }
            // The specification: what is meant for another track, or lies outside of this one, is ignored.
            let target = Self.span(microseconds: place)
            let isInside = target >= .zero && status.duration.map { target <= $0 } ?? true
            return done(track == trackPath && isInside && status.canSeek ? .setPosition(target) : nil)
        case "OpenUri":
            guard let uri = call.arguments.first?.text, !uri.isEmpty else { return invalid("OpenUri takes a URI") }
            return done(.open(uri))
        default: return unknown(call)
        }
    }

    /// Beyond the end is the next file.
    private func seek(by offset: TimeSpan) -> DesktopRequest? {
        guard status.canSeek else { return nil }
        if let duration = status.duration, status.position(at: now) + offset > duration { return status.canGoNext ? .next : nil }
        return .seek(by: offset)
    }

    private func answerProperties(_ call: BusConnection.Call) -> Outcome {
        let texts = call.arguments.map { $0.text ?? "" }
        switch (call.member, call.arguments.count) {
        case ("Get", 2):
            guard let value = property(texts[0], texts[1]) else { return noProperty(texts[1]) }
            return Outcome(answer: .values([.variant(value)]))
        case ("GetAll", 1):
            let names = texts[0] == Self.root ? Self.rootProperties : texts[0] == Self.player ? Self.playerProperties : []
            let entries = names.compactMap { name in property(texts[0], name).map { BusValue.Entry(name, $0) } }
            return Outcome(answer: .values([.dictionary(entries)]))
        case ("Set", 3):
            guard texts[0] == Self.player, playerProperty(texts[1]) != nil else { return noProperty(texts[1]) }
            return set(texts[1], call.arguments[2].content)
        default: return unknown(call)
        }
    }

    private func set(_ name: String, _ value: BusValue) -> Outcome {
        switch name {
        case "Volume":
            guard let volume = value.number, volume.isFinite else { return invalid("Volume is a number") }
            return done(.setVolume(min(max(volume, 0), 1.5)))
        case "Rate":
            guard let rate = value.number, rate.isFinite else { return invalid("Rate is a number") }
            // The specification: 0 means pause.
            return done(rate == 0 ? .pause : .setRate(min(max(rate, 0.25), 4)))
        case "LoopStatus":
            guard let mode = RepeatMode.allCases.first(where: { Self.loopStatus($0) == value.text }) else {
                return invalid("LoopStatus is None, Track or Playlist")
            }
            return done(.setRepeats(mode))
        case "Shuffle":
            guard let flag = value.bool else { return invalid("Shuffle is true or false") }
            return done(.setShuffles(flag))
        default: return Outcome(answer: .failure("org.freedesktop.DBus.Error.PropertyReadOnly", "\(name) can only be read"))
        }
    }

    private func done(_ request: DesktopRequest?) -> Outcome { Outcome(answer: .values([]), request: request) }

    private func invalid(_ text: String) -> Outcome {
        Outcome(answer: .failure("org.freedesktop.DBus.Error.InvalidArgs", text))
    }

    private func noProperty(_ name: String) -> Outcome {
        Outcome(answer: .failure("org.freedesktop.DBus.Error.UnknownProperty", "unknown property \(name)"))
    }

    private func unknown(_ call: BusConnection.Call) -> Outcome {
        Outcome(
            answer: .failure("org.freedesktop.DBus.Error.UnknownMethod", "unknown method \(call.interface).\(call.member)"))
    }
}
