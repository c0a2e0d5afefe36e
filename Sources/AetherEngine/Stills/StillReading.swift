import AetherCore
import AetherMedia

/// An open decoder of one video stream. Lives on one thread.
final class StillReading {
    /// The quality of a still.
    enum Way: Equatable {
        /// Small and at once: no loop filter, at a fraction of the size where the codec can, one slice thread.
        case fast(halvings: Int)
        case exact

        /// For a still of that width.
        static func fast(_ stream: StreamInfo, width: Int) -> Way {
            // Half-size fields are no half-size still.
            guard let size = stream.size, !stream.isInterlaced else { return .fast(halvings: 0) }
            var halvings = 0
            while halvings < 3, size.width >> (halvings + 1) >= max(1, width) { halvings += 1 }
            return .fast(halvings: halvings)
        }

        static func exact(_ stream: StreamInfo) -> Way { .exact }

        var effort: DecodeEffort {
            switch self {
            case .fast(let halvings):
                DecodeEffort(skipLoopFilter: .all, halvings: halvings, omitsFilmGrain: true, lowDelay: true)
            case .exact: DecodeEffort()
            }
        }
    }

    var decoder: VideoDecoder
    private let parameters: CodecParameters
    private let way: Way
    private var isDraining = false

    init(_ stream: StreamInfo, _ way: Way) throws(MediaError) {
        decoder = try VideoDecoder(stream.parameters, threadCount: way == .exact ? 2 : 1, effort: way.effort)
        parameters = stream.parameters
        self.way = way
    }

    /// Whether this is the decoder for it.
    func serves(_ stream: StreamInfo, _ way: Way) -> Bool { parameters === stream.parameters && self.way == way }

    /// Sends a packet; returns a frame when one is ready.
    func feed(_ packet: Packet) throws(MediaError) -> DecodedFrame? {
        isDraining = false
        while try decoder.send(packet) == .full {
            guard let frame = try receive() else { return nil }
            // With one frame out there is room for the packet.
            _ = try decoder.send(packet)
            return frame
        }
        return try receive()
    }

    /// The next frame, nil when packets are wanted first or none follow.
    func receive() throws(MediaError) -> DecodedFrame? {
        do throws(MediaError) {
            return try decoder.receive()
        } catch {
            if error.code == .endOfMedia { return nil }
            throw error
        }
    }

    /// The next of the frames that are held back at the end; nil when there are no more.
    func drain() throws(MediaError) -> DecodedFrame? {
        if !isDraining { _ = try decoder.send(nil) }
        isDraining = true
        return try receive()
    }
}
