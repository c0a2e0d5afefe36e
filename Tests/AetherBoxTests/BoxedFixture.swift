import AetherCore
import AetherSources
import AetherTestSupport
import Foundation

@testable import AetherBox
@testable import AetherMedia

/// The results of a source, in a box or without: packets and frames as values that can be compared.
struct BoxedFixture {
    /// The box of the player's program.
    static let box = DecoderBox(path: BoxTests.decoder, patience: .seconds(60))

    /// A box whose workers break as their name says (Tests/BoxTrial).
    static func breaking(_ fault: String, patience: TimeSpan = .seconds(60)) throws -> (box: DecoderBox, folder: TemporaryFolder)
    {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: fault)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: BoxTests.program)
        return (DecoderBox(path: link.path, patience: patience), folder)
    }

    /// A demuxer of a file.
    static func demuxer(
        _ path: String, box: (any MediaBox)?, analysis: OpenOptions.Analysis = .playback
    ) throws(MediaError) -> Demuxer {
        var options = OpenOptions(analysis: analysis)
        options.box = box
        let reader: FileReader
        do throws(IOReaderError) {
            reader = try FileReader(path: path)
        } catch {
            throw MediaError(.cannotOpen, "open", subject: path)
        }
        return try Demuxer(.reader(reader, name: path), options: options, interrupt: Interrupt())
    }

    /// The packets from here on, at most so many, as records.
    static func packets(_ demuxer: inout Demuxer, limit: Int = .max) throws(MediaError) -> [Packet] {
        var packets: [Packet] = []
        while packets.count < limit {
            do throws(MediaError) {
                packets.append(try demuxer.read(epoch: Epoch()))
            } catch {
                guard error.code == .endOfMedia else { throw error }
                break
            }
        }
        return packets
    }

    /// All that is known of a frame, and its pixels or samples.
    struct Frame: Equatable {
        let pts: MediaTime?
        let record: [UInt8]
        let pixels: [UInt8]

        init?(_ frame: borrowing DecodedFrame) {
            guard let room = FrameRecord.room(for: frame) else { return nil }
            pts = frame.pts
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, room), alignment: 64)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            guard let record = FrameRecord.bytes(of: frame, into: memory) else { return nil }
            self.record = record
            pixels = Array(memory)
        }
    }

    /// The frames of packets.
    static func frames<Decoder: VideoDecoding & ~Copyable>(
        _ decoder: inout Decoder, _ packets: [Packet]
    ) throws(MediaError) -> [Frame] {
        var frames: [Frame] = []
        for packet in packets.map(Optional.some) + [nil] {
            while try decoder.send(packet) == .full { try take(&decoder, &frames) }
            try take(&decoder, &frames)
        }
        return frames
    }

    private static func take<Decoder: VideoDecoding & ~Copyable>(
        _ decoder: inout Decoder, _ frames: inout [Frame]
    ) throws(MediaError) {
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                if let value = Frame(frame) { frames.append(value) }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
    }

    /// The samples of packets.
    static func samples(_ decoder: inout AudioDecoder, _ packets: [Packet]) throws(MediaError) -> [Frame] {
        var frames: [Frame] = []
        for packet in packets.map(Optional.some) + [nil] {
            _ = try decoder.send(packet)
            do throws(MediaError) {
                while let frame = try decoder.receive() {
                    if let value = Frame(frame) { frames.append(value) }
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
            }
        }
        return frames
    }
}

extension Packet {
    /// All of it, to compare.
    var record: [UInt8] { PacketRecord.bytes(of: self) ?? [] }
}
