import AetherCore
import AetherSources
import CFFmpeg
import Testing

@testable import AetherMedia

/// Everything a source decodes to, through our demuxer and decoders as the player uses them.
struct DecodedSource {
    /// MD5 of each picture as tight planes of its own pixel format, in the order of showing.
    var pictures: [String] = []
    /// PTS of each picture.
    var times: [MediaTime?] = []
    /// Interleaved samples of the first sound stream in its own sample type.
    var samples: [UInt8] = []
    var sampleFormat: AVSampleFormat = AV_SAMPLE_FMT_NONE
    /// Samples per channel.
    var sampleCount = 0
    /// Frames by stream, for all decodable streams.
    var frameCounts: [Int: Int] = [:]
    var damageCount = 0

    /// The details that are kept besides the counts.
    enum Detail { case countsOnly, contents }

    init(_ path: String, detail: Detail = .contents, options: OpenOptions = OpenOptions(), threadCount: Int = 2) throws {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), options: options, interrupt: Interrupt())
        let streams = (demuxer.info.decodable(.video) + demuxer.info.decodable(.audio)).sorted { $0.index < $1.index }
        demuxer.select(Set(streams.map(\.index)))
        let packets = try DecodedSource.allPackets(&demuxer)
        damageCount = demuxer.damageCount
        let firstFrame = streams.first { $0.kind == .video }?.index
        let firstSample = streams.first { $0.kind == .audio }?.index
        for stream in streams {
            let own = packets.filter { $0.stream.number == stream.index }
            frameCounts[stream.index] = 0
            if stream.kind == .video {
                var decoder = try VideoDecoder(stream.parameters, threadCount: threadCount)
                let wanted = detail == .contents && stream.index == firstFrame
                for packet in own.map(Optional.some) + [nil] {
                    while try decoder.send(packet) == .full { try drain(&decoder, stream.index, wanted) }
                    try drain(&decoder, stream.index, wanted)
                }
                damageCount += decoder.damageCount
            } else {
                var decoder = try AudioDecoder(stream.parameters)
                let wanted = detail == .contents && stream.index == firstSample
                for packet in own.map(Optional.some) + [nil] {
                    while try decoder.send(packet) == .full { try drain(&decoder, stream.index, wanted) }
                    try drain(&decoder, stream.index, wanted)
                }
                damageCount += decoder.damageCount
            }
        }
    }

    static func allPackets(_ demuxer: inout Demuxer) throws -> [Packet] {
        var packets: [Packet] = []
        do throws(MediaError) {
            while true { packets.append(try demuxer.read(epoch: Epoch(7))) }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
        return packets
    }

    private mutating func drain(_ decoder: inout VideoDecoder, _ stream: Int, _ wanted: Bool) throws {
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                frameCounts[stream, default: 0] += 1
                if wanted {
                    pictures.append(DecodedSource.digest(frame))
                    times.append(frame.pts)
                }
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
    }

    private mutating func drain(_ decoder: inout AudioDecoder, _ stream: Int, _ wanted: Bool) throws {
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                frameCounts[stream, default: 0] += 1
                if wanted { append(frame) }
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
    }

    static func digest(_ frame: borrowing DecodedFrame) -> String {
        var raw = frame.pointer.pointee
        let format = AVPixelFormat(raw.format)
        let size = av_image_get_buffer_size(format, raw.width, raw.height, 1)
        guard size > 0 else { return "no size" }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        withUnsafePointer(to: &raw.data) { data in
            data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) { planes in
                withUnsafePointer(to: &raw.linesize) { lines in
                    lines.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
                        _ = av_image_copy_to_buffer(&bytes, size, planes, strides, format, raw.width, raw.height, 1)
                    }
                }
            }
        }
        var sum = [UInt8](repeating: 0, count: 16)
        av_md5_sum(&sum, bytes, bytes.count)
        return sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private mutating func append(_ frame: borrowing DecodedFrame) {
        let raw = frame.pointer
        let format = AVSampleFormat(raw.pointee.format)
        sampleFormat = av_get_packed_sample_fmt(format)
        let width = Int(av_get_bytes_per_sample(format))
        let channels = Int(raw.pointee.ch_layout.nb_channels)
        let count = frame.sampleCount
        sampleCount += count
        guard let planes = raw.pointee.extended_data else { return }
        guard av_sample_fmt_is_planar(format) != 0, channels > 1 else {
            samples += UnsafeBufferPointer(start: planes[0]!, count: count * channels * width)
            return
        }
        for sample in 0..<count {
            for channel in 0..<channels {
                samples += UnsafeBufferPointer(start: planes[channel]! + sample * width, count: width)
            }
        }
    }
}
