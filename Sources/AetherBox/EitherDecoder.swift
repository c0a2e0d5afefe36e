import AetherCore
import AetherMedia

/// The decoder of a worker, of video or of audio. Used by one thread at a time.
struct EitherDecoder: FrameGiving, ~Copyable {
    /// One of both is there.
    private var video: VideoDecoder?
    private var audio: AudioDecoder?

    /// As its library calls it.
    let name: String

    /// Decodes video.
    init(_ decoder: consuming VideoDecoder) {
        name = decoder.name
        video = consume decoder
    }

    /// Decodes audio.
    init(_ decoder: consuming AudioDecoder) {
        name = decoder.name
        audio = consume decoder
    }

    /// Damaged packets and frames so far.
    var damageCount: Int {
        switch video {
        case .some(let video): return video.damageCount
        case nil: break
        }
        switch audio {
        case .some(let audio): return audio.damageCount
        case nil: return 0
        }
    }

    /// Takes a packet, or nil at the end. Throws what the library refuses.
    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        if video != nil, let result = try video?.send(packet) { return result }
        return try audio?.send(packet) ?? .accepted
    }

    mutating func giveFrame() throws(MediaError) -> DecodedFrame? {
        video != nil ? try video?.receive() ?? nil : try audio?.receive() ?? nil
    }

    /// Forgets all that went in.
    mutating func flush() {
        video?.flush()
        audio?.flush()
    }

    /// Decodes with another effort, as far as an open decoder can; audio has none.
    mutating func apply(_ effort: DecodeEffort) { video?.apply(effort) }

    /// Whether another effort needs a decoder that is opened with it.
    func needsReopening(for effort: DecodeEffort) -> Bool {
        switch video {
        case .some(let video): video.needsReopening(for: effort)
        case nil: false
        }
    }
}
