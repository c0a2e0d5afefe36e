public import AetherCore
import AetherDiscs
public import AetherMedia
import AetherSources

/// The packets of any source that the player opens, for uses other than playing. Lives on one thread: opening, `next` and `seek` block on
/// the source until the interrupt is raised, and then throw `.interrupted`.
public final class SourcePackets {
    /// One step of reading.
    public enum Step {
        /// The next packet of video or audio, on the source axis.
        case packet(Packet)
        /// The texts of a subtitle track, in the order of their coming.
        case texts([DecodedSubtitle], of: StreamID)
        /// No packet: the streams have changed, or nothing more is known than how far reading has come.
        case news
        /// The times of the source begin anew behind the ones before.
        case discontinuity
    }

    /// Subtitle streams whose packets come as they are, and not as texts. Renditions of texts, which have no packets, do not care.
    public var undecoded: Set<StreamID> = []
    /// A manifest or the tables of a disc say where on the axis everything lies: a seek finds the same as reading on does.
    public let isPlacedByTables: Bool
    private let source: JoinedSource
    private let interrupt: Interrupt
    private var decoders: [StreamID: TextDecoder] = [:]
    private let room = SubtitleRoom()
    private var run = Epoch()

    /// A decoder that cannot be copied, in a dictionary.
    private final class TextDecoder {
        private var packets: SubtitlePackets
        init(_ stream: StreamInfo, _ room: SubtitleRoom) throws(MediaError) {
            packets = try SubtitlePackets(stream, room: room)
        }
        func decode(_ packet: Packet) throws(MediaError) -> [DecodedSubtitle] { try packets.decode(packet).subtitles }
        func flush() { packets.flush() }
    }

    /// Opens a source. Of a source in segments, the quality that the options' wishes choose is taken, or the best one without wishes.
    /// Throws as `Demuxer`.
    public init(_ source: MediaSource, options: LoadOptions = LoadOptions(), interrupt: Interrupt) throws(MediaError) {
        let meter = NetworkMeter()
        let input = try MediaInput(
            source, http: options.http, meter: meter, follows: true, disc: options.disc, interrupt: interrupt)
        self.interrupt = interrupt
        if let disc = try Self.disc(input, options: options.open, interrupt: interrupt) {
            (self.source, isPlacedByTables) = (JoinedSource(disc), true)
            return
        }
        guard let document = try StreamDocument(input, http: options.http, meter: meter) else {
            self.source = JoinedSource(try ContainerSource(input, options: options.open, interrupt: interrupt))
            isPlacedByTables = false
            return
        }
        let wishes = options.variantQualifiers.isEmpty ? VariantChoice([.best]) : options.variantChoice
        let opening = StreamOpening(
            options: options.open, window: nil, wishes: wishes, profile: options.liveJoinProfile, interrupt: interrupt,
            time: SystemTime())
        (self.source, isPlacedByTables) = (JoinedSource(try opening.sources(document)), true)
    }

    /// The title of a disc; nil for other inputs.
    private static func disc(
        _ input: MediaInput, options: OpenOptions, interrupt: Interrupt
    ) throws(MediaError) -> (any PacketSource)? {
        guard case .reader(let reader, let name) = input else { return nil }
        switch reader {
        case let reader as TitleReader: return try DiscSource(reader, name: name, options: options, interrupt: interrupt)
        case let reader as BluRayReader: return try BluRaySource(reader, name: name, options: options, interrupt: interrupt)
        case let reader as CompactReader:
            let disc = CompactDescription(reader)
            let source = try ContainerSource(input, options: disc.options(options), interrupt: interrupt)
            source.description = SourceDescription(disc.described(source.description.info), traits: reader.traits)
            return source
        default: return nil
        }
    }

    /// The source, each stream in the format that it had last.
    public var info: SourceInfo { source.description.newest }

    /// A stream in one of its formats; nil for an unknown stream.
    public func stream(_ id: StreamID, format: Int = 0) -> StreamInfo? { source.description.stream(id, format: format) }

    /// The part that seeks can reach; nil where the source can only be read on.
    public var seekable: ClosedRange<MediaTime>? { source.window.seekable }

    /// Whether more comes while it is read.
    public var isLive: Bool { source.window.isLive }

    /// Where a broadcast is joined; nil: at the start.
    public var start: MediaTime? { source.description.start }

    /// The quality that is read; nil for a source that has one.
    public var variant: MediaVariant? {
        guard let variants = source.description.variants else { return nil }
        return variants.list.first { $0.id == variants.active }
    }

    /// The qualities of a source that has several, in the manifest's order.
    public var variants: [MediaVariant] { source.description.variants?.list ?? [] }

    /// The way its bytes come.
    public var traits: IOReaderTraits { source.description.traits }

    /// The times of a stream's key frames with the bytes before each, by the source's index; nil where the source has no index, or no
    /// complete one. `isNominal`: the times come from a manifest, and may be off by as much as its durations are. May block on the index.
    public func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? { source.keyFrames(of: stream) }

    /// Delivers only these streams from now on.
    public func select(_ streams: Set<StreamID>) { source.select(streams) }

    /// The next step. Throws `.endOfMedia` at the end of all that was selected.
    public func next() throws(MediaError) -> Step {
        switch try source.read(run: run) {
        case .packet(let packet):
            guard let stream = source.description.stream(packet.stream, format: packet.format), stream.kind == .subtitle,
                !undecoded.contains(packet.stream)
            else {
                return .packet(packet)
            }
            return .texts(texts(packet, of: stream), of: packet.stream)
        case .cues(let subtitles, let track, _):
            guard let id = track.stream else { return .news }
            return .texts(subtitles, of: id)
        case .discontinuity: return .discontinuity
        case .reached, .described, .window, .expired, .again, .reset, .end: return .news
        }
    }

    /// A text that cannot be decoded is left out: those around it are not worse for that.
    private func texts(_ packet: Packet, of stream: StreamInfo) -> [DecodedSubtitle] {
        do throws(MediaError) {
            if let known = decoders[stream.id] { return try known.decode(packet) }
            let decoder = try TextDecoder(stream, room)
            decoders[stream.id] = decoder
            return try decoder.decode(packet)
        } catch {
            return []
        }
    }

    /// Goes to the last key frame at or before a point. Throws `.seekFailed` where it cannot.
    public func seek(to point: MediaTime, video: StreamID?) throws(MediaError) {
        for decoder in decoders.values { decoder.flush() }
        run = run.next
        _ = try source.seek(to: SeekPlan(target: point, landing: .exact), video: video)
    }
}
