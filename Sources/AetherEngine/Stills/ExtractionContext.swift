import AetherCore
import AetherDiscs
import AetherMedia

/// A demuxer and a decoder of their own that take single stills out of a source. Lives on the extractor's thread; what it has open is
/// freed there by `close`.
final class ExtractionContext {
    private let origin: StillOrigin
    private let interrupt: Interrupt
    /// Told when the source begins to be opened, and when that is over.
    private let noteOpening: (Bool) -> Void
    private var source: (any StillSource)?
    /// Of a stream.
    private var stream: (catalog: StreamCatalog, previews: StreamPreviews)?
    /// Of the host.
    private var storyboard: StoryboardStills?
    private var decoder: StillReading?
    private var scaler = RasterScaler()

    /// Without an index the last key frame before a point is found by reading: 16 MB are half a minute of a broadcast.
    private static let scanLimit = 16 << 20
    /// Packets between a key frame and its point that are looked at before they are decoded. More than this are decoded all.
    private static let stretchLimit = 32 << 20
    /// A key frame that gives no still alone (the first of two fields, intra refresh) gives one within a second of packets.
    private static let companionLimit = 64

    init(_ origin: StillOrigin, interrupt: Interrupt, noteOpening: @escaping (Bool) -> Void = { _ in }) {
        self.origin = origin
        self.interrupt = interrupt
        self.noteOpening = noteOpening
        storyboard = origin.storyboard.map { StoryboardStills($0, http: origin.http, interrupt: interrupt) }
    }

    /// Whether anything is open.
    var isOpen: Bool { source != nil || decoder != nil || stream != nil }

    /// Frees the decoder and the source.
    func close() {
        decoder = nil
        source = nil
        stream = nil
        // Behind a still of 8K its planes are 0.3 GB.
        scaler = RasterScaler()
    }

    /// The source's outline; opens it. Throws as `Demuxer` does, `.unsupported` where it cannot be read a second time.
    func outline() throws(MediaError) -> SourceOutline {
        let source = try opened()
        return SourceOutline(startTime: source.sourceStart, duration: source.duration, size: source.stream.size)
    }

    // MARK: - Thumbnails

    /// The key frame at which decoding for a point begins, `width` pixels wide at most. `known` is asked with the key frame's time before
    /// anything is decoded.
    func thumbnail(
        at point: MediaTime, width: Int, known: (MediaTime) -> ExtractedStill?
    ) throws(MediaError) -> (still: ExtractedStill, key: MediaTime) {
        if let held = origin.held(point, true), let key = held.packets.first, let time = key.pts ?? key.dts {
            if let still = known(time) { return (still, time) }
            if let still = try keyStill(key, of: held.stream, width: width, fallback: time) { return (still, time) }
        }
        if let found = try boardStill(at: point, known: known) { return found }
        if let found = try preview(at: point, width: width, known: known) { return found }
        let source = try opened()
        source.offset = origin.offset(point)
        guard let key = try source.key(at: point, scanLimit: Self.scanLimit) else {
            throw MediaError(.endOfMedia, "extract a still", reason: "no key frame lies there")
        }
        let time = key.pts ?? key.dts ?? point
        if let still = known(time) { return (still, time) }
        if let still = try keyStill(key, of: source.stream, width: width, fallback: time) { return (still, time) }
        // The key frame alone gave no frame: packets behind it are needed.
        let reading = try reading(of: source.stream, .fast(source.stream, width: width))
        reading.decoder.flush()
        var next: Packet? = key
        for _ in 0..<Self.companionLimit {
            guard let packet = next else { break }
            if let frame = try reading.feed(packet) {
                return (try finish(frame, source.stream, .wide(width), fallback: time), time)
            }
            next = try source.nextPacket()
        }
        if let frame = try reading.drain() { return (try finish(frame, source.stream, .wide(width), fallback: time), time) }
        throw MediaError(.decodeFailed, "extract a still", reason: "no frame begins there")
    }

