import AetherCore
import AetherMedia

/// One track of what is served.
struct ServedTrack: Sendable {
    enum Kind: Sendable { case video, audio, text }

    /// In the addresses.
    let number: Int
    let kind: Kind
    let stream: StreamID
    /// As the track begins.
    let info: StreamInfo
    /// As the track begins.
    var form = TrackForm(format: 0, header: nil)
    /// For that form; nil for text.
    var coding: TrackCoding?
    /// Bits a second of its first packets in the source.
    var measuredRate = 0
    /// By RFC 6381; empty for text.
    var codecs = ""
    /// Of Dolby Vision beside a base layer that others play.
    var supplementalCodecs: String?
    /// SDR, PQ or HLG.
    var videoRange: String?

    /// For lists. Safe to display.
    var name: String {
        let track = info.track
        if let name = track?.name, !name.isEmpty { return name }
        if let language = track?.language { return language }
        return kind == .text ? "Subtitles \(number)" : "Audio \(number)"
    }

    /// Nil for what is copied.
    var bridge: SegmentBridge? { coding?.bridge }

    /// Bits a second of audio as it is served.
    var servedRate: Int {
        bridge.map { $0.codec.bitRate(channelCount: $0.channelCount, sampleRate: $0.sampleRate) } ?? measuredRate
    }
    /// Of its audio.
    var channelCount: Int { bridge?.channelCount ?? info.track?.channels ?? 0 }
    /// Objects around the listener, which only copied audio keeps.
    var isAtmos: Bool { bridge == nil && info.track?.isAtmos == true && info.codecName == "eac3" }
    /// The sentence on what is lost on the way to clients; nil for nothing.
    var loss: String? {
        if case .copiedWith(let notice) = VideoChoice(info, transcodes: coding?.transcoder != nil), kind == .video {
            return notice
        }
        guard let bridge, info.track?.isAtmos == true else { return nil }
        return "\(name): the objects of Dolby Atmos are lost in \(bridge.codec.name); its channels stay"
    }
}
