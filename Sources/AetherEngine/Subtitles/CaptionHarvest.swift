import AetherCore
import AetherMedia

/// The closed captions that come beside the pictures, decoded on the video thread. The track exists from the first real caption on: most
/// broadcasts carry the bytes for them, few carry words.
struct CaptionHarvest: ~Copyable {
    /// The track that they come to. CEA-608 has four; CC1 is the programme's language.
    static let track = TrackInfo(
        id: TrackID(.closedCaption, 1), kind: .subtitle, codec: "eia_608", name: "CC1", isHearingImpaired: true)

    private var decoder: SubtitleDecoder?
    private var hasFailed = false
    private var hasFound = false
    private var last: MediaTime?
    private static var log: ModuleLog { Log.module("subtitles") }

    /// Takes what came beside the picture that belongs to `time`; returns whether these are the first words.
    mutating func take(_ bytes: [UInt8], at time: MediaTime, _ cues: CueStore) -> Bool {
        guard !hasFailed else { return false }
        last = time
        var isFirst = false
        do throws(MediaError) {
            if decoder == nil { decoder = try SubtitleDecoder(captions: ()) }
            for caption in try decoder?.decode(captions: bytes, at: time) ?? [] {
                isFirst = isFirst || !hasFound && caption.body != nil
                cues.add(caption, track: Self.track.id)
            }
        } catch {
            Self.log.warning("captions: \(error)")
            hasFailed = true
        }
        hasFound = hasFound || isFirst
        return isFirst
    }

    /// Other pictures follow.
    mutating func reposition(_ cues: CueStore) {
        guard last != nil else { return }
        cues.interrupt(track: Self.track.id, at: last)
        decoder?.flush()
        last = nil
    }
}
