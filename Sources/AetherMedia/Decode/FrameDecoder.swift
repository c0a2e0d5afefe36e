import AetherCore
import CFFmpeg

/// The send and receive cycle that video and audio share, with damage counted instead of thrown.
struct FrameDecoder: ~Copyable {
    var codec: CodecContext
    let timeBase: TimeBase
    private var damage = DecodeDamage()
    var damageCount: Int { damage.count }
    /// AVI and raw streams have decoding times only. Sorted as they come, those are also the showing times, one for each frame:
    /// libavcodec would give each frame the time of the packet that pushed it out, late by the reordering (80 ms at two
    /// B-frames), and none to the last ones.
    private var decodingTimes: [Int64] = []
    private(set) var hasShowingTimes = false

    /// `isOnDevice`: whatever is no damage of the stream is thrown.
    init(_ codec: consuming CodecContext, timeBase: TimeBase, isOnDevice: Bool = false) {
        self.codec = codec
        self.timeBase = timeBase
        damage.isOnDevice = isOnDevice
    }

    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        let status: Int32
        if let packet {
            status = packet.withAVPacket { codec.send($0) } ?? aether_averror(ENOMEM)
        } else {
            status = codec.send(nil)
        }
        if status >= 0 {
            if let packet { noteTimes(packet) }
            return .accepted
        }
        let error = AVError(code: status)
        if error == .tryAgain { return .full }
        // A second drain, or a packet behind it without a flush between: there is nothing more to be had.
        if error == .endOfFile { return .accepted }
        try damage.note(status, by: codec.name)
        return .accepted
    }

    mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard let frame = av_frame_alloc() else {
            throw MediaError(.internalFailure, "decode", subject: codec.name, averror: aether_averror(ENOMEM))
        }
        while true {
            let status = codec.receive(frame)
            if status >= 0 {
                damage.forget()
                return wrap(frame)
            }
            let error = AVError(code: status)
            if error == .tryAgain || error == .endOfFile {
                FrameDecoder.free(frame)
                if error == .tryAgain { return nil }
                throw MediaError(.endOfMedia, "decode", averror: status)
            }
            do throws(MediaError) {
                try damage.note(status, by: codec.name)
            } catch {
                FrameDecoder.free(frame)
                throw error
            }
        }
    }

    mutating func flush() {
        codec.flush()
        damage.forget()
        decodingTimes = []
    }

    private static func free(_ frame: UnsafeMutablePointer<AVFrame>) {
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&owned)
    }

    private mutating func noteTimes(_ packet: Packet) {
        // libavformat copies the decoding time of AVI's B-frames into their PTS; only other PTS are the container's word.
        if packet.ptsTicks != nil, packet.ptsTicks != packet.dtsTicks || packet.isKey { hasShowingTimes = true }
        guard !hasShowingTimes, let dts = packet.dtsTicks else { return }
        decodingTimes.append(dts)
        // Packets that gave no frame must not delay all later ones: more than these cannot be held back.
        let held = Int(max(0, codec.pointer.pointee.has_b_frames)) + Int(max(1, codec.pointer.pointee.thread_count)) + 1
        if decodingTimes.count > held { decodingTimes.removeFirst(decodingTimes.count - held) }
    }

    private mutating func ticks(of frame: UnsafeMutablePointer<AVFrame>) -> Int64 {
        guard !hasShowingTimes, codec.pointer.pointee.codec_type == AVMEDIA_TYPE_VIDEO, !decodingTimes.isEmpty,
            codec.pointer.pointee.skip_frame == AVDISCARD_DEFAULT
        else { return frame.pointee.best_effort_timestamp }
        return decodingTimes.removeFirst()
    }

    private mutating func wrap(_ frame: UnsafeMutablePointer<AVFrame>) -> DecodedFrame {
        let ticks = ticks(of: frame)
        let length = aether_frame_duration(frame)
        return DecodedFrame(
            taking: frame, pts: ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: timeBase),
            duration: length > 0 ? TimeSpan(nanoseconds: timeBase.nanoseconds(ticks: length)) : nil)
    }
}
