import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import Synchronization

/// Looks into the file that plays for the Debug face, on threads of its own and with a reader of its own: a server or a disk may not answer.
/// The newest wish counts. Nothing runs while the face is closed.
final class InspectorDesk: Sendable {
    private enum Wish: Sendable {
        /// Of a stream the segments around a time of the variant that plays.
        case parts(MediaLocation, variant: MediaVariant.ID?, position: MediaTime)
        case samples(MediaLocation)
        case bytes(MediaLocation, offset: Int64, count: Int)
        case segment(InspectedSegment, row: Int, offset: Int64, count: Int)
    }

    private let parts: Requests<Wish, InspectorFind>
    private let bytes: Requests<Wish, InspectorFind>
    private let frames: Requests<FrameQuestion, InspectorFind>
    /// Of the file that frames were last asked of.
    private let origin = Mutex<(location: MediaLocation, origin: FrameInspection.Origin)?>(nil)

    /// Of the stream that was last looked into, row by row.
    private let segments = Monitor<[InspectedSegment]>([])

    /// A question to the thread that decodes.
    private enum FrameQuestion: Sendable {
        case look(FrameRequest, FrameInspection.Origin)
        /// Let go of the source.
        case close
    }

    /// `wake` is signalled when something was found.
    init(wake: WakeHandle, http: HTTPOptions) {
        let worker: @Sendable () -> Requests<Wish, InspectorFind>.Worker = { [segments] in
            { wish, turn in Self.find(wish, http, segments, turn) }
        }
        parts = Requests(name: "inspect", urgency: .bulk, threads: 2, wake: { wake.wake() }, makeWorker: worker)
        bytes = Requests(name: "inspect", urgency: .bulk, threads: 2, wake: { wake.wake() }, makeWorker: worker)
        // The thread keeps the source open from look to look.
        frames = Requests(name: "inspect", urgency: .bulk, staysReady: true, wake: { wake.wake() }) {
            var open: (interrupt: ObjectIdentifier, inspection: FrameInspection)?
            return { question, turn in
                guard case .look(let request, let origin) = question else {
                    open?.inspection.close()
                    open = nil
                    return nil
                }
                let name = ObjectIdentifier(origin.interrupt)
                if open?.interrupt != name {
                    open?.inspection.close()
                    open = (name, FrameInspection(origin))
                }
                return open.flatMap { Self.look($0.inspection, request, turn) }
            }
        }
    }

    /// Asks; never blocks. Frames are those of the source that the engine plays.
    func obey(_ request: InspectorRequest, _ location: MediaLocation, _ engine: AetherEngine) {
        switch request {
        case .open:
            let snapshot = engine.snapshot()
            segments.update { $0 = [] }
            parts.ask(.parts(location, variant: snapshot.activeVariant, position: snapshot.position))
        case .samples: parts.ask(.samples(location))
        case .bytes(let offset, let count, nil): bytes.ask(.bytes(location, offset: offset, count: count))
        case .bytes(let offset, let count, let row?):
            let segment = segments.read { $0.indices.contains(row) ? $0[row] : nil }
            if let segment { bytes.ask(.segment(segment, row: row, offset: offset, count: count)) }
        case .frame(let request):
            let known = origin.withLock { $0?.location == location ? $0?.origin : nil }
            guard let present = known ?? engine.frameOrigin() else { return }
            if known == nil {
                closeFrames()
                origin.withLock { $0 = (location, present) }
            }
            frames.ask(.look(request, present))
        case .close:
            parts.drop()
            bytes.drop()
            closeFrames()
        }
    }

    /// The next answer, once. Never blocks.
    func take() -> InspectorFind? { parts.take() ?? bytes.take() ?? frames.take() }

    private func closeFrames() {
        let former = origin.withLock { origin in
            defer { origin = nil }
            return origin?.origin
        }
        guard let former else { return }
        former.interrupt.raise()
        frames.ask(.close)
    }

