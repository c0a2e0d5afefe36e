import AetherCore
import AetherFormats
import Synchronization

/// The bytes of one part of a glued source: its end is where the next one begins, by what is known of the source or by what is seen in the
/// bytes. Offsets are the part's own. One reader at a time is used of those over the same source.
final class GluedPartReader: IOReader {
    private struct State {
        /// Of the next byte to give, in the source.
        var position: Int64
        /// Read from the source and not given: it may be the next part's.
        var held: [UInt8]
        /// Where the part ends in the source, once that is known.
        var end: Int64?
        var splice: TransportSplice

        /// Takes what is known to be the part's.
        mutating func take(limit: Int) -> [UInt8] {
            let count = min(held.count, limit, Int(clamping: max(0, (end ?? splice.cleared) - position)))
            let given = Array(held.prefix(count))
            held.removeFirst(count)
            position += Int64(count)
            return given
        }

        /// Looks at bytes of the source, which hold none back before them: how many of them are known to be the part's. The others are held.
        /// Mostly that is all: they are given as they were read, without a copy.
        mutating func pass(_ bytes: UnsafeRawBufferPointer) -> Int {
            if end == nil {
                splice.take(bytes)
                end = splice.place
            }
            let count = min(bytes.count, Int(clamping: max(0, (end ?? splice.cleared) - position)))
            held.append(contentsOf: bytes[count...])
            position += Int64(count)
            return count
        }

        /// Takes bytes of the source behind those that are held.
        mutating func put(_ bytes: UnsafeRawBufferPointer) {
            held.append(contentsOf: bytes)
            guard end == nil else { return }
            splice.take(bytes)
            end = splice.place
        }
    }
    private let source: any IOReader
    /// Where the part begins in the source.
    let start: Int64
    private let state: Mutex<State>

    /// The part that begins where the source stands, at `start`. `held`: bytes of it that were read from the source before.
    init(_ source: any IOReader, start: Int64, end: Int64? = nil, held: [UInt8] = []) {
        (self.source, self.start) = (source, start)
        var state = State(position: start, held: [], end: end, splice: TransportSplice(at: start))
        held.withUnsafeBytes { state.put($0) }
        self.state = Mutex(state)
    }

    /// Where the part ends in the source, once that is known.
    var end: Int64? { state.withLock { $0.end } }

    /// The bytes that were read behind the end of the part: a source that cannot seek does not give it again.
    var beyond: [UInt8] { state.withLock { $0.held } }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while true {
            let (given, left) = state.withLock { state -> ([UInt8], Int64?) in
                (state.take(limit: buffer.count), state.end.map { $0 - state.position })
            }
            if !given.isEmpty {
                buffer.copyBytes(from: given)
                return given.count
            }
            if let left, left <= 0 { return 0 }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: left ?? Int64(buffer.count))))
            let count = try source.read(room)
            if count > 0 {
                let given = take(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
                if given > 0 { return given }
            } else if !releaseHeld() {
                return 0
            }
        }
    }

    /// Takes bytes that the source has given; how many of them are given on at once.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        state.withLock { state in
            if state.held.isEmpty { return state.pass(bytes) }
            state.put(bytes)
            return 0
        }
    }

    /// Nothing follows what is held: all of it is the part's. Returns whether there was any.
    private func releaseHeld() -> Bool {
        state.withLock { state in
            guard !state.held.isEmpty else { return false }
            state.splice.end()
            return true
        }
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        try source.seek(to: start + offset)
        state.withLock { state in
            state.held = []
            state.position = start + offset
            if state.end == nil { state.splice.move(to: start + offset) }
        }
    }

    /// Goes on where it was after another reader of the same source.
    func reclaim() throws(IOReaderError) {
        let place = state.withLock { $0.position + Int64($0.held.count) }
        try source.seek(to: place)
    }

    var size: Int64? { (end ?? source.size).map { max(0, $0 - start) } }
    var isSeekable: Bool { source.isSeekable }
    var traits: IOReaderTraits { source.traits }
    var isGrowing: Bool { end == nil && source.isGrowing }
    func follow() { source.follow() }
    func cancel() { source.cancel() }
    func resume() { source.resume() }
    func close() { source.close() }

    /// Always nil: the source has independent readers.
    func makeIndependentReader() -> (any IOReader)? { nil }
}
