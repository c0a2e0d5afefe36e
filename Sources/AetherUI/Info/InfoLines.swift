import AetherCore
import AetherEngine
import AetherFormats

/// The known facts of the present source, a line each: its tags, its container, its tracks, and how they are drawn and heard. Pure.
enum InfoLines {
    struct Line: Equatable {
        let label, value: String
        /// A heading has no value.
        var isHeading: Bool { value.isEmpty }
    }

    /// 64 tracks of a kind: more than any sane file has.
    private static let trackLimit = 64

    static func of(_ scene: Scene) -> [Line] {
        let snapshot = scene.snapshot
        return section(translated("File"), file(scene)) + section(translated("Video"), video(snapshot))
            + section(translated("Audio"), tracks(snapshot.audioTracks, snapshot.activeAudioTrack))
            + section(translated("Subtitles"), tracks(snapshot.subtitleTracks, snapshot.activeSubtitleTrack))
            + section(translated("Songs"), songs(snapshot)) + section(translated("Output"), output(snapshot))
    }

    private static func section(_ title: String, _ lines: [(String, String?)]) -> [Line] {
        let said = lines.compactMap { label, value in
            value.map { DisplayText.singleLine($0, limit: 300) }.flatMap { $0.isEmpty ? nil : Line(label: label, value: $0) }
        }
        return said.isEmpty ? [] : [Line(label: title, value: "")] + said
    }

    private static func file(_ scene: Scene) -> [(String, String?)] {
        let snapshot = scene.snapshot, tags = snapshot.metadata
        let path = scene.playlist.path.isEmpty ? snapshot.source : Redaction.shown(scene.playlist.path)
        let chapters = snapshot.chapters.count, titles = snapshot.titles.count
        return [
            (translated("Title"), tags.title ?? scene.playlist.title), (translated("Artist"), tags.artist),
            (translated("Album"), tags.album), (translated("Year"), tags.year),
            (translated("Track"), tags.track),
            (translated("Place"), path), (translated("Container"), ContainerName.words(snapshot.container, path: path)),
            (translated("Duration"), snapshot.duration.map { Timecode.text($0) }),
            (translated("Chapters"), chapters > 0 ? "\(chapters)" : nil), (translated("Titles"), titles > 1 ? "\(titles)" : nil),
            (translated("Live"), snapshot.isLive ? translated("yes") : nil),
            (translated("Now"), snapshot.onAir.now.map { words($0) }),
            (translated("Next"), snapshot.onAir.next.map { words($0) }),
        ]
    }

    /// The songs that a station has told, the present one first.
    private static func songs(_ snapshot: EngineSnapshot) -> [(String, String?)] {
        zip(1..., snapshot.songs).reversed().prefix(trackLimit).map { (translated("Song \($0)"), $1) }
    }

    private static func words(_ programme: GuideProgramme) -> String {
        let times = [programme.start, programme.stop].map { SystemText.timeOfDay($0 * 1_000_000_000).prefix(5) }
        return "\(times[0])–\(times[1]) \(programme.title)"
    }

    private static func video(_ snapshot: EngineSnapshot) -> [(String, String?)] {
        let named = tracks(snapshot.videoTracks, snapshot.activeVideoTrack)
        guard snapshot.activeVideoTrack != nil else { return named }
        let size = snapshot.videoSize.map { "\($0.width)×\($0.height), \(BarBadges.resolution($0))" }
        let profile = snapshot.sourceDVProfile.map { translated(", profile \($0)") } ?? ""
        return named + [
            (translated("Size"), size), (translated("Frame rate"), snapshot.videoFrameRate.map { "\(rate($0)) fps" }),
            (translated("Range"), snapshot.sourceVideoFormat == .sdr ? "SDR" : snapshot.sourceVideoFormat.name + profile),
        ]
    }

    private static func tracks(_ tracks: [TrackInfo], _ active: TrackID?) -> [(String, String?)] {
        tracks.prefix(trackLimit).enumerated().map { index, track in
            let name = TrackLabel.name(track), traits = TrackLabel.traits(track)
            let isActive = track.id == active ? translated(" (selected)") : ""
            return (translated("Track \(index + 1)"), [name, traits].filter { !$0.isEmpty }.joined(separator: ", ") + isActive)
        }
    }

    private static func output(_ snapshot: EngineSnapshot) -> [(String, String?)] {
        let renderer = snapshot.telemetry?.renderer ?? ""
        return [
            (translated("Renderer"), renderer.isEmpty ? nil : RendererOffer.label(renderer)),
            (translated("Decoder"), snapshot.telemetry?.videoDecoderReason ?? snapshot.telemetry?.videoDecoder),
            (translated("Device"), snapshot.isSilent ? translated("none", context: "device") : snapshot.audioDevice),
        ]
    }

    /// The usual frame rates of cinema and broadcasts.
    private static let usualRates: [(Double, String)] = [
        (24_000.0 / 1001, "23.976"), (24, "24"), (25, "25"), (30_000.0 / 1001, "29.97"), (30, "30"), (48_000.0 / 1001, "47.952"),
        (48, "48"), (50, "50"), (60_000.0 / 1001, "59.94"), (60, "60"), (100, "100"), (120_000.0 / 1001, "119.88"), (120, "120"),
    ]

    /// "23.976": a rate by its usual name where it is as near as a container's rounding, else with three places.
    static func rate(_ rate: Double) -> String {
        // 24 and 23.976 are 0.1 % apart.
        if let usual = usualRates.first(where: { abs($0.0 - rate) <= $0.0 * 0.0004 }) { return usual.1 }
        return rate == rate.rounded() ? ActionName.plain(rate) : Figures.decimal(rate, places: 3)
    }
}
