import AetherFormats
import Synchronization

/// The bytes of the segment that is being read, as the server gives them, until it is whole and is kept. One thread reads.
final class SegmentIntake: Sendable {
    private struct State {
        /// Of the segment; nil: none is collected.
        var number: Int64?
        var bytes: [UInt8] = []
        /// How many came before the piece that is read.
        var before = 0
    }
    private let track: KeptTrack
    private let rendition: Rendition.ID
    private let state = Mutex(State())

    /// Keeps whole segments of a rendition.
    init(_ track: KeptTrack, of rendition: Rendition.ID) { (self.track, self.rendition) = (track, rendition) }

    /// A piece comes next. A segment that was begun and is asked for once more begins anew there.
    func begin(_ piece: SegmentPiece) {
        guard let number = piece.number else { return }
        state.withLock { state in
            if state.number != number { state = State(number: number) }
            defer { state.before = state.bytes.count }
            guard !piece.isPart else { return }
            let done = Int(clamping: piece.offset - (piece.range?.offset ?? 0))
            // Bytes before the piece that were not read are missing for good.
            if done > state.bytes.count { state.number = nil } else { state.bytes.removeLast(state.bytes.count - done) }
        }
    }

    /// Drops the bytes of the piece that is read: it is asked for once more.
    func takeBack() { state.withLock { $0.bytes.removeLast(max(0, $0.bytes.count - $0.before)) } }

    /// Takes bytes of the piece.
    func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.number != nil else { return }
            if state.bytes.count + bytes.count > SegmentPast.byteLimit { state = State() } else { state.bytes += bytes }
        }
    }

    /// The segment is whole.
    func end(_ segment: Segment) {
        let bytes = state.withLock { state -> [UInt8]? in
            defer { state = State() }
            return state.number == segment.number ? state.bytes : nil
        }
        if let bytes, !bytes.isEmpty, !segment.isOpen { track.keep(bytes, segment, of: rendition) }
    }
}
