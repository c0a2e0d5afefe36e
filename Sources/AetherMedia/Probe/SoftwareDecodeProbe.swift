public import AetherCore
import CFFmpeg

/// The result of an attempt to decode the video of a source. The names are those of the JSON.
public struct SoftwareDecodeProbeResult: Sendable, Equatable {
    /// The meaning of the result for playback.
    public enum Verdict: Int, Sendable {
        /// Frames came out. Exit status 0.
        case healthy = 0
        /// The decoder opened, but gave nothing. Exit status 1.
        case noFrames = 1
        /// The source or its decoder could not be opened. Exit status 2.
        case openFailed = 2
    }

    /// libavcodec's name and number of the codec of the first video stream.
    public var codecName = ""
    /// libavcodec's `AVCodecID`.
    public var codecID: Int32 = 0
    /// Pixels, as the container says.
    public var width: Int32 = 0
    /// Pixels, as the container says.
    public var height: Int32 = 0
    /// Source and decoder were opened; else why not.
    public var openSucceeded = false
    /// The error's sentence; nil where nothing failed.
    public var openError: String?
    /// Packets of all streams, video packets that the decoder took, and frames that it gave.
    public var packetsRead = 0
    /// Packets of video that the decoder took.
    public var packetsFedToDecoder = 0
    /// Frames that the decoder gave.
    public var framesDecoded = 0
    /// Of the first frame: FFmpeg's name of its format, and pixels.
    public var firstFramePixelFormat: String?
    /// Pixels.
    public var firstFrameWidth = 0
    /// Pixels.
    public var firstFrameHeight = 0
    /// The decoder's first complaint, in FFmpeg's words.
    public var firstError: String?
    /// Frames per second of decoding time, reading included; nil without frames.
    public var fps: Double?

    /// A result of nothing done yet.
    public init() {}

    /// The verdict.
    public var verdict: Verdict { !openSucceeded ? .openFailed : framesDecoded > 0 ? .healthy : .noFrames }

    /// The result as JSON with the property names as keys; what is unknown is null.
    public var json: JSON {
        .object([
            ("codecName", .string(codecName)), ("codecID", .integer(Int64(codecID))), ("width", .integer(Int64(width))),
            ("height", .integer(Int64(height))), ("openSucceeded", .bool(openSucceeded)), ("openError", JSON(openError)),
            ("packetsRead", .integer(Int64(packetsRead))), ("packetsFedToDecoder", .integer(Int64(packetsFedToDecoder))),
            ("framesDecoded", .integer(Int64(framesDecoded))), ("firstFramePixelFormat", JSON(firstFramePixelFormat)),
            ("firstFrameWidth", .integer(Int64(firstFrameWidth))), ("firstFrameHeight", .integer(Int64(firstFrameHeight))),
            ("firstError", JSON(firstError)), ("fps", fps.map { .number($0) } ?? .null),
        ])
    }
}

/// Reads and decodes the first packets of a source's first video stream, as the player would.
public enum SoftwareDecodeProbe {
    /// Runs the probe over so many packets of the source (0: all). Blocks. Never throws: trouble is part of the result.
    public static func run(
        _ input: MediaInput, options: OpenOptions = OpenOptions(), maxPackets: Int = 100, threadCount: Int = 2,
        interrupt: Interrupt = Interrupt()
    ) -> SoftwareDecodeProbeResult {
        var result = SoftwareDecodeProbeResult()
        do throws(MediaError) {
            var demuxer = try Demuxer(input, options: options, interrupt: interrupt)
            guard let stream = demuxer.info.decodable(.video).first ?? demuxer.info.streams.first(where: { $0.kind == .video })
            else {
                throw MediaError(.noDecodableStream, "decode", subject: input.name, reason: "it has no video")
            }
            let codec = stream.parameters.pointer.pointee
            result.codecName = stream.codecName
            result.codecID = Int32(bitPattern: codec.codec_id.rawValue)
            result.width = codec.width
            result.height = codec.height
            var decoder = try VideoDecoder(stream.parameters, threadCount: threadCount)
            result.openSucceeded = true
            let start = SystemTime().now()
            decode(&demuxer, &decoder, stream: stream.index, maxPackets: maxPackets, into: &result)
            let elapsed = (SystemTime().now() - start).seconds
            if result.framesDecoded > 0, elapsed > 0 { result.fps = Double(result.framesDecoded) / elapsed }
            if result.firstError == nil, decoder.damageCount > 0 {
                result.firstError = "\(decoder.damageCount) damaged packets were left out"
            }
        } catch {
            result.openError = error.description
        }
        return result
    }

    private static func decode(
        _ demuxer: inout Demuxer, _ decoder: inout VideoDecoder, stream: Int, maxPackets: Int,
        into result: inout SoftwareDecodeProbeResult
    ) {
        do throws(MediaError) {
            while maxPackets <= 0 || result.packetsRead < maxPackets {
                let packet: Packet
                do throws(MediaError) {
                    packet = try demuxer.read(epoch: Epoch())
                } catch {
                    if error.code != .endOfMedia { result.firstError = error.description }
                    break
                }
                result.packetsRead += 1
                guard packet.stream.number == stream else { continue }
                result.packetsFedToDecoder += 1
                while try decoder.send(packet) == .full { try drain(&decoder, &result) }
                try drain(&decoder, &result)
            }
            _ = try decoder.send(nil)
            try drain(&decoder, &result)
        } catch {
            if error.code != .endOfMedia, result.firstError == nil { result.firstError = error.description }
        }
    }

    private static func drain(_ decoder: inout VideoDecoder, _ result: inout SoftwareDecodeProbeResult) throws(MediaError) {
        while let frame = try decoder.receive() {
            if result.framesDecoded == 0 {
                result.firstFramePixelFormat = frame.pixelFormatName
                result.firstFrameWidth = frame.width
                result.firstFrameHeight = frame.height
            }
            result.framesDecoded += 1
        }
    }
}
