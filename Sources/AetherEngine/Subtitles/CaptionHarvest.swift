import AetherCore
import AetherFormats
import AetherMedia

/// The closed captions that come beside the frames, decoded on the video thread: CEA-608 by libavcodec, CEA-708 by our own. A track exists
/// from its first real caption on: most broadcasts carry the bytes for them, few carry words.
struct CaptionHarvest: ~Copyable {
    /// The track of CEA-608, which has four; CC1 is the program's language.
    static let track = TrackInfo(
        id: TrackID(.closedCaption, 1), kind: .subtitle, codec: "eia_608", name: "CC1", isHearingImpaired: true)

    /// The track of a service of CEA-708, 1 … 6; service 1 is the program's language.
    static func track(service: Int) -> TrackInfo {
        TrackInfo(
            id: TrackID(.closedCaption, 700 + service), kind: .subtitle, codec: "cea_708", name: "Service \(service)",
            isHearingImpaired: true)
    }

    /// The track of captions that a manifest names ("CC1", "SERVICE3"), in its words; nil for those that are not decoded. None is shown before a
    /// person wants it.
    static func track(_ group: Group) -> TrackInfo? {
        guard let channel = group.captionChannel, var track = track(named: channel) else { return nil }
        if !group.label.isEmpty { track.name = DisplayText.singleLine(group.label, limit: 200) }
        track.language = group.language
        track.associatedLanguage = group.associatedLanguage == group.language ? nil : group.associatedLanguage
        return track
    }

    private static func track(named channel: String) -> TrackInfo? {
        if channel == "CC1" { return track }
        guard channel.hasPrefix("SERVICE"), let service = Int(channel.dropFirst(7)), (1...6).contains(service) else { return nil }
        return track(service: service)
    }

    private var decoder: SubtitleDecoder?
    private var gate = CaptionGate()
    private var digital = DTVCCDecoder()
    private var hasFailed = false
    private var found: Set<TrackID> = []
    private var last: MediaTime?
    private static var log: ModuleLog { Log.module("subtitles") }

    /// Takes what came beside the frame that belongs to `time`; returns the tracks that have said their first words.
    mutating func take(_ bytes: [UInt8], at time: MediaTime, _ cues: CueStore) -> [TrackInfo] {
        last = time
        var tracks: [TrackInfo] = []
        if takeAnalogue(bytes, at: time, cues), found.insert(Self.track.id).inserted { tracks.append(Self.track) }
        for screen in digital.take(bytes) {
            let track = Self.track(service: screen.service)
            if screen.texts.isEmpty { cues.add(DecodedSubtitle(start: time, end: nil, body: nil), track: track.id) }
            for text in screen.texts {
                cues.add(
                    DecodedSubtitle(start: time, end: nil, body: text.body, placement: text.placement, isReplacedByNext: true),
                    track: track.id)
            }
            if !screen.texts.isEmpty, found.insert(track.id).inserted { tracks.append(track) }
        }
        return tracks
    }

    /// Returns whether there were words.
    private mutating func takeAnalogue(_ bytes: [UInt8], at time: MediaTime, _ cues: CueStore) -> Bool {
        guard !hasFailed else { return false }
        let bytes = gate.take(bytes)
        guard !bytes.isEmpty else { return false }
        var hasWords = false
        do throws(MediaError) {
            if decoder == nil { decoder = try SubtitleDecoder(captions: ()) }
            for caption in try decoder?.decode(captions: Array(bytes), at: time) ?? []
            where gate.isOpen || caption.body == nil {
                hasWords = hasWords || caption.body != nil
                cues.add(caption, track: Self.track.id)
            }
        } catch {
            Self.log.warning("captions: \(error)")
            hasFailed = true
        }
        return hasWords
    }

    /// Other frames follow.
    mutating func reposition(_ cues: CueStore) {
        guard last != nil else { return }
        for id in found.union([Self.track.id]) { cues.interrupt(track: id, at: last) }
        decoder?.flush()
        gate.close()
        digital.reset()
        last = nil
    }
}
