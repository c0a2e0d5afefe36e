import AetherCore
import CFFmpeg

/// Decoded frames on their way out of a box: what is to be known of them as bytes, and the pixels in memory that both sides have. Those that were
/// copied there lie as format and size alone say; those that were decoded there, where the record says, which is checked.
public enum FrameRecord {
    /// Pixels of the longest side, that of a JPEG: AV1's highest level has 16384, panoramas more. `largest` bounds what they take.
    static let widest: Int32 = 65535
    /// 8K with 16 bits and three full planes has 212 MB; with an alpha plane 283.
    public static let largest = 512 << 20
    /// Rows begin at multiples of this.
    static let alignment: Int32 = 64
    /// Vectors of the scaler read beyond the end of the last row.
    static let margin = 4096
    /// An audio frame: a second of 64 channels at 192 kHz, 32 bits, is 49 MB.
    private static let largestAudio = 64 << 20
    /// Side data of a frame that is looked at outside. The motion vectors of a frame of 8K are 20 MB.
    private static let sideLimit = 32 << 20
    private static let sides: [AVFrameSideDataType] = [
        AV_FRAME_DATA_A53_CC, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
        AV_FRAME_DATA_DOVI_RPU_BUFFER, AV_FRAME_DATA_DOVI_METADATA, AV_FRAME_DATA_DISPLAYMATRIX, AV_FRAME_DATA_DYNAMIC_HDR_PLUS,
        AV_FRAME_DATA_VIDEO_ENC_PARAMS, AV_FRAME_DATA_MOTION_VECTORS, AV_FRAME_DATA_FILM_GRAIN_PARAMS,
    ]

    // MARK: - Out

    /// Bytes of memory that a frame needs; 0 for audio, nil for one that cannot leave.
    public static func room(for frame: borrowing DecodedFrame) -> Int? {
        let raw = frame.pointer.pointee
        return raw.width > 0 ? room(AVPixelFormat(raw.format), raw.width, raw.height) : 0
    }

    private static func room(_ format: AVPixelFormat, _ width: Int32, _ height: Int32) -> Int? {
        guard let description = av_pix_fmt_desc_get(format), description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0,
            1...widest ~= width, 1...widest ~= height
        else { return nil }
        let count = Int(av_image_get_buffer_size(format, width, height, alignment))
        return count > 0 && count <= largest - margin ? count + margin : nil
    }

    /// The record of a frame, whose pixels are copied into `memory` (audio: into the record). nil where there is too little of it.
    public static func bytes(of frame: borrowing DecodedFrame, into memory: UnsafeMutableRawBufferPointer?) -> [UInt8]? {
        if frame.pointer.pointee.width > 0 {
            guard let memory, let room = room(for: frame), room <= memory.count, copy(frame.pointer, into: memory) else {
                return nil
            }
        }
        return bytes(of: frame, planes: nil)
    }

    /// The record of a frame of video that was decoded into `memory`, and stays there. nil where it does not lie there as one must.
    public static func bytes(of frame: borrowing DecodedFrame, lyingIn memory: UnsafeMutableRawBufferPointer) -> [UInt8]? {
        let raw = frame.pointer.pointee
        guard let room = room(for: frame), room <= memory.count, let planes = FramePlanes(of: raw, in: memory),
            planes.end(in: memory.count, AVPixelFormat(raw.format), raw.width, raw.height) != nil
        else { return nil }
        return bytes(of: frame, planes: planes)
    }

    private static func bytes(of frame: borrowing DecodedFrame, planes: FramePlanes?) -> [UInt8]? {
        let raw = frame.pointer.pointee
        var record = RecordWriter()
        record.put(raw.width > 0)
        if raw.width > 0 {
            record.put(planes) { $1.put(to: &$0) }
            for number in [raw.format, raw.width, raw.height, raw.sample_aspect_ratio.num, raw.sample_aspect_ratio.den] {
                record.put(number)
            }
            record.put(raw.pict_type.rawValue)
            record.put(aether_frame_is_key(frame.pointer) != 0)
            record.put(aether_frame_is_interlaced(frame.pointer) != 0)
            record.put(aether_frame_is_top_first(frame.pointer) != 0)
            record.put(raw.repeat_pict)
            ColourRecord.put(raw, to: &record)
        } else {
            for number in [raw.format, raw.nb_samples, raw.sample_rate] { record.put(number) }
            ChannelRecord.put(&frame.pointer.pointee.ch_layout, to: &record)
            let planes = audioPlanes(frame.pointer)
            guard planes.count * planes.bytes <= largestAudio else { return nil }
            for plane in 0..<planes.count {
                record.put(UnsafeRawBufferPointer(start: frame.pointer.pointee.extended_data[plane], count: planes.bytes))
            }
        }
        record.put(raw.flags & AV_FRAME_FLAG_CORRUPT)
        record.put(raw.pts)
        record.put(raw.pkt_dts)
        record.put(raw.best_effort_timestamp)
        record.put(aether_frame_duration(frame.pointer))
        record.put(frame.pts) { $0.put($1.nanoseconds) }
        record.put(frame.duration) { $0.put($1.nanoseconds) }
        record.put(each: frame.userData) {
            $0.put($1.country)
            $0.put($1.payload)
        }
        putSides(frame.pointer, to: &record)
        return record.bytes
    }