    /// The still that the host's storyboard has; nil where it has none. The source is not opened for it.
    private func boardStill(
        at point: MediaTime, known: (MediaTime) -> ExtractedStill?
    ) throws(MediaError) -> (still: ExtractedStill, key: MediaTime)? {
        guard storyboard != nil else { return nil }
        let start = origin.start() + origin.offset(point)
        guard let passed = storyboard?.time(of: point - start) else { return nil }
        let time = start + passed
        if let still = known(time) { return (still, time) }
        try checkInterrupt()
        return try storyboard?.still(at: point - start).map { (ExtractedStill(image: $0, time: time), time) }
    }

    /// The still that a stream has for a few KB; nil where it has none.
    private func preview(
        at point: MediaTime, width: Int, known: (MediaTime) -> ExtractedStill?
    ) throws(MediaError) -> (still: ExtractedStill, key: MediaTime)? {
        try open()
        let offset = origin.offset(point)
        while let previews = stream?.previews, let place = try previews.place(of: point - offset) {
            let time = place.time + offset
            if let still = known(time) { return (still, time) }
            switch try previews.still(of: place) {
            case .image(let image): return (ExtractedStill(image: image, time: time), time)
            case .packet(let packet, let stream):
                let still = try keyStill(packet, of: stream, width: width, fallback: time)
                if let still { return (ExtractedStill(image: still.image, time: time), time) }
                previews.fail()
            case nil: continue
            }
        }
        return nil
    }

    /// Decodes one packet alone; nil where that gives nothing.
    private func keyStill(
        _ key: Packet, of stream: StreamInfo, width: Int, fallback: MediaTime
    ) throws(MediaError) -> ExtractedStill? {
        let reading = try reading(of: stream, .fast(stream, width: width))
        reading.decoder.flush()
        try checkInterrupt()
        if let frame = try reading.feed(key) { return try finish(frame, stream, .wide(width), fallback: fallback) }
        guard let frame = try reading.drain() else { return nil }
        return try finish(frame, stream, .wide(width), fallback: fallback)
    }

    // MARK: - Exact stills

    /// The last still that begins at or before a point (the first one, where none does), and the last point that it is known to cover.
    func snapshot(at point: MediaTime, box: PixelSize?) throws(MediaError) -> (still: ExtractedStill, end: MediaTime) {
        if let held = origin.held(point, false) {
            var packets = held.packets[...]
            let found = try exact(at: point, of: held.stream, box: box) { () throws(MediaError) in packets.popFirst() }
            if let found, origin.open == nil || Self.isRight(found.still.time, at: point, held) { return found }
        }
        let source = try opened()
        source.offset = origin.offset(point)
        var retreat = SeekRetreat(target: point, start: source.start)
        var from = point
        var late: (still: ExtractedStill, end: MediaTime)?
        while true {
            // Where nothing can be decoded, decoding begins further back, too.
            let key = try source.key(at: from, scanLimit: Self.scanLimit)
            var first = key
            let found = try exact(at: point, of: source.stream, box: box) { () throws(MediaError) -> Packet? in
                if let packet = first.take() { return packet }
                return try source.nextPacket()
            }
            late = found ?? late
            let shown = found?.still.time ?? MediaTime(nanoseconds: .max)
            guard let earlier = retreat.next(begun: key?.beginning ?? from, shown: shown) else { break }
            from = earlier
        }
        guard let late else { throw MediaError(.decodeFailed, "extract a still", reason: "no frame can be decoded there") }
        return late
    }

    /// Whether that frame of packets that are held is on screen at the point, or the first of all.
    private static func isRight(_ time: MediaTime, at point: MediaTime, _ held: HeldStills) -> Bool {
        var retreat = SeekRetreat(target: point, start: held.stream.firstPoint ?? .zero)
        return retreat.next(begun: held.packets.first?.beginning ?? time, shown: time) == nil
    }

