import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTerminal
import Foundation

@testable import AetherUI

/// A screen that every pane is drawn on: a size, what the terminal can show, and what the words of the file are like.
struct ScreenShape: Sendable {
    /// Names for titles, tracks, chapters, files and subtitles.
    enum Words: Sendable {
        case plain, wide, endless, rightToLeft

        /// A name; `number` tells it from the others.
        func name(_ number: Int) -> String {
            switch self {
            case .plain: ["The Demo", "Commentary", "Middle", "Night"][number % 4]
            case .wide: ["昨日の夜はどこにいたの", "解説", "真ん中", "夜 한국어"][number % 4]
            // 1000 characters: words, and one that has no place to break.
            case .endless: number % 2 == 0 ? String(repeating: "word ", count: 200) : String(repeating: "x", count: 1000)
            case .rightToLeft: ["שלום עולם", "تعليق (2)", "אמצע 12", "Night לילה"][number % 4]
            }
        }
    }

    let name: String
    let columns, rows: Int
    var isUnicode = true
    var words = Words.plain

    static let all = [
        ScreenShape(name: "80x24", columns: 80, rows: 24), ScreenShape(name: "40x12", columns: 40, rows: 12),
        ScreenShape(name: "200x60", columns: 200, rows: 60),
        ScreenShape(name: "80x24 ASCII", columns: 80, rows: 24, isUnicode: false),
        ScreenShape(name: "80x24 CJK", columns: 80, rows: 24, words: .wide),
        ScreenShape(name: "80x24 1000 characters", columns: 80, rows: 24, words: .endless),
        ScreenShape(name: "80x24 right to left", columns: 80, rows: 24, words: .rightToLeft),
    ]
}

/// Every pane that the player can show, each brought about by what a person does.
enum ScreenPane: String, CaseIterable, Sendable {
    case bar, answer, help, telemetry, palette, browser, recent, notices, inspector, equalizer, scrub, cues, search, subtitles,
        sound
    case audio = "menu-audio", subtitleTracks = "menu-subtitles", video = "menu-video", chapters = "menu-chapters"
    case files = "menu-files", themes = "menu-themes", titles = "menu-titles", devices = "menu-devices", player = "menu-player"
    case renderers = "menu-renderers", actions = "menu-actions"
    case inspectorSamples = "inspector-samples", inspectorBuffers = "inspector-buffers"
    case inspectorDecode = "inspector-decode", inspectorVideo = "inspector-video", inspectorAudio = "inspector-audio"

    /// The menu that it is; nil for what is no menu.
    var menu: MenuKind? {
        switch self {
        case .audio: .audio
        case .subtitleTracks: .subtitles
        case .video: .video
        case .chapters: .chapters
        case .files: .files
        case .themes: .themes
        case .titles: .titles
        case .devices: .devices
        case .player: .player
        case .renderers: .renderers
        case .actions: .actions(.subtitles)
        default: nil
        }
    }

    /// The player with the pane open.
    func model(_ shape: ScreenShape) -> AppModel {
        let words = shape.words
        var model = AppModel(
            size: CellSize(columns: shape.columns, rows: shape.rows),
            capabilities: ChromeCapabilities(isUnicode: shape.isUnicode, hasColor: true), now: at(0))
        let place = PlaylistPosition(index: 1, count: 3, name: words.name(0) + ".mkv", path: "/films/\(words.name(0)).mkv")
        if self == .recent {
            // As a player without a file has it: an empty list, nothing loaded, and what was played before from other directories.
            _ = model.update(.playlist(PlaylistPosition(count: 0)), now: at(0))
            let recent = (0..<2).map { RecentFile(location: "/other/\($0).mkv", title: words.name($0)) }
            model.scene.workingDirectory = "/films"
            _ = model.update(.recent(recent), now: at(0))
            _ = model.update(.noFile, now: at(0))
        } else {
            _ = model.update(.playlist(place), now: at(0))
            _ = model.update(.files((0..<3).map { words.name($0) + ".mkv" }), now: at(0))
            _ = model.update(.snapshot(snapshot(words)), now: at(0))
            // A key without a meaning: the bar is there for the next four seconds.
            _ = model.update(.key(KeyStroke("Z")), now: at(0))
        }
        open(&model, words)
        return model
    }

