public import AetherCore

/// Tracks as people choose them.
public enum TrackLabel {
    /// "German, AAC stereo", "English, commentary, AC-3 5.1", "Signs, ASS, forced".
    public static func full(_ track: TrackInfo) -> String {
        var parts: [String] = []
        if track.language != nil { parts.append(languages(track)) }
        let name = DisplayText.singleLine(track.name, limit: 60)
        if !name.isEmpty, parts.first != name { parts.append(name) }
        if track.isCommentary { parts.append(translated("commentary")) }
        if track.isHearingImpaired { parts.append(track.kind == .subtitle ? translated("SDH") : translated("hearing impaired")) }
        if track.isForced { parts.append(translated("forced")) }
        let format = [codec(track.codec), track.kind == .audio ? channels(track) : ""].filter { !$0.isEmpty }.joined(
            separator: " ")
        if !format.isEmpty { parts.append(format) }
        return DisplayText.singleLine(parts.joined(separator: ", "), limit: 120)
    }

    /// The language and the title of a track, for a menu: "German", "English – Director's commentary"; "" when the file says neither.
    public static func name(_ track: TrackInfo) -> String {
        let language = languages(track)
        let name = DisplayText.singleLine(track.name, limit: 120)
        let parts = [language, isLanguage(name, of: track) ? "" : name]
            .filter { !$0.isEmpty }
        return DisplayText.singleLine(parts.joined(separator: " – "), limit: 160)
    }

    /// Whether a track's name says no more than its language, in English or in the person's own words.
    private static func isLanguage(_ name: String, of track: TrackInfo) -> Bool {
        guard let code = track.language else { return name.isEmpty }
        return LanguageName.isSame(LanguageName.english(code), name)
            || name.lowercased() == LanguageName.shown(code).lowercased()
    }

    /// "Norwegian", "Norwegian (with Danish)"; "" where none is said.
    private static func languages(_ track: TrackInfo) -> String {
        let language = track.language.map { LanguageName.shown($0) } ?? ""
        guard let other = track.associatedLanguage.map({ LanguageName.shown($0) }), other != language else { return language }
        return language.isEmpty ? translated("with \(other)") : translated("\(language) (with \(other))")
    }

    /// The traits that tell a track from others of its language, for a menu: "AC-3 5.1, default", "SRT, SDH, forced".
    public static func traits(_ track: TrackInfo) -> String {
        var format = codec(track.codec)
        if track.kind == .audio {
            for word in [layout(track), track.isAtmos ? "Atmos" : ""] where !word.isEmpty { format += " " + word }
        }
        var parts = [format]
        if track.isDefault { parts.append(translated("default")) }
        if track.isForced { parts.append(translated("forced")) }
        if track.isHearingImpaired { parts.append(translated("SDH")) }
        if track.isCommentary { parts.append(translated("commentary")) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The shortest telling word: the language, else the name, else the codec.
    public static func short(_ track: TrackInfo) -> String {
        if let language = track.language { return DisplayText.singleLine(LanguageName.shown(language), limit: 20) }
        let name = DisplayText.singleLine(track.name, limit: 20)
        return name.isEmpty ? codec(track.codec) : name
    }

    /// "2/3", or nil when the track is not in the list.
    public static func ordinal(of id: TrackID, in tracks: [TrackInfo]) -> String? {
        tracks.firstIndex { $0.id == id }.map { "\($0 + 1)/\(tracks.count)" }
    }

    /// FFmpeg's codec name as the field writes it: "h264" → "H.264".
    public static func codec(_ name: String) -> String {
        if let known = codecs[name] { return known }
        if name.hasPrefix("pcm_") { return "PCM" }
        return DisplayText.singleLine(name, limit: 20).uppercased()
    }

    private static func channels(_ track: TrackInfo) -> String {
        track.isAtmos ? "Atmos" : layout(track)
    }

    /// "stereo", "5.1"; "" when unknown.
    private static func layout(_ track: TrackInfo) -> String {
        switch track.channels {
        case ...0: return ""
        case 1: return translated("mono")
        case 2: return translated("stereo")
        default: break
        }
        // "5.1(side)" → "5.1"; layouts without a dotted name ("quad") say as much as they can.
        if let layout = track.channelLayout?.prefix(while: { $0 != "(" }), !layout.isEmpty {
            return DisplayText.singleLine(String(layout), limit: 16)
        }
        return translated("\(track.channels) channels")
    }

    private static let codecs = [
        "h264": "H.264", "hevc": "HEVC", "vp8": "VP8", "vp9": "VP9", "av1": "AV1", "mpeg1video": "MPEG-1",
        "mpeg2video": "MPEG-2", "mpeg4": "MPEG-4", "theora": "Theora", "vc1": "VC-1", "aac": "AAC", "ac3": "AC-3",
        "eac3": "E-AC-3", "mp2": "MP2", "mp3": "MP3", "opus": "Opus", "vorbis": "Vorbis", "flac": "FLAC", "alac": "ALAC",
        "truehd": "TrueHD", "dts": "DTS", "subrip": "SRT", "ass": "ASS", "ssa": "SSA", "webvtt": "WebVTT",
        "mov_text": "MP4 text", "hdmv_pgs_subtitle": "PGS", "dvd_subtitle": "DVD", "dvb_subtitle": "DVB",
        "dvb_teletext": "Teletext", "eia_608": "CEA-608", "ebu_stl": "EBU STL", "ttml": "TTML", "cea_708": "CEA-708",
    ]
}
