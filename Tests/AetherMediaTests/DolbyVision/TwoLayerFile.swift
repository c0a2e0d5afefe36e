import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation

@testable import AetherMedia

/// Films of Dolby Vision in one stream or in two, written packet by packet: base layer and enhancement layer of the same pictures, with metadata
/// that differs from picture to picture.
struct TwoLayerFile {
    /// Where metadata is put.
    enum Shape: Equatable {
        /// Behind the base layer's pictures, as profile 8 has it: what two streams must come out as.
        case oneStream
        /// Behind the enhancement layer's pictures, which come so many packets later than those they belong to; negative: earlier.
        case twoStreams(lag: Int)
    }

    var ext = "mp4"
    var shape = Shape.twoStreams(lag: 0)
    /// The container says what the second stream is.
    var hasRecord = true
    /// The layer's stream comes first in the container.
    var layerIsFirst = false
    /// Whether the layer has a packet for a picture, by its number in the order of decoding.
    var hasLayer: (Int) -> Bool = { _ in true }
    /// The end of the layer's packet for a frame, behind a NAL header.
    var unit: (Int) -> [UInt8] = TwoLayerFile.unit

    static let frameCount = 36

    /// Metadata that is the picture's own: its peak.
    static func unit(_ number: Int) -> [UInt8] {
        var mapping = UnitWriter.profile5(curves: UnitWriter.bentCurves)
        mapping.peakCode = Double(2000 + number) / 4095
        return [0x7C, 0x01] + UnitWriter.nal(UnitWriter.payload(mapping, hasResidual: true))
    }

    private static func layer(_ size: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=24,format=yuv420p10le", "-frames:v", "\(frameCount)", "-c:v",
                "libx265",
                "-preset", "ultrafast", "-x265-params",
                "log-level=0:keyint=12:min-keyint=12:scenecut=0:open-gop=0:bframes=2:b-adapt=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:repeat-headers=1",
            ], ext: "mp4")
    }

    /// Writes the file; removed by whoever asked.
    func write() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("aether-layers-\(UUID().uuidString).\(ext)").path
        let base = try Self.packets(of: try Self.layer("256x128"))
        let other = try Self.packets(of: try Self.layer("128x64"))
        defer { for packet in base.packets + other.packets { StreamAnalysis.free(packet) } }
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&context, nil, ext == "m2ts" ? "mpegts" : nil, path) >= 0, let context else {
            throw Fixtures.Failure(description: "no muxer for \(ext)")
        }
        defer {
            avio_closep(&context.pointee.pb)
            avformat_free_context(context)
        }
        let isSingle = shape == .oneStream
        var order = [(base, 0x1011), (other, 0x1015)].prefix(isSingle ? 1 : 2)
        if layerIsFirst, !isSingle { order.reverse() }
        for (source, number) in order {
            guard let stream = avformat_new_stream(context, nil) else { throw Fixtures.Failure(description: "no stream") }
            avcodec_parameters_copy(stream.pointee.codecpar, source.parameters.pointer)
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = AVRational(num: 1, den: 90000)
            if ext == "m2ts" { stream.pointee.id = Int32(number) }
            if hasRecord, number == 0x1015 { Self.describe(stream) }
        }
        context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
        guard avio_open(&context.pointee.pb, path, AVIO_FLAG_WRITE) >= 0, avformat_write_header(context, nil) >= 0 else {
            throw Fixtures.Failure(description: "cannot write \(path)")
        }
        try mux(base, other, context, base: isSingle || !layerIsFirst ? 0 : 1)
        guard av_write_trailer(context) >= 0 else { throw Fixtures.Failure(description: "cannot finish \(path)") }
        return path
    }

    private func mux(
        _ base: Source, _ other: Source, _ context: UnsafeMutablePointer<AVFormatContext>, base number: Int
    ) throws {
        func write(_ packet: UnsafeMutablePointer<AVPacket>, _ unit: [UInt8]?, to stream: Int) throws {
            let copy = av_packet_clone(packet)
            defer {
                var owned = copy
                av_packet_free(&owned)
            }
            guard let copy, let target = context.pointee.streams[stream] else { return }
            if let unit {
                let framed = [UInt8](withUnsafeBytes(of: UInt32(unit.count).bigEndian) { Array($0) }) + unit
                let end = Int(copy.pointee.size)
                av_grow_packet(copy, Int32(framed.count))
                copy.pointee.data.advanced(by: end).update(from: framed, count: framed.count)
            }
            copy.pointee.stream_index = Int32(stream)
            av_packet_rescale_ts(copy, base.timeBase, target.pointee.time_base)
            guard av_write_frame(context, copy) >= 0 else { throw Fixtures.Failure(description: "cannot write a packet") }
        }
        guard case .twoStreams(let lag) = shape else {
            for (index, packet) in base.packets.enumerated() { try write(packet, unit(index), to: 0) }
            return
        }
        for step in 0..<Self.frameCount + abs(lag) {
            let own = step - max(0, -lag), layer = step - max(0, lag)
            if base.packets.indices.contains(own) { try write(base.packets[own], nil, to: number) }
            if other.packets.indices.contains(layer), hasLayer(layer) {
                try write(other.packets[layer], unit(layer), to: 1 - number)
            }
        }
    }

    /// The configuration record of an enhancement layer alone.
    private static func describe(_ stream: UnsafeMutablePointer<AVStream>) {
        let size = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        guard let data = aether_stream_new_side_data(stream, AV_PKT_DATA_DOVI_CONF, size) else { return }
        var record = AVDOVIDecoderConfigurationRecord()
        (record.dv_version_major, record.dv_profile, record.dv_level) = (1, 7, 6)
        (record.rpu_present_flag, record.el_present_flag, record.dv_bl_signal_compatibility_id) = (1, 1, 6)
        UnsafeMutableRawPointer(data).copyMemory(from: &record, byteCount: size)
    }

    // MARK: - Sources

    private struct Source {
        let parameters: CodecParameters
        let packets: [UnsafeMutablePointer<AVPacket>]

        /// Of the packets' times.
        var timeBase: AVRational { AVRational(num: parameters.timeBase.numerator, den: parameters.timeBase.denominator) }
    }

    private static func packets(of path: String) throws -> Source {
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let packets = try DecodedSource.allPackets(&demuxer).compactMap { packet in
            packet.withAVPacket { av_packet_clone($0) } ?? nil
        }
        return Source(parameters: demuxer.info.streams[0].parameters, packets: packets)
    }
}