    private func snapshot(_ words: ScreenShape.Words) -> EngineSnapshot {
        var snapshot = film()
        snapshot.source = "/films/\(words.name(0)).mkv"
        snapshot.metadata = MediaMetadata(title: words.name(0))
        func track(_ number: Int, _ kind: TrackKind, _ codec: String, _ language: String) -> TrackInfo {
            TrackInfo(id: TrackID(.container, number), kind: kind, codec: codec, name: words.name(number), language: language)
        }
        snapshot.audioTracks = [track(1, .audio, "aac", "eng"), track(2, .audio, "ac3", "ger")]
        snapshot.subtitleTracks = [track(3, .subtitle, "subrip", "eng"), track(4, .subtitle, "ass", "jpn")]
        snapshot.videoTracks = [track(0, .video, "h264", "eng")]
        snapshot.chapters = (0..<3).map {
            ChapterInfo(id: $0, name: words.name($0), start: .seconds(10 + Double($0) * 1800), duration: .seconds(1800))
        }
        var live = LiveTelemetry()
        (live.observedFps, live.framesShown, live.avSyncGapMs, live.clockRatePPM) = (23.976, 1440, -3.24, 12.4)
        (live.renderer, live.videoDecoder, live.rssMb, live.cpuLoad) = ("halfblock", "h264", 85, 0.34)
        live.decodeMs = Percentiles(p50: 2.134, p95: 13.5, p99: 20)
        if self == .inspectorBuffers {
            (live.forwardBufferSeconds, live.queuedBytes, live.queuedFrames, live.audioLeadSeconds) = (0.8, 3_456_789, 5, 0.25)
            (live.cachedBytes, live.droppedLateDecode, live.droppedSlowTerminal, live.alsaXruns) = (12_345_678, 3, 0, 0)
        }
        snapshot.telemetry = live
        if self == .titles {
            snapshot.titles = (0..<3).map {
                TitleInfo(id: 7 + $0, name: words.name($0), startTime: .seconds(10), duration: .seconds(1800), tracks: [])
            }
            snapshot.activeTitle = 8
        }
        if self == .devices {
            snapshot.audioDevice = "hw:0"
            snapshot.audioDevices = (0..<3).map {
                AudioDeviceHint(name: "hw:\($0)", description: [words.name($0), words.name($0 + 1)])
            }
        }
        if self == .subtitles { snapshot.visibleCues = [cue(1, 1808, words.name(0) + "\n" + words.name(1))] }
        if self == .sound {
            (snapshot.videoTracks, snapshot.activeVideoTrack, snapshot.subtitleTracks, snapshot.chapters) = ([], nil, [], [])
            snapshot.metadata = MediaMetadata(
                title: words.name(0), artist: words.name(1), album: words.name(2), lyrics: "[00:01.00]\(words.name(3))")
        }
        return snapshot
    }

    /// A movie with a track whose name is a stranger's, and its samples.
    private static func parts(_ words: ScreenShape.Words) -> InspectorFind {
        var header = InspectedBox("mvhd", title: "Movie Header", offset: 132, size: 108, headLength: 8)
        header.fields = [
            InspectedField("timescale", .integer(1000), unit: "ticks a second"),
            InspectedField("duration", .integer(2_700_000), unit: "ticks", meaning: "2700.000 s"),
            InspectedField("name", .text(words.name(0))),
        ]
        header.damage = ["it ends 4 bytes before the end of next_track_ID"]
        var movie = InspectedBox("moov", title: "Movie", offset: 124, size: 5000, headLength: 8)
        movie.children = [InspectedBox("trak", title: words.name(1), offset: 240, size: 4000, headLength: 8), header].reversed()
        let file = InspectedBox("ftyp", title: "File Type", offset: 0, size: 124, headLength: 8)
        let stream = SampleStream(index: 0, kind: "video", timeBase: TimeBase(1, 24))
        var list = SampleList(
            streams: [stream],
            rows: (0..<40).map { number in
                SampleRow(
                    stream: 0, number: number + 1, pts: Int64(1800 * 24 + number), dts: Int64(1800 * 24 + number - 2),
                    duration: 1,
                    position: Int64(6000 + number * 500), size: 500, isKey: number % 12 == 0)
            })
        list.countGroups()
        return .parts(format: "ISO base media", boxes: [file, movie], samples: list)
    }

