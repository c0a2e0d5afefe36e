public import AetherCore
import CFFmpeg

/// One compressed packet on its way from thread to thread and through the cache, where 100 000 can wait: what is to be known of it and its
/// payload lie in a block, and libav's form, four allocations and 300 bytes, is made for the moment at which a decoder takes it. An
/// object each on the heap left a hole of 66 bytes beside each. The epoch says which seek it belongs to.
///
/// A copy is another reference to the same memory. No thread writes to it after it was handed on, so that threads may read it.
public struct Packet: Sendable {
    /// The stream that a packet is of, and which of its formats it has.
    struct StreamName {
        let id: StreamID
        let format: Int
    }
    /// The facts that a decoder needs to know beside the bytes, and whose they are. 64 bytes, before the payload or in a `WholePacket`.
    struct Head {
        var pts, dts: Int64
        let duration: Int64
        let source, format: UInt16
        let streamIndex: Int32
        var flags: Int32
        let byteCount: Int32
        let epoch: Epoch
        let timeBase: TimeBase
        /// As libav made it, where it has more beside it than can be said here: side data. The payload is its own.
        let whole: UnsafeMutablePointer<AVPacket>?
    }
    /// Keeps `head` and the payload: a `PayloadBlock` or a `WholePacket`.
    private let memory: any AnyObject & Sendable
    nonisolated(unsafe) private let head: UnsafeMutablePointer<Head>

    private init(_ memory: any AnyObject & Sendable, _ head: UnsafeMutablePointer<Head>) {
        self.memory = memory
        self.head = head
    }

    /// Takes over a filled packet.
    init(taking pointer: UnsafeMutablePointer<AVPacket>, epoch: Epoch, timeBase: TimeBase, name: StreamName? = nil) {
        let owner = WholePacket(Packet.head(pointer, whole: pointer, epoch, timeBase, name))
        self.init(owner, owner.head)
    }

