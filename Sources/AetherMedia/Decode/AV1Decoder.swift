import AetherCore
import CDav1d
import CFFmpeg

/// Decodes AV1 by libdav1d itself, which leaves out film grain and in-loop filters where libavcodec has no switch for them. Lives on one
/// thread, libdav1d's own work below it; frames share its images, nothing is copied.
struct AV1Decoder: VideoDecoding, ~Copyable {
    private let context: OpaquePointer
    private let parameters: CodecParameters
    private let opened: Settings
    private var damage = DecodeDamage()
    /// The sequence header that the container keeps has been given to this decoder since it began.
    private var isConfigured = false
    /// Requests for a frame that the decoder may still get before data: once for each packet, for to libdav1d a second
    /// request in a row says that nothing follows.
    private var requests = 0
    private var isDraining = false
    /// The parts of packets that are dropped, and the state that is needed to tell.
    private var discard = DecodeDiscard.none
    private var sequence: AV1Sequence?
    /// Behind the context, which lets go of its frames when it ends.
    private let room: FrameRoom?

    static let name = "dav1d"

    /// The settings that count when opening only.
    private struct Settings: Equatable {
        var drawsGrain: Bool
        var filters: UInt32
        var tellsCoding: Bool

        init(_ effort: DecodeEffort) {
            drawsGrain = !effort.omitsFilmGrain
            tellsCoding = effort.tellsCoding
            filters =
                switch effort.skipLoopFilter {
                case .none, .nonReference, .bidirectional: DAV1D_INLOOPFILTER_ALL.rawValue
                case .all: DAV1D_INLOOPFILTER_NONE.rawValue
                }
        }
    }

    /// The largest frame of AV1's highest level (7.3): 16384x8704 pixels.
    private static let pixelLimit: UInt32 = 142_606_336

    /// Opens a decoder with 1 … 16 threads. Throws `.decodeFailed` where libdav1d refuses.
    init(_ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort = DecodeEffort(), room: FrameRoom? = nil)
        throws(MediaError)
    {
        self.room = room
        opened = Settings(effort)
        self.parameters = parameters
        var settings = Dav1dSettings()
        dav1d_default_settings(&settings)
        settings.n_threads = Int32(min(16, max(1, threadCount)))
        // Tiles and rows of one frame at once, never two frames: libdav1d 1.0 waits for ever where one of several that are under way is
        // damaged. On two cores it takes as long either way, and no frame is held back.
        settings.max_frame_delay = 1
        settings.all_layers = 0
        settings.frame_size_limit = Self.pixelLimit
        settings.apply_grain = opened.drawsGrain ? 1 : 0
        settings.inloop_filters = Dav1dInloopFilterType(rawValue: opened.filters)
        // The messages of libdav1d would go to standard error, where the screen is; what they say is in the error numbers.
        settings.logger = Dav1dLogger(cookie: nil, callback: nil)
        if let room { AV1Memory.serve(&settings, from: room) }
        var context: OpaquePointer?
        let status = dav1d_open(&context, &settings)
        guard status == 0, let context else {
            throw MediaError(.decodeFailed, "open decoder", subject: Self.name, averror: Self.averror(status))
        }
        self.context = context
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: OpaquePointer? = context
        dav1d_close(&owned)
        MediaBalance.contexts.add(-1)
    }

