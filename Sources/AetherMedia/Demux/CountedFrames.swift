import AetherCore
import CFFmpeg

/// Gives the packets of a raw H.264 or HEVC stream, which has no times, those that they would have in a container, and remembers where its key
/// frames lie: the only way to a point is to have counted the frames before it. Packets wait until their place in the order of showing is
/// known, 32 frames at most. Lives on one thread.
struct CountedFrames: ~Copyable {
    private var parser: OrderParser
    private let parameters: CodecParameters
    /// Of a packet that does not say how long it lasts, in ticks.
    private let usualLength: Int64
    /// A millisecond in ticks. FFmpeg 7.1 says a tick of 1/1200000 s of later packets where the parameters state no rate: less than this is none.
    private let shortest: Int64
    /// By how much frames are decoded before they are shown.
    private var delay: Int64
    private var order = DisplayOrder()
    private var waiting: [(packet: UnsafeMutablePointer<AVPacket>, decoded: Int64)] = []
    /// The time at which the next packet is decoded, and the byte before which packets are not the wanted ones yet.
    private var decoded: Int64 = 0
    private var from: Int64 = 0
    private var index = KeyFrameIndex()

    /// nil where the stream has times, or is of a codec whose frames cannot be counted without decoding.
    init?(_ info: SourceInfo) {
        guard ["h264", "hevc"].contains(info.container), let stream = info.streams.first, info.streams.count == 1,
            let parser = OrderParser(stream.parameters)
        else { return nil }
        self.parser = parser
        parameters = stream.parameters
        let rate = stream.frameRate?.value ?? 25
        usualLength = max(1, stream.timeBase.ticks(at: .seconds(rate > 0.1 && rate < 1000 ? 1 / rate : 0.04)))
        shortest = max(1, stream.timeBase.ticks(at: .seconds(0.001)))
        delay = Int64(max(0, stream.parameters.pointer.pointee.video_delay)) * usualLength
    }

    deinit {
        for place in waiting { StreamAnalysis.free(place.packet) }
    }

    /// Takes a packet in, and ownership of it.
    mutating func put(_ packet: UnsafeMutablePointer<AVPacket>) {
        // The parser may begin a little before the point that the source was moved to.
        if packet.pointee.pos >= 0, packet.pointee.pos < from { return StreamAnalysis.free(packet) }
        let length = packet.pointee.duration >= shortest ? packet.pointee.duration : usualLength
        order.take(parser.frame(packet, length: length))
        waiting.append((packet, decoded))
        decoded = decoded &+ length
    }

    /// No more packets come before the next move.
    mutating func end() { order.end() }

    /// The next packet whose times are known; nil: put more in. Owned by the caller.
    mutating func take() -> UnsafeMutablePointer<AVPacket>? {
        guard !waiting.isEmpty, let shown = order.popTime() else { return nil }
        let (packet, decoded) = waiting.removeFirst()
        delay = max(delay, decoded &- shown)
        packet.pointee.pts = shown
        packet.pointee.dts = decoded &- delay
        if packet.pointee.flags & AV_PKT_FLAG_KEY != 0, packet.pointee.pos >= 0 {
            index.note(KeyFrameIndex.Entry(position: packet.pointee.pos, start: decoded, shown: shown))
        }
        return packet
    }

    /// The place to begin at for a time, as far as the stream was read; `lastEntry` is the place to read on from.
    func entry(at time: Int64) -> KeyFrameIndex.Entry? { index.entry(at: time) }
    var lastEntry: KeyFrameIndex.Entry? { index.last }

    /// Goes on at a key frame: the source was moved there. nil: at its beginning.
    mutating func move(to entry: KeyFrameIndex.Entry?) {
        for place in waiting { StreamAnalysis.free(place.packet) }
        waiting = []
        (decoded, from) = (entry?.start ?? 0, entry?.position ?? 0)
        order = DisplayOrder(start: decoded)
        // Order counts are differences to those before: they begin anew with the key frame.
        if let fresh = OrderParser(parameters) { parser = fresh }
    }
}
