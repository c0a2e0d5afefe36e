import AetherCore
import AetherMedia

/// A source in segments, or a title in parts, that is open for its stills: a point of one in segments costs the segment that it lies in, as far as the
/// point.
final class StreamStills: StillSource {
    private let source: any PacketSource
    private(set) var stream: StreamInfo
    var offset = TimeSpan.zero
    private var ahead: [Packet] = []
    /// Of the packets, among those of the stream.
    private var format = 0

    /// Blocks. Throws `.noDecodableStream` without video.
    init(_ source: any PacketSource, name: String) throws(MediaError) {
        self.source = source
        guard let video = source.description.info.decodable(.video).first else {
            throw MediaError(.noDecodableStream, "extract a still", subject: name, reason: "it has no video")
        }
        stream = video
        source.select([video.id])
    }

    var sourceStart: MediaTime { source.description.info.startTime }
    var duration: TimeSpan? { source.description.info.duration }
    var start: MediaTime { source.description.info.startTime + offset }

    func key(at point: MediaTime, scanLimit: Int) throws(MediaError) -> Packet? {
        _ = try source.seek(to: SeekPlan(target: point - offset, landing: .exact), video: stream.id)
        var scan = KeyScan(point, limit: scanLimit, stopsAtFirst: false)
        while let packet = try readPacket(), scan.take(packet) {}
        ahead = scan.packets
        guard let key = ahead.first else { return nil }
        ahead.removeFirst()
        format = key.format
        stream = source.description.stream(key.stream, format: key.format) ?? stream
        return key
    }

    func nextPacket() throws(MediaError) -> Packet? {
        let packet = try ahead.isEmpty ? readPacket() : ahead.removeFirst()
        // Another format begins another group of frames: the still lies before it.
        return packet?.format == format ? packet : nil
    }

    private func readPacket() throws(MediaError) -> Packet? {
        do throws(MediaError) {
            while true {
                guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                if offset != .zero { packet.shift(by: offset) }
                return packet
            }
        } catch {
            if error.code == .endOfMedia || error.code == .readFailed { return nil }
            throw error
        }
    }
}
