import AetherCore
import AetherDesktop
import AetherEngine
import AetherFormats
import AetherSources

/// An order that does not come from the keyboard, but from a remote control, or the desktop. Pure words; the app carries them out.
enum RemoteOrder: Sendable, Equatable {
    case action(PlayerAction)
    case command(PlayerCommand)
    case load(MediaLocation, Playlist.Place)
    /// From 0.
    case goToFile(Int)
    /// A file out of the list, from 0.
    case remove(Int)
    /// A file to another place in the list, both from 0.
    case move(Int, to: Int)
    case setRepeats(RepeatMode)
    case setShuffles(Bool)
    /// The channel of a number.
    case zap(Int)
    /// Stand at the start.
    case stop
    /// Tell the clients of this key by a name; nil: it is the player's again.
    case bind(KeyStroke, String?)
    /// These lines in a pane; none: it closes.
    case pane([String])
    /// Show this.
    case notice(String)
    case quit

    /// The order of a desktop's request for a file that begins at `start`.
    init(_ request: DesktopRequest, start: MediaTime) {
        switch request {
        case .play: self = .command(.play)
        case .pause: self = .command(.pause)
        case .playPause: self = .action(.togglePause)
        case .stop: self = .stop
        case .next: self = .action(.stepFile(1))
        case .previous: self = .action(.stepFile(-1))
        case .quit: self = .quit
        case .seek(let span): self = .command(.skip(by: span, .exact))
        case .setPosition(let span): self = .command(.seek(to: start + span, .exact))
        case .setVolume(let volume): self = .command(.set(.volume(volume)))
        case .setRate(let rate): self = .command(.set(.rate(rate)))
        case .setRepeats(let mode): self = .setRepeats(mode)
        case .setShuffles(let shuffles): self = .setShuffles(shuffles)
        // The desktop knows of no standard input: that is the keyboard's here.
        case .open(let uri): self = .load(uri == "-" ? .file(uri) : .parse(uri), .instead)
        }
    }
}

extension RemoteOrder {
    /// The reason why the channels do not have what the order is about; nil where they do.
    func obstacle(in television: Television?) -> String? {
        switch self {
        case .zap(let number):
            guard let list = television?.book.list else { return translated("no list of channels is open") }
            return list.index(ofNumber: number) == nil ? translated("no channel \(number)") : nil
        case .action(.toggleChannels), .action(.toggleGuide), .action(.stepChannel), .action(.lastChannel),
            .action(.toggleFavourite), .action(.toggleMosaic):
            return television == nil ? translated("no list of channels is open") : nil
        default: return nil
        }
    }

    /// The reason why the source does not have what the order is about; nil where it does.
    func obstacle(in snapshot: EngineSnapshot) -> String? {
        guard case .command(.selectVariant(let id, _)) = self else { return nil }
        guard let id else { return snapshot.offersAdaptation ? nil : translated("the player has nothing to choose by here") }
        return snapshot.variants.contains { $0.id == id } ? nil : translated("no such quality")
    }

    /// The reason why the list does not have what the order is about; nil where it does.
    func obstacle(in playlist: Playlist) -> String? {
        func missing(_ index: Int) -> String? {
            let count = playlist.items.count
            return playlist.items.indices.contains(index)
                ? nil
                : count == 1
                    ? translated("no file \(index + 1): the list has one")
                    : translated("no file \(index + 1): the list has \(count)")
        }
        switch self {
        case .goToFile(let index): return missing(index)
        case .remove(let index):
            return missing(index)
                ?? (index == playlist.index ? translated("file \(index + 1) plays: it cannot be taken out") : nil)
        case .move(let index, let target): return missing(index) ?? missing(target)
        case .action(.stepFile(let count)):
            if playlist.items.count == 1, playlist.currentItem.channel != nil { return nil }
            var rest = playlist
            return rest.step(count) ? nil : translated("the list ends here")
        default: return nil
        }
    }
}

/// The words of the remote control: `{"command": ["seek", 63.5]}`.
enum RemoteCommands {
    /// The values of a word, and its meaning.
    struct Word: Sendable {
        let name: String
        private let values: Phrase
        let order: @Sendable ([JSON], MediaTime) -> RemoteOrder?

        init(name: String, takes values: Phrase, order: @escaping @Sendable ([JSON], MediaTime) -> RemoteOrder?) {
            (self.name, self.values, self.order) = (name, values, order)
        }

        /// For error texts, in the language of the person: "seconds"; "" for no value.
        var takes: String { translated(values) }
    }

    /// The reason why there is no order.
    struct Problem: Error, Equatable {
        let reason: String
    }

    /// `start` is where the file's time begins. Numbers may be texts, as a shell has them.
    static func order(_ name: String, _ values: [JSON], start: MediaTime) throws(Problem) -> RemoteOrder {
        guard let word = words.first(where: { $0.name == name }) else {
            throw Problem(
                reason: translated("\(DisplayText.singleLine(name, limit: 40)) is not a command")
                    + ConfigError.suggestion(for: name, among: words.map(\.name)))
        }
        guard let order = word.order(values, start) else {
            throw Problem(
                reason: word.takes.isEmpty ? translated("\(name) takes no value") : translated("\(name) takes \(word.takes)"))
        }
        return order
    }