    var damageCount: Int { damage.count }

    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        guard let packet else {
            // The first request says that nothing follows, the second one waits.
            if !isDraining { requests = 2 }
            isDraining = true
            return .accepted
        }
        isDraining = false
        if !isConfigured {
            isConfigured = true
            configure()
        }
        if isLeftOut(packet) { return .accepted }
        guard var data = Self.data(sharing: packet) else {
            try damage.note(aether_averror(EINVAL), by: Self.name)
            return .accepted
        }
        let status = dav1d_send_data(context, &data)
        requests = 1
        guard status != 0 else { return .accepted }
        dav1d_data_unref(&data)
        if status == aether_dav1d_error(EAGAIN) { return .full }
        try damage.note(Self.averror(status), by: Self.name)
        return .accepted
    }

    mutating func receive() throws(MediaError) -> DecodedFrame? {
        while requests > 0 {
            var picture = Dav1dPicture()
            let status = dav1d_get_picture(context, &picture)
            if status == 0 {
                if !isDraining { requests -= 1 }
                damage.forget()
                guard let frame = AV1Picture.frame(taking: picture, parameters, tellsCoding: opened.tellsCoding) else {
                    throw MediaError(.internalFailure, "decode", subject: Self.name, averror: aether_averror(ENOMEM))
                }
                return frame
            }
            if status == aether_dav1d_error(EAGAIN) {
                requests -= 1
            } else {
                try damage.note(Self.averror(status), by: Self.name)
            }
        }
        guard isDraining else { return nil }
        throw MediaError(.endOfMedia, "decode", averror: aether_averror_eof())
    }

    mutating func flush() {
        dav1d_flush(context)
        damage.forget()
        (requests, isDraining, isConfigured) = (0, false, false)
    }

    /// Sets the packets to drop; libdav1d learns the rest when it is opened.
    mutating func apply(_ effort: DecodeEffort) { discard = effort.discard }

    /// libdav1d 1.0 has no switch for it: whether another frame needs a packet's is read here. Not a frame less than that: what comes out
    /// is exact.
    private mutating func isLeftOut(_ packet: Packet) -> Bool {
        guard let payload = packet.payload else { return false }
        let units = AV1Units(UnsafeRawBufferPointer(payload))
        let isDroppable = units.isDroppable(&sequence)
        switch discard {
        case .none: return false
        case .nonReference: return isDroppable
        case .nonKey: return !packet.isKey
        }
    }

    func needsReopening(for effort: DecodeEffort) -> Bool { Settings(effort) != opened }

    /// Gives the sequence header of the container (av1C in MP4 and Matroska: four bytes, then units of the stream). Most streams repeat
    /// it at each key frame; those that do not cannot be decoded without.
    private mutating func configure() {
        guard let bytes = parameters.pointer.pointee.extradata else { return }
        let size = Int(parameters.pointer.pointee.extradata_size)
        let skipped = size > 0 && bytes[0] & 0x80 != 0 ? 4 : 0
        guard size > skipped else { return }
        _ = AV1Units(UnsafeRawBufferPointer(start: bytes + skipped, count: size - skipped)).isDroppable(&sequence)
        var data = Dav1dData()
        guard let target = dav1d_data_create(&data, size - skipped) else { return }
        target.update(from: bytes + skipped, count: size - skipped)
        // Broken ones are not missed where the stream has its own.
        if dav1d_send_data(context, &data) != 0 { dav1d_data_unref(&data) }
    }

    /// A packet's bytes, shared with libdav1d until it has read them. nil where there are none.
    private static func data(sharing packet: Packet) -> Dav1dData? {
        guard let payload = packet.payload else { return nil }
        let held = packet.retained()
        var data = Dav1dData()
        let status = dav1d_data_wrap(
            &data, payload.baseAddress, payload.count,
            { _, cookie in if let cookie { Unmanaged<AnyObject>.fromOpaque(cookie).release() } }, held.toOpaque())
        guard status == 0 else {
            held.release()
            return nil
        }
        // Packets of AV1 are in the order of showing: AVI's decoding times are as good.
        data.m.timestamp = packet.ptsTicks ?? packet.dtsTicks ?? aether_nopts()
        data.m.duration = packet.durationTicks
        return data
    }

    /// FFmpeg's number for an error of libdav1d's: both turn the system's ones round in their own way.
    private static func averror(_ status: Int32) -> Int32 {
        status == aether_dav1d_error(ENOMEM) ? aether_averror(ENOMEM) : aether_averror_invalid_data()
    }
}
