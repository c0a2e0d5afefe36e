public import AetherCore
import CFFmpeg
import Glibc

/// One compressed packet on its way from thread to thread and through the cache, where 100 000 can wait: its payload lies in a block, and
/// libav's form, four allocations and 300 bytes, is made for the moment at which a decoder takes it. Nobody changes it after it was handed on.
/// The epoch says which seek it belongs to.
public final class Packet: Sendable {
    /// What a decoder needs to know beside the bytes.
    private struct Head {
        var pts, dts: Int64
        let duration: Int64
        let streamIndex, flags: Int32
    }
    nonisolated(unsafe) private var head: Head
    private let slot: PayloadSlot?
    /// As libav made it, where it has more beside it than can be said here: side data.
    nonisolated(unsafe) private let whole: UnsafeMutablePointer<AVPacket>?
    public let epoch: Epoch
    /// Of the packet's stream.
    public let timeBase: TimeBase

    /// Takes over a filled packet.
    convenience init(taking pointer: UnsafeMutablePointer<AVPacket>, epoch: Epoch, timeBase: TimeBase) {
        self.init(pointer, nil, epoch, timeBase)
    }

    /// Takes over a filled packet; its payload moves into the blocks.
    convenience init(
        placing pointer: UnsafeMutablePointer<AVPacket>, in blocks: inout PayloadBlocks, epoch: Epoch, timeBase: TimeBase
    ) {
        guard Packet.isPlain(pointer), let data = pointer.pointee.data,
            let slot = blocks.place(UnsafeRawBufferPointer(start: data, count: Int(max(0, pointer.pointee.size))))
        else {
            self.init(pointer, nil, epoch, timeBase)
            return
        }
        self.init(pointer, slot, epoch, timeBase)
        var owned: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&owned)
    }

    private init(_ pointer: UnsafeMutablePointer<AVPacket>, _ slot: PayloadSlot?, _ epoch: Epoch, _ timeBase: TimeBase) {
        let raw = pointer.pointee
        head = Head(pts: raw.pts, dts: raw.dts, duration: raw.duration, streamIndex: raw.stream_index, flags: raw.flags)
        self.slot = slot
        whole = slot == nil ? pointer : nil
        self.epoch = epoch
        self.timeBase = timeBase
        MediaBalance.packets.add()
    }

    deinit {
        var owned = whole
        av_packet_free(&owned)
        MediaBalance.packets.add(-1)
    }

    /// Nothing lies beside the payload that a decoder would miss. MPEG-TS says of each packet which kind of stream it is of.
    private static func isPlain(_ pointer: UnsafeMutablePointer<AVPacket>) -> Bool {
        (0..<Int(pointer.pointee.side_data_elems)).allSatisfy {
            pointer.pointee.side_data[$0].type == AV_PKT_DATA_MPEGTS_STREAM_ID
        }
    }

    /// The container's stream number.
    public var streamIndex: Int { Int(head.streamIndex) }
    /// Bytes of payload.
    public var byteCount: Int { slot?.byteCount ?? whole.map { Int($0.pointee.size) } ?? 0 }
    /// The payload, as far as it is not longer than `limit`: a copy.
    public func bytes(limit: Int) -> [UInt8] { payload.map { Array($0.prefix(max(0, limit))) } ?? [] }

    /// The payload, for as long as the packet lives; nil for none.
    var payload: UnsafeBufferPointer<UInt8>? {
        if let slot { return UnsafeBufferPointer(start: slot.start, count: slot.byteCount) }
        guard let whole, let data = whole.pointee.data, whole.pointee.size > 0 else { return nil }
        return UnsafeBufferPointer(start: data, count: Int(whole.pointee.size))
    }

    /// Lends the packet as libav wants it; nil where there is no memory for that. Whoever needs it longer takes a reference of its own.
    func withAVPacket<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result? {
        if let whole { return body(whole) }
        guard let slot, let pointer = av_packet_alloc() else { return nil }
        defer {
            var owned: UnsafeMutablePointer<AVPacket>? = pointer
            av_packet_free(&owned)
        }
        guard let buffer = slot.makeBuffer() else { return nil }
        pointer.pointee.buf = buffer
        (pointer.pointee.data, pointer.pointee.size) = (slot.start, Int32(clamping: slot.byteCount))
        (pointer.pointee.pts, pointer.pointee.dts, pointer.pointee.duration) = (head.pts, head.dts, head.duration)
        (pointer.pointee.stream_index, pointer.pointee.flags) = (head.streamIndex, head.flags)
        return body(pointer)
    }

    /// When it is shown, nil where the container does not say.
    public var pts: MediaTime? { time(head.pts) }
    /// When it is decoded, nil where the container does not say.
    public var dts: MediaTime? { time(head.dts) }
    /// How long it lasts, nil where the container does not say.
    public var duration: TimeSpan? {
        head.duration > 0 ? TimeSpan(nanoseconds: timeBase.nanoseconds(ticks: head.duration)) : nil
    }
    /// Decoding can begin here.
    public var isKey: Bool { head.flags & AV_PKT_FLAG_KEY != 0 }

    /// Moves the packet in time. Only for whoever made it, before it is handed on.
    public func shift(by span: TimeSpan) {
        guard span != .zero else { return }
        let ticks = timeBase.ticks(at: MediaTime.zero + span)
        if let pts = ptsTicks { head.pts = pts.addingReportingOverflow(ticks).partialValue }
        if let dts = dtsTicks { head.dts = dts.addingReportingOverflow(ticks).partialValue }
        if let whole { (whole.pointee.pts, whole.pointee.dts) = (head.pts, head.dts) }
    }

    /// Raw ticks of the stream's time base, for inspectors; nil where the container does not say.
    public var ptsTicks: Int64? { head.pts == aether_nopts() ? nil : head.pts }
    public var dtsTicks: Int64? { head.dts == aether_nopts() ? nil : head.dts }
    public var durationTicks: Int64 { head.duration }

    /// What stands behind the times of a WebVTT cue, nil for nothing.
    public var webVTTSettings: String? {
        var size = 0
        guard let whole, let data = av_packet_get_side_data(whole, AV_PKT_DATA_WEBVTT_SETTINGS, &size), size > 0 else {
            return nil
        }
        return String(decoding: UnsafeBufferPointer(start: data, count: min(size, 512)), as: UTF8.self)
    }

    private func time(_ ticks: Int64) -> MediaTime? {
        ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: timeBase)
    }
}