    private func cue(_ id: Int, _ start: Double, _ text: String) -> SubtitleCue {
        SubtitleCue(id: id, track: TrackID(.container, 3), start: .seconds(start), end: .seconds(start + 5), body: .text(text))
    }

    private func open(_ model: inout AppModel, _ words: ScreenShape.Words) {
        func press(_ keys: KeyStroke...) { for key in keys { _ = model.update(.key(key), now: at(1)) } }
        switch self {
        case .bar, .subtitles: break
        case .answer: press(KeyStroke("o"), KeyStroke("T"), KeyStroke(.down), KeyStroke(.enter), KeyStroke("o"), KeyStroke("j"))
        case .help: press(KeyStroke("?"))
        case .telemetry: press(KeyStroke("i"))
        case .palette: press(KeyStroke(":"), KeyStroke("s"), KeyStroke("u"))
        case .equalizer:
            press(KeyStroke("E"), KeyStroke(.tab), KeyStroke(.down), KeyStroke(.right), KeyStroke(.right))
        case .notices:
            model.scene.notices.setClock(86_390, at: at(0))
            for number in 0..<30 { _ = model.update(.notice("\(number) " + words.name(number)), now: at(Double(number))) }
            _ = model.update(.key(KeyStroke("e")), now: at(30))
        case .scrub: press(KeyStroke(.enter), KeyStroke(.right))
        case .inspector, .inspectorSamples, .inspectorBuffers, .inspectorDecode, .inspectorVideo, .inspectorAudio:
            press(KeyStroke(.tab))
            _ = model.update(.inspected(Self.parts(words)), now: at(1))
            let head = (0..<32).map { UInt8($0 * 7 & 0xFF) }
            _ = model.update(.inspected(.bytes(offset: 132, bytes: head)), now: at(1))
            press(KeyStroke(.down), KeyStroke(.down))
            if self == .inspectorSamples { press(KeyStroke("2")) }
            if self == .inspectorBuffers { press(KeyStroke("6")) }
            if self == .inspectorDecode || self == .inspectorVideo {
                press(KeyStroke(self == .inspectorDecode ? "3" : "4"))
                _ = model.update(.inspected(.frame(InspectedFrames.view(levels: self == .inspectorVideo))), now: at(1))
            }
            if self == .inspectorAudio {
                press(KeyStroke("5"))
                _ = model.update(.metered(InspectedFrames.audio), now: at(1))
            }
        case .audio, .subtitleTracks, .video, .chapters, .files, .titles, .devices, .player, .renderers, .actions:
            model.renderers = RendererOffer(names: ["halfblock", "quadrant", "sixel"], present: "quadrant")
            if let menu { _ = model.update(.action(.showMenu(menu)), now: at(1)) }
        case .themes:
            press(KeyStroke("t"))
            _ = model.update(.themes(["default", "paper", words.name(1)]), now: at(1))
        case .browser, .recent:
            if self == .browser { press(KeyStroke("f")) }
            guard let request = model.browser?.awaited else { return }
            let date = FileDate(year: 2024, month: 5, day: 1, hour: 13, minute: 2)
            let entries =
                [Browser.Entry(.directory, name: words.name(2), changed: date)]
                + (0..<2).map { Browser.Entry(.media, name: words.name($0) + ".mkv", bytes: 1_234_567_890, changed: date) }
            _ = model.update(.directory(DirectoryAnswer(request: request, listing: .read(entries, isCut: false))), now: at(1))
        case .cues, .search:
            press(KeyStroke(self == .cues ? "L" : "/"))
            let cues = (0..<4).map { cue($0, 1700 + Double($0) * 60, words.name($0)) }
            let listing = CueListing(
                track: TrackID(.container, 3), revision: 1, cues: cues, spans: [.seconds(10)...(.seconds(2710))])
            _ = model.update(.cues(listing), now: at(1))
        case .sound:
            let tone = (0..<1024).map { Float(0.25 * sin(2 * Double.pi * Double($0) / 48)) }
            _ = model.update(.heard(tone), now: at(1))
        }
    }
}