    private static func putSides(_ frame: UnsafeMutablePointer<AVFrame>, to record: inout RecordWriter) {
        let found = sides.compactMap { type in
            av_frame_get_side_data(frame, type).flatMap { $0.pointee.size <= sideLimit ? $0 : nil }
        }
        record.put(each: found) { record, side in
            record.put(side.pointee.type.rawValue)
            record.put(UnsafeRawBufferPointer(start: side.pointee.data, count: Int(side.pointee.size)))
        }
    }

    private static func copy(_ frame: UnsafeMutablePointer<AVFrame>, into memory: UnsafeMutableRawBufferPointer) -> Bool {
        let raw = frame.pointee, format = AVPixelFormat(raw.format)
        guard let planes = FramePlanes(format, raw.width, raw.height, in: memory.count) else { return false }
        var starts = planes.starts(in: memory), rows = planes.steps
        var from: [UnsafePointer<UInt8>?] = [raw.data.0, raw.data.1, raw.data.2, raw.data.3].map { $0.map { UnsafePointer($0) } }
        let steps = [raw.linesize.0, raw.linesize.1, raw.linesize.2, raw.linesize.3]
        av_image_copy(&starts, &rows, &from, steps, format, raw.width, raw.height)
        return true
    }

    private static func audioPlanes(_ frame: UnsafeMutablePointer<AVFrame>) -> (count: Int, bytes: Int) {
        let format = AVSampleFormat(frame.pointee.format), isPlanar = av_sample_fmt_is_planar(format) != 0
        let channels = Int(max(0, frame.pointee.ch_layout.nb_channels)), samples = Int(max(0, frame.pointee.nb_samples))
        let unit = Int(av_get_bytes_per_sample(format))
        return isPlanar ? (channels, samples * unit) : (1, samples * unit * channels)
    }

    // MARK: - In

    /// The frame of a record, whose pixels lie in `slot` and are not copied; nil where it is none.
    public static func frame(_ bytes: [UInt8], in slot: (any FrameSlot)?) -> DecodedFrame? {
        guard let pointer = av_frame_alloc() else { return nil }
        var record = RecordReader(bytes)
        let isVideo = record.bool()
        let isFilled = isVideo ? readVideo(&record, slot, into: pointer) : readAudio(&record, into: pointer)
        guard isFilled else {
            var owned: UnsafeMutablePointer<AVFrame>? = pointer
            av_frame_free(&owned)
            return nil
        }
        pointer.pointee.flags |= record.integer(Int32.self) & AV_FRAME_FLAG_CORRUPT
        (pointer.pointee.pts, pointer.pointee.pkt_dts) = (record.integer(), record.integer())
        pointer.pointee.best_effort_timestamp = record.integer()
        aether_frame_set_duration(pointer, max(0, record.integer()))
        let pts = record.optional { MediaTime(nanoseconds: $0.integer()) }
        let duration = record.optional { TimeSpan(nanoseconds: $0.integer()) }
        let userData = record.list(limit: 16) { RegisteredUserData(country: $0.integer(), payload: $0.bytes(limit: 4096)) }
        readSides(&record, into: pointer)
        guard record.isWhole else {
            var owned: UnsafeMutablePointer<AVFrame>? = pointer
            av_frame_free(&owned)
            return nil
        }
        return DecodedFrame(taking: pointer, pts: pts, duration: duration, userData: userData)
    }

