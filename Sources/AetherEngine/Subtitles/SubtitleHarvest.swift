import AetherCore
import AetherMedia

/// The subtitle decoders of the demux thread, one a text track. All text tracks are decoded always: they are small, and so a
/// switch shows the cue at once.
struct SubtitleHarvest: ~Copyable {
    private final class Slot {
        let track: TrackID
        var decoder: SubtitleDecoder
        init(track: TrackID, decoder: consuming SubtitleDecoder) {
            self.track = track
            self.decoder = decoder
        }
    }
    /// More text tracks than this are not harvested: 64 languages are enough for any disc.
    private static let trackLimit = 64
    private var slots: [Int: Slot] = [:]
    private let cues: CueStore
    private static let log = Log.module("subtitles")

    init(info: SourceInfo, cues: CueStore) {
        self.cues = cues
        for stream in info.streams.filter({ $0.kind == .subtitle }).prefix(Self.trackLimit) {
            guard let track = stream.track, !track.isBitmapSubtitle else { continue }
            do throws(MediaError) {
                slots[stream.index] = Slot(track: track.id, decoder: try SubtitleDecoder(stream.parameters))
            } catch {
                Self.log.warning("track \(track.id.number): \(error)")
            }
        }
    }

    /// Decodes a packet if it belongs to a subtitle track; returns whether it did.
    mutating func take(_ packet: Packet) -> Bool {
        guard let slot = slots[packet.streamIndex] else { return false }
        do throws(MediaError) {
            for subtitle in try slot.decoder.decode(packet) { cues.add(subtitle, track: slot.track) }
        } catch {
            Self.log.warning("track \(slot.track.number): \(error)")
        }
        return true
    }
}