    private func exact(
        at point: MediaTime, of stream: StreamInfo, box: PixelSize?, next: () throws(MediaError) -> Packet?
    ) throws(MediaError) -> (still: ExtractedStill, end: MediaTime)? {
        let reading = try reading(of: stream, .exact(stream))
        reading.decoder.flush()
        var stretch = Stretch(point: point, limit: Self.stretchLimit)
        var search = ExactSearch(point: point, frameRate: stream.frameRate?.value)
        while !search.isDone {
            try checkInterrupt()
            try stretch.fill(next)
            guard let packet = stretch.popFirst() else {
                while !search.isDone, let frame = try reading.drain() { search.take(frame) }
                break
            }
            reading.decoder.apply(DecodeEffort(discard: stretch.isCovered(packet) ? .nonReference : .none))
            if let frame = try reading.feed(packet) { search.take(frame) }
            while !search.isDone, let frame = try reading.receive() { search.take(frame) }
        }
        let time = search.time ?? point, end = search.end
        guard let frame = search.candidate.take() else { return nil }
        return (try finish(frame, stream, .fitted(box), fallback: time), end)
    }

    // MARK: - Parts

    private func checkInterrupt() throws(MediaError) {
        if interrupt.isRaised { throw MediaError(.interrupted, "extract a still") }
    }

    /// The open source; opens it.
    func opened() throws(MediaError) -> any StillSource {
        let wanted = origin.stream()
        // The streams of another quality have other numbers.
        if let source, stream == nil, wanted.map({ source.stream.id != $0 }) ?? false { self.source = nil }
        try open()
        if let source { return source }
        guard let stream else { throw MediaError(.interrupted, "extract a still") }
        return try asOpening { () throws(MediaError) in
            let fresh = try StreamStills(JoinedSource(try opening.sources(stream.catalog)), name: stream.catalog.name)
            source = fresh
            return fresh
        }
    }

    /// Opens a file, or a stream's manifest and the list of its previews, where that has not been done.
    private func open() throws(MediaError) {
        guard source == nil, stream == nil else { return }
        guard let open = origin.open else {
            throw MediaError(.unsupported, "extract a still", reason: "the source can only be read once")
        }
        try asOpening { () throws(MediaError) in
            let input = try open(interrupt)
            if case .reader(let disc as BluRayReader, let name) = input {
                source = try StreamStills(
                    BluRaySource(disc, name: name, options: origin.options, interrupt: interrupt), name: name)
                return
            }
            guard let document = try StreamDocument(input, http: origin.http) else {
                source = try SourceReading(input, options: origin.options, stream: origin.stream(), interrupt: interrupt)
                return
            }
            let catalog = try opening.catalog(document)
            let previews = StreamPreviews(catalog, options: origin.options, interrupt: interrupt)
            stream = (catalog, previews)
            _ = try previews.place(of: .zero)
        }
    }

    /// Newer requests do not break this off.
    private func asOpening<Value>(_ body: () throws(MediaError) -> Value) throws(MediaError) -> Value {
        noteOpening(true)
        defer { noteOpening(false) }
        return try body()
    }

    private var opening: StreamOpening {
        StreamOpening(
            options: origin.options, window: origin.window, wishes: origin.wishes, interrupt: interrupt, time: SystemTime())
    }

    private func reading(of stream: StreamInfo, _ way: StillReading.Way) throws(MediaError) -> StillReading {
        if let decoder, decoder.serves(stream, way) { return decoder }
        decoder = nil
        let fresh = try StillReading(stream, way)
        decoder = fresh
        return fresh
    }

    private enum Extent {
        case wide(Int)
        case fitted(PixelSize?)
    }

    private func finish(
        _ frame: borrowing DecodedFrame, _ stream: StreamInfo, _ extent: Extent, fallback: MediaTime
    ) throws(MediaError) -> ExtractedStill {
        // As the player does: a frame's own word counts more than the container's.
        let orientation = frame.orientation ?? stream.orientation
        let turn = orientation.turn
        let aspect = frame.sampleAspect ?? stream.sampleAspect.value
        let own = PixelSize(width: frame.width, height: frame.height)
        let shown = StillSize.shown(own, sampleAspect: aspect, turn: turn)
        let box =
            switch extent {
            case .wide(let width): PixelSize(width: min(width, shown.width), height: RasterScaler.maximumSide)
            case .fitted(let box): StillSize.box(shown, within: box)
            }
        let fit = FrameFit(stream: own, sampleAspect: aspect, rotation: turn, box: box)
        (scaler.toneMapping, scaler.background) = origin.look()
        return ExtractedStill(
            image: try scaler.scale(frame, to: fit.frameTarget).oriented(orientation), time: frame.pts ?? fallback)
    }
}
