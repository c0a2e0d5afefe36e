import AetherCore
import AetherMedia

/// The name of an init section: that of a track in one of its formats.
enum ServedHeader {
    struct Key: Hashable, Sendable {
        let track, version: Int
    }
}

/// The programme that is served, as the opening of the source has found it.
struct ServedProgramme: Sendable {
    /// Safe to display.
    let name: String
    var tracks: [ServedTrack]
    /// The point of the source axis that is zero in what is served.
    let origin: MediaTime
    let sourceStart: MediaTime
    let hasDecodeTimes: Bool
    let chapters: [ChapterInfo]
    /// The treatment of tracks that clients cannot take.
    let wishes: ServedWishes
    var headers: [ServedHeader.Key: [UInt8]] = [:]
    /// Bits a second at most, and on average, of all that is in the source.
    var peakBitRate = 0
    var averageBitRate = 0
    /// Of a source that cannot be sent back, as a broadcast or a pipe: when its segments are made.
    let pace: ServedPace?

    /// The source cannot be sent back.
    var isOneWay: Bool { pace != nil }

    /// The track whose key frames are the borders.
    var leader: Int { (tracks.first { $0.kind == .video } ?? tracks.first { $0.kind == .audio })?.number ?? 0 }
    /// At the beginning.
    var watch: FormWatch {
        FormWatch(Dictionary(tracks.filter { $0.kind != .text }.map { ($0.number, $0.form) }) { $1 })
    }
    /// The losses of the tracks, as notices for a person.
    var notices: [String] { tracks.compactMap(\.loss) }
}