    static let words: [Word] = [
        plain("play", .command(.play)), plain("pause", .command(.pause)), plain("toggle-pause", .action(.togglePause)),
        plain("stop", .stop), plain("quit", .quit), plain("loop", .command(.markLoop)),
        Word(name: "seek", takes: phrase("seconds from the start, and exact or keyframe")) { values, start in
            timed(values) { .seek(to: start + max(.zero, $0), $1) }
        },
        Word(name: "skip", takes: phrase("seconds, negative for back, and exact or keyframe")) { values, _ in
            timed(values) { .skip(by: $0, $1) }
        },
        Word(name: "seek-percent", takes: phrase("0 to 100")) { values, _ in
            number(values, 0...100).map { .command(.seekToFraction($0 / 100)) }
        },
        Word(name: "frame", takes: phrase("1 or -1")) { values, _ in
            number(values, -1...1).flatMap { abs($0) == 1 ? .command(.stepFrame(Int($0))) : nil }
        },
        Word(name: "chapter", takes: phrase("1 or -1")) { values, _ in
            number(values, -1...1).flatMap { abs($0) == 1 ? .command(.stepChapter(Int($0))) : nil }
        },
        Word(name: "file", takes: phrase("1 or -1")) { values, _ in
            number(values, -1...1).flatMap { abs($0) == 1 ? .action(.stepFile(Int($0))) : nil }
        },
        Word(name: "go-to-file", takes: phrase("a number from 1")) { values, _ in
            guard values.count == 1, let number = values[0].integer, number >= 1 else { return nil }
            return .goToFile(number - 1)
        },
        Word(name: "quality", takes: phrase("the id of a quality, or auto, and border or now")) { values, _ in
            guard let id = values.first?.text, !id.isEmpty, values.count <= 2 else { return nil }
            let turn = values.count == 2 ? values[1].text.flatMap { VariantTurn(rawValue: $0) } : .atBorder
            return turn.map { .command(.selectVariant(id == "auto" ? nil : id, $0)) }
        },
        Word(name: "zap", takes: phrase("the number of a channel")) { values, _ in
            guard values.count == 1, let number = values[0].integer, number >= 0 else { return nil }
            return .zap(number)
        },
        Word(name: "channel", takes: phrase("1 or -1")) { values, _ in
            number(values, -1...1).flatMap { abs($0) == 1 ? .action(.stepChannel(Int($0))) : nil }
        },
        plain("channel-list", .action(.toggleChannels)), plain("guide", .action(.toggleGuide)),
        plain("last-channel", .action(.lastChannel)),
        Word(name: "load", takes: phrase("a file or URL, and replace, next or append")) { values, _ in
            guard let name = values.first?.text, !name.isEmpty, name != "-", values.count <= 2 else { return nil }
            let places: [String: Playlist.Place] = ["replace": .instead, "next": .next, "append": .atEnd]
            return places[values.count == 2 ? values[1].text ?? "" : "replace"].map { .load(.parse(name), $0) }
        },
        Word(name: "remove", takes: phrase("the number of a file, from 1")) { values, _ in
            guard values.count == 1, let number = values[0].integer, number >= 1 else { return nil }
            return .remove(number - 1)
        },
        Word(name: "move", takes: phrase("the number of a file, from 1, and the number that it gets")) { values, _ in
            guard values.count == 2, let from = values[0].integer, let to = values[1].integer, from >= 1, to >= 1 else {
                return nil
            }
            return .move(from - 1, to: to - 1)
        },
        Word(name: "add-subtitles", takes: phrase("a file or URL")) { values, _ in
            guard values.count == 1, let name = values[0].text, !name.isEmpty, name != "-" else { return nil }
            return .command(.addSubtitles(ExternalSubtitleTrack(.parse(name))))
        },
        Word(name: "add-audio", takes: phrase("a file or URL")) { values, _ in
            guard values.count == 1, let name = values[0].text, !name.isEmpty, name != "-" else { return nil }
            return .command(.addAudio(ExternalAudioTrack(.parse(name))))
        },
        Word(name: "record", takes: phrase("a file")) { values, _ in
            guard values.count == 1, let name = values[0].text, !name.isEmpty else { return nil }
            return .command(.startRecording(RecordingOrder(path: name)))
        },
        plain("end-recording", .command(.stopRecording)),
        Word(name: "bind", takes: phrase("a key, and the name that the event has, or none for the player's own meaning")) {
            values, _ in
            guard let key = values.first?.text, values.count <= 2, let strokes = KeyName.strokes(key), strokes.count == 1 else {
                return nil
            }
            guard values.count == 2 else { return .bind(strokes[0], nil) }
            return values[1].text.flatMap { $0.isEmpty || $0.utf8.count > 100 ? nil : .bind(strokes[0], $0) }
        },
        Word(name: "pane", takes: phrase("lines of text, or none to close it")) { values, _ in
            let lines = values.compactMap(\.text)
            guard lines.count == values.count, lines.count <= 40 else { return nil }
            return .pane(lines.map { DisplayText.singleLine($0, limit: 200) })
        },
        Word(name: "show", takes: phrase("a text")) { values, _ in
            guard values.count == 1, let text = values[0].text else { return nil }
            return .notice(DisplayText.singleLine(text, limit: 200))
        },
    ]

    private static func plain(_ name: String, _ order: RemoteOrder) -> Word {
        Word(name: name, takes: "") { values, _ in values.isEmpty ? order : nil }
    }

    private static func number(_ values: [JSON], _ range: ClosedRange<Double>) -> Double? {
        guard values.count == 1, let number = values[0].number, range.contains(number) else { return nil }
        return number
    }

    /// A year is longer than any source.
    private static let longest = 366.0 * 86_400

    private static func timed(_ values: [JSON], _ command: (TimeSpan, SeekPrecision) -> PlayerCommand) -> RemoteOrder? {
        guard let seconds = values.first?.number, abs(seconds) <= longest, values.count <= 2 else { return nil }
        switch values.count == 2 ? values[1].text : "exact" {
        case "exact": return .command(command(.seconds(seconds), .exact))
        case "keyframe": return .command(command(.seconds(seconds), .keyframe))
        default: return nil
        }
    }
}
