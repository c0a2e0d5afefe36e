import AetherCore
import CFFmpeg

/// The side data of a whole stream in ffprobe's words: how it is turned, what its display was mastered on, its light levels, the light around the
/// display, and what it says of Dolby Vision. Of other kinds the name alone, as ffprobe gives it. Bounded: 64 of a stream.
enum SideDataReport {
    private typealias Members = [(key: String, value: JSON)]
    private static let limit: Int32 = 64

    static func list(_ stream: UnsafeMutablePointer<AVStream>) -> [JSON] {
        var found: [JSON] = []
        for index in 0..<limit {
            var type = AV_PKT_DATA_PALETTE, size = 0
            guard let data = aether_stream_side_data_at(stream, index, &type, &size) else { break }
            let name = av_packet_side_data_name(type).map { FFmpegText.string($0) } ?? "unknown"
            found.append(
                .object(
                    JSON.Members(
                        [("side_data_type", .string(name))] + members(type, UnsafeRawBufferPointer(start: data, count: size)))))
        }
        return found
    }

    private static func members(_ type: AVPacketSideDataType, _ data: UnsafeRawBufferPointer) -> Members {
        switch type {
        case AV_PKT_DATA_DISPLAYMATRIX: turn(data)
        case AV_PKT_DATA_MASTERING_DISPLAY_METADATA: read(AVMasteringDisplayMetadata.self, data).map(mastering) ?? []
        case AV_PKT_DATA_CONTENT_LIGHT_LEVEL:
            read(AVContentLightMetadata.self, data).map {
                [("max_content", .integer(Int64($0.MaxCLL))), ("max_average", .integer(Int64($0.MaxFALL)))]
            } ?? []
        case AV_PKT_DATA_DOVI_CONF: read(AVDOVIDecoderConfigurationRecord.self, data).map(dolbyVision) ?? []
        case AV_PKT_DATA_CPB_PROPERTIES: read(AVCPBProperties.self, data).map(buffer) ?? []
        case AV_PKT_DATA_STEREO3D: read(AVStereo3D.self, data).map(stereo) ?? []
        case AV_PKT_DATA_AUDIO_SERVICE_TYPE: read(UInt32.self, data).map { [("service_type", .integer(Int64($0)))] } ?? []
        case AV_PKT_DATA_MPEGTS_STREAM_ID: data.first.map { [("id", .integer(Int64($0)))] } ?? []
        default: ambient(type, data)
        }
    }

    private static func read<Value: BitwiseCopyable>(_ type: Value.Type, _ data: UnsafeRawBufferPointer) -> Value? {
        data.count >= MemoryLayout<Value>.size ? data.loadUnaligned(as: type) : nil
    }

    private static func ratio(_ key: String, _ value: AVRational) -> (key: String, value: JSON) {
        (key, .string("\(value.num)/\(value.den)"))
    }

    // MARK: - Kinds

    /// Nine numbers in lines of three, and the angle that libavutil makes of them, in whole degrees against the clock.
    private static func turn(_ data: UnsafeRawBufferPointer) -> Members {
        guard data.count >= 36 else { return [] }
        let numbers = (0..<9).map { data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        var text = "\n"
        for row in 0..<3 {
            text += "0000000\(row): " + numbers[row * 3..<row * 3 + 3].map { padded("\($0)", 12) }.joined() + "\n"
        }
        let degrees = numbers.withUnsafeBufferPointer { $0.baseAddress.map { av_display_rotation_get($0) } ?? 0 }
        return [("displaymatrix", .string(text)), ("rotation", .integer(degrees.isFinite ? Int64(degrees) : 0))]
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private static func mastering(_ value: AVMasteringDisplayMetadata) -> Members {
        var members: Members = []
        if value.has_primaries != 0 {
            let (red, green, blue) = value.display_primaries
            members += [
                ratio("red_x", red.0), ratio("red_y", red.1), ratio("green_x", green.0), ratio("green_y", green.1),
                ratio("blue_x", blue.0), ratio("blue_y", blue.1), ratio("white_point_x", value.white_point.0),
                ratio("white_point_y", value.white_point.1),
            ]
        }
        if value.has_luminance != 0 {
            members += [ratio("min_luminance", value.min_luminance), ratio("max_luminance", value.max_luminance)]
        }
        return members
    }

    /// A kind that the headers of FFmpeg before 7.0 do not name. Of all others nothing.
    private static func ambient(_ type: AVPacketSideDataType, _ data: UnsafeRawBufferPointer) -> Members {
        var light = aether_ambient_light()
        guard aether_ambient_light(type, data.baseAddress, data.count, &light) != 0 else { return [] }
        return [
            ratio("ambient_illuminance", light.illuminance), ratio("ambient_light_x", light.x), ratio("ambient_light_y", light.y),
        ]
    }

    private static func dolbyVision(_ value: AVDOVIDecoderConfigurationRecord) -> Members {
        var value = value
        let compression = aether_dovi_compression(&value).map { ("dv_md_compression", JSON.string(FFmpegText.string($0))) }
        return [
            ("dv_version_major", .integer(Int64(value.dv_version_major))),
            ("dv_version_minor", .integer(Int64(value.dv_version_minor))),
            ("dv_profile", .integer(Int64(value.dv_profile))), ("dv_level", .integer(Int64(value.dv_level))),
            ("rpu_present_flag", .integer(Int64(value.rpu_present_flag))),
            ("el_present_flag", .integer(Int64(value.el_present_flag))),
            ("bl_present_flag", .integer(Int64(value.bl_present_flag))),
            ("dv_bl_signal_compatibility_id", .integer(Int64(value.dv_bl_signal_compatibility_id))),
        ] + (compression.map { [$0] } ?? [])
    }

    private static func buffer(_ value: AVCPBProperties) -> Members {
        [
            ("max_bitrate", .integer(value.max_bitrate)), ("min_bitrate", .integer(value.min_bitrate)),
            ("avg_bitrate", .integer(value.avg_bitrate)), ("buffer_size", .integer(value.buffer_size)),
            ("vbv_delay", .integer(Int64(bitPattern: value.vbv_delay))),
        ]
    }

    private static func stereo(_ value: AVStereo3D) -> Members {
        let name = av_stereo3d_type_name(UInt32(value.type.rawValue)).map { FFmpegText.string($0) }
        var value = value, views = aether_stereo_views()
        let members: Members = [
            ("type", JSON(name)), ("inverted", .integer(value.flags & AV_STEREO3D_FLAG_INVERT != 0 ? 1 : 0)),
        ]
        guard aether_stereo_views(&value, &views) != 0 else { return members }
        return members + [
            ("view", JSON(views.view.map { FFmpegText.string($0) })),
            ("primary_eye", JSON(views.primary_eye.map { FFmpegText.string($0) })),
            ("baseline", .integer(Int64(views.baseline))), ratio("horizontal_disparity_adjustment", views.disparity),
            ratio("horizontal_field_of_view", views.field_of_view),
        ]
    }
}