    /// Takes over a filled packet; its payload moves into the blocks. It may be one that the packet does not own.
    init(
        placing pointer: UnsafeMutablePointer<AVPacket>, in blocks: inout PayloadBlocks, epoch: Epoch, timeBase: TimeBase,
        name: StreamName? = nil
    ) {
        guard Packet.isPlain(pointer), let data = pointer.pointee.data,
            let slot = blocks.place(
                UnsafeRawBufferPointer(start: data, count: Int(max(0, pointer.pointee.size))),
                Packet.head(pointer, whole: nil, epoch, timeBase, name))
        else {
            // A payload that is only lent is copied; without memory there is none.
            if av_packet_make_refcounted(pointer) < 0 { (pointer.pointee.data, pointer.pointee.size) = (nil, 0) }
            self.init(taking: pointer, epoch: epoch, timeBase: timeBase, name: name)
            return
        }
        self.init(slot.block, slot.head)
        var owned: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&owned)
    }

    private static func head(
        _ pointer: UnsafeMutablePointer<AVPacket>, whole: UnsafeMutablePointer<AVPacket>?, _ epoch: Epoch, _ timeBase: TimeBase,
        _ name: StreamName?
    ) -> Head {
        let raw = pointer.pointee
        return Head(
            pts: raw.pts, dts: raw.dts, duration: raw.duration, source: UInt16(clamping: name?.id.source ?? 0),
            format: UInt16(clamping: name?.format ?? 0),
            streamIndex: name.map { Int32(clamping: $0.id.number) } ?? raw.stream_index,
            flags: raw.flags, byteCount: max(0, raw.size), epoch: epoch, timeBase: timeBase, whole: whole)
    }

    /// Nothing lies beside the payload that a decoder would miss. MPEG-TS says of each packet which kind of stream it is of.
    private static func isPlain(_ pointer: UnsafeMutablePointer<AVPacket>) -> Bool {
        (0..<Int(pointer.pointee.side_data_elems)).allSatisfy {
            pointer.pointee.side_data[$0].type == AV_PKT_DATA_MPEGTS_STREAM_ID
        }
    }

    /// The generation of the pipeline that the packet belongs to.
    public var epoch: Epoch { head.pointee.epoch }
    /// Of the packet's stream.
    public var timeBase: TimeBase { head.pointee.timeBase }
    /// The number of its format among those of its stream.
    public var format: Int { Int(head.pointee.format) }
    /// The stream that it is of.
    public var stream: StreamID { StreamID(source: Int(head.pointee.source), number: Int(head.pointee.streamIndex)) }
    /// Bytes of payload.
    public var byteCount: Int { Int(head.pointee.byteCount) }
    /// The payload, as far as it is not longer than `limit`: a copy.
    public func bytes(limit: Int) -> [UInt8] { payload.map { Array($0.prefix(max(0, limit))) } ?? [] }

    /// The payload, for as long as the packet or a reference of `retained` lives; nil for none.
    var payload: UnsafeBufferPointer<UInt8>? {
        guard byteCount > 0 else { return nil }
        guard let whole = head.pointee.whole else {
            return UnsafeBufferPointer(start: PayloadSlot.payload(behind: head), count: byteCount)
        }
        return whole.pointee.data.map { UnsafeBufferPointer(start: $0, count: byteCount) }
    }

    /// One reference more to what keeps the payload, for a library that reads it later.
    func retained() -> Unmanaged<AnyObject> { Unmanaged.passRetained(memory as AnyObject) }

    /// Lends the packet as libav wants it; nil where there is no memory for that. A caller that needs it longer takes a reference of its own.
    func withAVPacket<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result? {
        let head = head.pointee
        if let whole = head.whole { return body(whole) }
        guard let payload, let start = UnsafeMutablePointer(mutating: payload.baseAddress), let pointer = av_packet_alloc() else {
            return nil
        }
        defer {
            var owned: UnsafeMutablePointer<AVPacket>? = pointer
            av_packet_free(&owned)
        }
        guard let buffer = makeBuffer(start) else { return nil }
        pointer.pointee.buf = buffer
        (pointer.pointee.data, pointer.pointee.size) = (start, head.byteCount)
        (pointer.pointee.pts, pointer.pointee.dts, pointer.pointee.duration) = (head.pts, head.dts, head.duration)
        (pointer.pointee.stream_index, pointer.pointee.flags) = (head.streamIndex, head.flags)
        return body(pointer)
    }

    /// A buffer of libav's that keeps the payload for as long as it lives, and is read only.
    private func makeBuffer(_ start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<AVBufferRef>? {
        let held = retained()
        let buffer = av_buffer_create(
            start, byteCount + PayloadSlot.padding,
            { held, _ in if let held { Unmanaged<AnyObject>.fromOpaque(held).release() } }, held.toOpaque(),
            Int32(AV_BUFFER_FLAG_READONLY))
        if buffer == nil { held.release() }
        return buffer
    }

    /// The time at which it is shown, nil where the container does not say.
    public var pts: MediaTime? { time(head.pointee.pts) }
    /// The time at which it is decoded, nil where the container does not say.
    public var dts: MediaTime? { time(head.pointee.dts) }
    /// The time at which it is decoded, or shown where that is earlier; nil where the container says neither.
    public var beginning: MediaTime? { [pts, dts].compactMap { $0 }.min() }
    /// The time for which it lasts, nil where the container does not say.
    public var duration: TimeSpan? {
        durationTicks > 0 ? TimeSpan(nanoseconds: timeBase.nanoseconds(ticks: durationTicks)) : nil
    }
    /// Decoding can begin here.
    public var isKey: Bool { head.pointee.flags & AV_PKT_FLAG_KEY != 0 }

    /// Moves the packet in time. Only for the code that made it, before it is handed on.
    public func shift(by span: TimeSpan) {
        guard span != .zero else { return }
        let ticks = timeBase.ticks(at: MediaTime.zero + span)
        if let pts = ptsTicks { head.pointee.pts = pts.addingReportingOverflow(ticks).partialValue }
        if let dts = dtsTicks { head.pointee.dts = dts.addingReportingOverflow(ticks).partialValue }
        if let whole = head.pointee.whole { (whole.pointee.pts, whole.pointee.dts) = (head.pointee.pts, head.pointee.dts) }
    }

    /// Lets the decoder take the packet and give out no frame of it. Only for the code that made it, before it is handed on.
    public func hide() {
        head.pointee.flags |= AV_PKT_FLAG_DISCARD
        if let whole = head.pointee.whole { whole.pointee.flags |= AV_PKT_FLAG_DISCARD }
    }

    /// Decoders take it and give out no frame of it.
    public var isHidden: Bool { head.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Raw ticks of the stream's time base, for inspectors; nil where the container does not say.
    public var ptsTicks: Int64? { head.pointee.pts == aether_nopts() ? nil : head.pointee.pts }
    /// Raw ticks of the stream's time base; nil where the container does not say.
    public var dtsTicks: Int64? { head.pointee.dts == aether_nopts() ? nil : head.pointee.dts }
    /// Raw ticks of the stream's time base; 0 where the container does not say.
    public var durationTicks: Int64 { head.pointee.duration }

    /// Samples at its beginning that a decoder warms up with and a player leaves out; 0 where nothing is said.
    public var skippedSamples: Int {
        var size = 0
        guard let whole = head.pointee.whole, let data = av_packet_get_side_data(whole, AV_PKT_DATA_SKIP_SAMPLES, &size),
            size >= 4
        else { return 0 }
        return Int(UInt32(littleEndian: UnsafeRawPointer(data).loadUnaligned(as: UInt32.self)))
    }

    /// The settings behind the times of a WebVTT cue, nil for none.
    public var webVTTSettings: String? {
        var size = 0
        guard let whole = head.pointee.whole, let data = av_packet_get_side_data(whole, AV_PKT_DATA_WEBVTT_SETTINGS, &size),
            size > 0
        else { return nil }
        return String(decoding: UnsafeBufferPointer(start: data, count: min(size, 512)), as: UTF8.self)
    }

    private func time(_ ticks: Int64) -> MediaTime? {
        ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: timeBase)
    }
}

/// Owns a packet as libav made it.
private final class WholePacket: Sendable {
    nonisolated(unsafe) let head: UnsafeMutablePointer<Packet.Head>

    init(_ head: Packet.Head) {
        self.head = .allocate(capacity: 1)
        self.head.initialize(to: head)
        MediaBalance.packets.add()
    }

    deinit {
        var owned = head.pointee.whole
        av_packet_free(&owned)
        head.deallocate()
        MediaBalance.packets.add(-1)
    }
}
