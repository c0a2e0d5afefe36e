import AetherCore
import AetherSources

@testable import AetherMedia

/// A file in the worker of a box, with libavformat and libavcodec behind it: demuxed, decoded, its subtitles read. What comes out is what a player can
/// take. Crashes of the libraries are found, too, and are what the box is for.
func fuzzWorker(_ input: UnsafeBufferPointer<UInt8>) {
    do throws(MediaError) {
        var options = OpenOptions()
        options.box = nil
        var demuxer = try Demuxer(.reader(MemoryReader(Array(input)), name: "input"), options: options, interrupt: Interrupt())
        let info = demuxer.info
        precondition(SourceRecord.bytes(of: info).count < 160 << 20)
        var decoders: [Int: Decoding] = [:]
        for stream in info.streams where stream.isDecodable && decoders.count < 4 {
            decoders[stream.index] = try Decoding(stream)
        }
        for _ in 0..<60 {
            let packet = try demuxer.read(epoch: Epoch())
            precondition(PacketRecord.bytes(of: packet) != nil)
            try decoders[packet.stream.number]?.take(packet)
        }
        try demuxer.seek(to: info.startTime, stream: nil)
        _ = try demuxer.read(epoch: Epoch())
    } catch {
        precondition(!error.description.isEmpty)
    }
}

/// A decoder of any kind.
private final class Decoding {
    private var video: VideoDecoder? = nil
    private var audio: AudioDecoder? = nil
    private var subtitles: SubtitleDecoder? = nil

    init?(_ stream: StreamInfo) throws(MediaError) {
        switch stream.kind {
        case .video:
            // Decoders do the same to small frames, twenty times as often: a corpus of frames of a megapixel had 55 runs a second.
            guard let size = stream.size, size.width * size.height <= 1 << 16 else { return nil }
            video = try VideoDecoder(stream.parameters, threadCount: 1)
        case .audio: audio = try AudioDecoder(stream.parameters)
        case .subtitle: subtitles = try SubtitleDecoder(stream.parameters)
        default: return nil
        }
    }

    func take(_ packet: Packet) throws(MediaError) {
        for subtitle in try subtitles?.decode(packet) ?? [] {
            precondition(subtitle.lines.allSatisfy { DisplayText.printable($0) == $0 })
        }
        _ = try video?.send(packet)
        _ = try audio?.send(packet)
        while let frame = try video?.receive() ?? nil { precondition(frame.width > 0 && frame.height > 0) }
        while let frame = try audio?.receive() ?? nil { precondition(frame.sampleCount >= 0) }
    }
}