    /// Blocks while it decodes.
    private static func look(_ inspection: FrameInspection, _ request: FrameRequest, _ turn: RequestTurn) -> InspectorFind? {
        do throws(MediaError) {
            let begin = SystemTime().now()
            let look = try inspection.look(request.wish) { turn.isWanted }
            var view = FrameView(request, look, number: turn.number)
            // Drawing and renderers count, too.
            view.cost = SystemTime().now() - begin
            return .frame(view)
        } catch {
            guard error.code != .interrupted else { return nil }
            Log.module("inspect").info("\(error)")
            let trouble = error.reason.isEmpty ? error.description : error.reason
            return .frame(FrameView(request: request, look: FrameLook(), trouble: trouble, image: nil, number: turn.number))
        }
    }

    /// Blocks on the file system or a server.
    private static func find(
        _ wish: Wish, _ http: HTTPOptions, _ segments: Monitor<[InspectedSegment]>, _ turn: RequestTurn
    ) -> InspectorFind? {
        switch wish {
        case .parts(let location, let variant, let position):
            guard let source = source(location, http, turn) else {
                return .failed(translated("Its bytes cannot be read beside the player."))
            }
            let inspection = ContainerInspection(source)
            guard turn.isWanted else { return nil }
            guard let inspection else {
                guard SegmentInspection.reads(source.bytes(at: 0, count: 64 << 10)) else {
                    return .failed(translated("The inspector cannot read this kind of file."))
                }
                return stream(location, http, variant, position, segments, turn)
            }
            return .parts(format: inspection.format.rawValue, boxes: inspection.boxes, samples: MovieSamples.list(source))
        case .samples(let location):
            // A server would have to send all of it.
            guard case .file = location, location.traits.isRepeatable else { return .samples(nil) }
            var list = SourceSamples.list(location) { turn.isWanted }
            if list != nil, let source = source(location, http, turn) { list?.readDependencies(of: source) }
            return .samples(list)
        case .bytes(let location, let offset, let count):
            guard let source = source(location, http, turn) else { return nil }
            return .bytes(offset: offset, bytes: Array(source.bytes(at: offset, count: min(count, 4096))))
        case .segment(let segment, let row, let offset, let count):
            let interrupt = Interrupt()
            turn.onDrop { interrupt.raise() }
            guard let bytes = segment.bytes(at: offset, count: min(count, 4096), interrupt: interrupt) else { return nil }
            return .bytes(offset: offset, bytes: bytes, segment: row)
        }
    }

    /// The segments around a time.
    private static func stream(
        _ location: MediaLocation, _ http: HTTPOptions, _ variant: MediaVariant.ID?, _ position: MediaTime,
        _ segments: Monitor<[InspectedSegment]>, _ turn: RequestTurn
    ) -> InspectorFind? {
        let interrupt = Interrupt()
        turn.onDrop { interrupt.raise() }
        do throws(MediaError) {
            let stream = try SegmentInspection(
                location, http: http, workingFolder: SystemText.workingDirectory,
                now: SystemText.wallClock.unix * 1_000_000_000, choice: .variant(variant), interrupt: interrupt)
            stream.list(around: position) { turn.isWanted }
            guard turn.isWanted else { return nil }
            segments.update { $0 = stream.segments }
            let format = translated("\(stream.listed) of \(stream.total) segments")
            return .parts(format: format, boxes: stream.boxes, samples: nil, isStream: true)
        } catch {
            guard turn.isWanted else { return nil }
            Log.module("inspect").info("\(error)")
            return .failed(translated("Its segments cannot be read: \(error.reason.isEmpty ? error.description : error.reason)"))
        }
    }

    private static func source(_ location: MediaLocation, _ http: HTTPOptions, _ turn: RequestTurn) -> InspectedBytes? {
        do throws(IOReaderError) {
            let reader: any IOReader
            if case .url = location {
                guard let server = try location.serverReader(http) else { return nil }
                turn.onDrop { server.cancel() }
                try server.open()
                reader = server
            } else {
                // A pipe is read by the player alone.
                guard location.traits.isRepeatable, location != .standardInput, let file = try location.openReader() else {
                    return nil
                }
                reader = file
            }
            guard reader.isSeekable else { return nil }
            return InspectedBytes(size: reader.size, isFrugal: !reader.traits.isLocal) { offset, count in
                do throws(IOReaderError) {
                    try reader.seek(to: offset)
                    return try reader.bytes(limit: count)
                } catch {
                    // A sample that could not be read is missing in the list.
                    return nil
                }
            }
        } catch {
            Log.module("inspect").info("\(error)")
            return nil
        }
    }
}
