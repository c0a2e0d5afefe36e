public import AetherCore
public import AetherMedia

/// Looks at single frames of a source for inspectors, with a demuxer and a decoder of its own beside the player: nothing of it runs unless it is
/// asked. Lives on one thread; a look blocks.
public final class FrameInspection {
    /// The source, and the flag that ends all looks at it.
    public struct Origin: Sendable {
        let stills: StillOrigin
        let time: any TimeSource
        /// Raised: the look at work ends with `.interrupted`, and so do all later ones.
        public let interrupt = Interrupt()
    }

    private let context: ExtractionContext
    private let origin: Origin
    private var scaler = RasterScaler()

    /// Without an index the last key frame before a point is found by reading.
    private static let scanLimit = 16 << 20
    /// Frames behind the one on screen that are listed, where the next key frame does not end the list earlier.
    private static let ahead = 24
    /// Packets of one look; the longest stretches between key frames have a few thousand.
    private static let packetLimit = 4000

    /// For a source; nothing is opened before the first look.
    public init(_ origin: Origin) {
        self.origin = origin
        context = ExtractionContext(origin.stills, interrupt: origin.interrupt)
    }

    /// A source that is not being played.
    public static func origin(
        of source: MediaSource, options: OpenOptions = OpenOptions(), http: HTTPOptions = HTTPOptions(),
        time: any TimeSource = SystemTime()
    ) -> Origin { Origin(stills: StillOrigin(source, options: options, http: http), time: time) }

    /// Looks at the frame that is on screen at a point, and at those from its key frame on. Blocks. Throws as `Demuxer` and `VideoDecoder` do,
    /// `.unsupported` where the source cannot be read a second time, `.interrupted` where `goesOn` says no, which is asked for each packet.
    public func look(_ wish: FrameWish, goesOn: () -> Bool = { true }) throws(MediaError) -> FrameLook {
        let begin = origin.time.now()
        let feed = try feed(from: wish.point)
        var packet = feed.first
        let stream = feed.stream
        var decoder = try VideoDecoder(
            stream.parameters, threadCount: 1, effort: DecodeEffort(omitsFilmGrain: !wish.drawsGrain, tellsCoding: true))
        var run = Run(wish.point, stream, origin.time)
        for _ in 0..<Self.packetLimit {
            if origin.interrupt.isRaised || !goesOn() { throw MediaError(.interrupted, "inspect a frame") }
            try run.feed(packet, to: &decoder)
            if run.isDone(ahead: Self.ahead) { break }
            guard let next = try feed.next() else {
                try run.drain(&decoder)
                break
            }
            // What a key frame behind the point begins is not part of it.
            if next.isKey, let time = next.pts ?? next.dts, time > wish.point {
                try run.drain(&decoder)
                break
            }
            packet = next
        }
        var look = try finish(&run, wish, stream)
        (look.codec, look.decoder) = (stream.codecName, decoder.name)
        look.cost = origin.time.now() - begin
        return look
    }

    /// Packets from a key frame on.
    private struct Feed {
        let stream: StreamInfo
        let first: Packet
        let next: () throws(MediaError) -> Packet?
    }

    /// Those of the source; where it can only be read once, those that the player has in memory.
    private func feed(from point: MediaTime) throws(MediaError) -> Feed {
        do throws(MediaError) {
            let source = try context.opened()
            source.offset = origin.stills.offset(point)
            guard let first = try source.key(at: point, scanLimit: Self.scanLimit) else {
                throw MediaError(.endOfMedia, "inspect a frame", reason: "no key frame lies there")
            }
            return Feed(stream: source.stream, first: first) { () throws(MediaError) in try source.nextPacket() }
        } catch {
            guard error.code == .unsupported || error.code == .seekFailed, let held = origin.stills.held(point, false),
                let first = held.packets.first
            else { throw error }
            var rest = held.packets.dropFirst()
            return Feed(stream: held.stream, first: first) { () throws(MediaError) in rest.popFirst() }
        }
    }

    /// Lets go of the source.
    public func close() { context.close() }

    private func finish(_ run: inout Run, _ wish: FrameWish, _ stream: StreamInfo) throws(MediaError) -> FrameLook {
        var look = FrameLook()
        look.frames = run.stretch.frames
        look.shown = run.stretch.shown(at: wish.point)
        look.time = run.search.time
        guard let frame = run.search.candidate.take() else {
            throw MediaError(.decodeFailed, "inspect a frame", reason: "no frame can be decoded there")
        }
        look.size = PixelSize(width: frame.width, height: frame.height)
        look.hasFilmGrain = frame.hasFilmGrain
        (look.vectors, look.quantisers) = (frame.vectors, frame.quantisers)
        let aspect = frame.sampleAspect ?? stream.sampleAspect.value
        let own = PixelSize(width: frame.width, height: frame.height)
        // Not turned: vectors and points are in the frame as it was coded.
        let fit = FrameFit(stream: own, sampleAspect: aspect, rotation: .none, box: wish.box)
        let appearance = origin.stills.look()
        (scaler.toneMapping, scaler.background) = appearance
        look.image = try scaler.scale(frame, to: fit.frameTarget)
        guard wish.wantsLevels else { return look }
        look.levels = FrameLevels(frame)
        look.colour = FrameColour(frame, look.levels, mapping: appearance.toneMapping)
        return look
    }

    /// One decoding from a key frame on.
    private struct Run: ~Copyable {
        var stretch = CodedStretch()
        var search: ExactSearch
        private var references: ReferenceUse
        private let time: any TimeSource
        private var behind = 0

        init(_ point: MediaTime, _ stream: StreamInfo, _ time: any TimeSource) {
            search = ExactSearch(point: point, frameRate: stream.frameRate?.value)
            references = ReferenceUse(stream.parameters)
            self.time = time
        }

        /// The frame was found, and enough of those behind it.
        func isDone(ahead: Int) -> Bool { search.isDone && behind >= ahead }

        mutating func feed(_ packet: Packet, to decoder: inout VideoDecoder) throws(MediaError) {
            var begin = time.now()
            while try decoder.send(packet) == .full {
                guard try receive(&decoder) else { break }
                begin = time.now()
            }
            stretch.send(packet, took: time.now() - begin, isReference: references.isReference(packet))
            while try receive(&decoder) {}
        }

        mutating func drain(_ decoder: inout VideoDecoder) throws(MediaError) {
            _ = try decoder.send(nil)
            while try receive(&decoder) {}
        }

        /// False where there is no frame now.
        private mutating func receive(_ decoder: inout VideoDecoder) throws(MediaError) -> Bool {
            let begin = time.now()
            let frame: DecodedFrame?
            do throws(MediaError) {
                frame = try decoder.receive()
            } catch {
                if error.code == .endOfMedia { return false }
                throw error
            }
            stretch.add(time.now() - begin)
            guard let frame else { return false }
            if search.isDone { behind += 1 }
            stretch.take(
                pts: frame.pts, type: frame.type, quantisers: frame.quantisers, vectorCount: frame.vectorCount,
                isReference: references.isReference(frame.type))
            search.take(frame)
            return true
        }
    }
}
