import AetherCore
import AetherFormats
import AetherMedia

/// A source that is open for its stills alone. Lives on one thread; its calls block until the interrupt is raised.
protocol StillSource: AnyObject {
    /// The video, in the format of the packets that were given last.
    var stream: StreamInfo { get }
    /// Nothing of the stream can be decoded before this point, with the offset.
    var start: MediaTime { get }
    /// The start of the source.
    var sourceStart: MediaTime { get }
    /// The duration of the source; nil where unknown.
    var duration: TimeSpan? { get }
    /// The offset that is added to the source's times; counts from the next `key` on.
    var offset: TimeSpan { get set }
    /// The last key packet at or before a point, the first one where none is; `nextPacket` goes on behind it. nil where none comes.
    func key(at point: MediaTime, scanLimit: Int) throws(MediaError) -> Packet?
    /// The next packet of the stream, nil at the end. Damage that ends a source is its end here.
    func nextPacket() throws(MediaError) -> Packet?
}

/// A container that is open for its stills.
final class SourceReading: StillSource {
    private var demuxer: Demuxer
    let stream: StreamInfo
    var offset = TimeSpan.zero
    private let input: MediaInput
    private let options: OpenOptions
    private let interrupt: Interrupt

    /// Opens the source and chooses the video stream: the one of that number, else the one that playing begins with. Blocks. Throws as
    /// `Demuxer`, `.noDecodableStream` without stills.
    init(_ input: MediaInput, options: OpenOptions, stream wanted: StreamID?, interrupt: Interrupt) throws(MediaError) {
        self.input = input
        self.options = options
        self.interrupt = interrupt
        var demuxer = try Demuxer(input, options: options, interrupt: interrupt)
        let videos = VideoCrops.described(demuxer).decodable(.video)
        let usual = TrackSelection.video(demuxer.info.tracks(.video))?.stream
        guard
            let stream = videos.first(where: { $0.id == wanted }) ?? videos.first(where: { $0.id == usual }) ?? videos.first
        else { throw MediaError(.noDecodableStream, "extract a still", subject: input.name, reason: "it has no video") }
        demuxer.select([stream.index])
        self.demuxer = demuxer
        self.stream = stream
    }

    var sourceStart: MediaTime { demuxer.info.startTime }
    var duration: TimeSpan? { demuxer.info.duration }
    var start: MediaTime { (stream.firstPoint ?? demuxer.info.startTime) + offset }

    func key(at point: MediaTime, scanLimit: Int) throws(MediaError) -> Packet? {
        let isIndexed = demuxer.info.family.isIndexed
        if demuxer.info.isSeekable {
            try demuxer.seek(to: point - offset, stream: stream.index)
        } else {
            try restart()
        }
        var scan = KeyScan(
            point, limit: demuxer.info.isSeekable ? scanLimit : .max, stopsAtFirst: isIndexed && demuxer.info.isSeekable)
        while let packet = try readPacket(), scan.take(packet) {}
        ahead = scan.packets
        return ahead.isEmpty ? nil : ahead.removeFirst()
    }

    /// Packets behind the last one that was given, read already.
    private var ahead: [Packet] = []

    func nextPacket() throws(MediaError) -> Packet? {
        if !ahead.isEmpty { return ahead.removeFirst() }
        return try readPacket()
    }

    private func readPacket() throws(MediaError) -> Packet? {
        do throws(MediaError) {
            let packet = try demuxer.read(epoch: Epoch())
            if offset != .zero { packet.shift(by: offset) }
            return packet
        } catch {
            if error.code == .endOfMedia || error.code == .readFailed { return nil }
            throw error
        }
    }

    /// A source that cannot seek is read from its start again.
    private func restart() throws(MediaError) {
        ahead = []
        let reader: (any IOReader)? =
            switch input {
            case .reader(let reader, _), .document(let reader, _, _): reader
            case .url: nil
            }
        if let reader {
            do throws(IOReaderError) {
                try reader.seek(to: 0)
            } catch {
                throw MediaError(
                    .seekFailed, "extract a still", subject: input.name, reason: "the source can only be read once")
            }
        }
        var fresh = try Demuxer(input, options: options, interrupt: interrupt)
        fresh.select([stream.index])
        demuxer = fresh
    }
}
