import AetherCore
import CFFmpeg
import Testing

@testable import AetherMedia

/// A packet without a demuxer: time stamps in milliseconds, and that many bytes.
func packet(
    stream: Int, of source: Int = 0, pts: Int64?, dts: Int64? = nil, bytes: Int32 = 100, epoch: UInt64 = 1, isKey: Bool = false
) throws -> Packet {
    let pointer = try #require(av_packet_alloc())
    #expect(av_new_packet(pointer, bytes) == 0)
    pointer.pointee.stream_index = Int32(stream)
    pointer.pointee.pts = pts ?? aether_nopts()
    pointer.pointee.dts = dts ?? pts ?? aether_nopts()
    if isKey { pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    return Packet(
        taking: pointer, epoch: Epoch(epoch), timeBase: TimeBase(1, 1000),
        name: Packet.StreamName(id: StreamID(source: source, number: stream), format: 0))
}