    private static func readVideo(
        _ record: inout RecordReader, _ slot: (any FrameSlot)?, into frame: UnsafeMutablePointer<AVFrame>
    ) -> Bool {
        let stated = record.optional { FramePlanes(&$0) }
        let format = AVPixelFormat(record.integer())
        let width = record.integer(in: 1...widest), height = record.integer(in: 1...widest)
        frame.pointee.sample_aspect_ratio = AVRational(num: record.integer(), den: record.integer())
        frame.pointee.pict_type = AVPictureType(rawValue: record.integer(in: 0...AV_PICTURE_TYPE_BI.rawValue))
        let isKey = record.bool(), isInterlaced = record.bool(), isTopFirst = record.bool()
        aether_frame_mark(frame, isKey ? 1 : 0, isInterlaced ? 1 : 0, isTopFirst ? 1 : 0)
        frame.pointee.repeat_pict = record.integer(in: 0...64)
        ColourRecord(&record).set(frame)
        guard !record.isBroken, let slot, let room = room(format, width, height), room <= slot.memory.count else { return false }
        guard let planes = stated ?? FramePlanes(format, width, height, in: slot.memory.count),
            let end = stated == nil ? room : planes.end(in: slot.memory.count, format, width, height),
            let start = slot.memory.baseAddress
        else { return false }
        slot.willRead(end)
        let held = Unmanaged<AnyObject>.passRetained(slot)
        guard
            let buffer = av_buffer_create(
                start.assumingMemoryBound(to: UInt8.self), slot.memory.count,
                { held, _ in if let held { Unmanaged<AnyObject>.fromOpaque(held).release() } }, held.toOpaque(),
                Int32(AV_BUFFER_FLAG_READONLY))
        else {
            held.release()
            return false
        }
        frame.pointee.buf.0 = buffer
        (frame.pointee.format, frame.pointee.width, frame.pointee.height) = (format.rawValue, width, height)
        let (starts, steps) = (planes.starts(in: slot.memory), planes.steps)
        (frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, frame.pointee.data.3) =
            (starts[0], starts[1], starts[2], starts[3])
        (frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3) =
            (steps[0], steps[1], steps[2], steps[3])
        return true
    }

    private static func readAudio(_ record: inout RecordReader, into frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        let format = AVSampleFormat(rawValue: record.integer(in: Int32(0)...AV_SAMPLE_FMT_NB.rawValue - 1))
        let samples = record.integer(in: Int32(1)...Int32(1 << 20)), rate = record.integer(in: Int32(1)...Int32(1 << 22))
        ChannelRecord.read(&record, into: &frame.pointee.ch_layout)
        guard !record.isBroken, frame.pointee.ch_layout.nb_channels > 0 else { return false }
        (frame.pointee.format, frame.pointee.nb_samples, frame.pointee.sample_rate) = (format.rawValue, samples, rate)
        let planes = audioPlanes(frame)
        guard planes.count * planes.bytes <= largestAudio, av_frame_get_buffer(frame, 0) >= 0 else { return false }
        for plane in 0..<planes.count {
            let bytes = record.bytes(limit: planes.bytes)
            guard bytes.count == planes.bytes, let target = frame.pointee.extended_data[plane] else { return false }
            target.update(from: bytes, count: bytes.count)
        }
        return true
    }

    private static func readSides(_ record: inout RecordReader, into frame: UnsafeMutablePointer<AVFrame>) {
        _ = record.list(limit: sides.count) { record in
            let type = AVFrameSideDataType(rawValue: record.integer()), bytes = record.bytes(limit: sideLimit)
            guard sides.contains(type), isSound(type, bytes) else { return record.fail() }
            guard let side = av_frame_new_side_data(frame, type, bytes.count) else { return }
            bytes.withUnsafeBufferPointer { source in
                if let start = source.baseAddress { side.pointee.data.update(from: start, count: source.count) }
            }
        }
    }

    /// Whether the places that side data names lie inside of it. Who looks at it checks the sizes.
    private static func isSound(_ type: AVFrameSideDataType, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { raw in
            switch type {
            case AV_FRAME_DATA_VIDEO_ENC_PARAMS:
                guard raw.count >= MemoryLayout<AVVideoEncParams>.size else { return false }
                let head = raw.loadUnaligned(as: AVVideoEncParams.self)
                let (start, step, count) = (Int(head.blocks_offset), Int(head.block_size), Int(head.nb_blocks))
                if count == 0 { return true }
                return start >= MemoryLayout<AVVideoEncParams>.size && start <= raw.count && step > 0
                    && count <= (raw.count - start) / step
            case AV_FRAME_DATA_DOVI_METADATA: return raw.count >= MemoryLayout<AVDOVIMetadata>.size
            default: return true
            }
        }
    }
}
