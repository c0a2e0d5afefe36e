import AetherCore
import AetherSources
import Foundation
import Synchronization

/// A file whose bytes come only as far as a test lets them: to stand still, to break off, or to end early.
final class UnsteadyReader: IOReader {
    enum Edge: Sendable { case wait, breakOff, end }
    private struct State {
        var position = 0
        var limit: Int
        var edge: Edge
        var isCancelled = false
        var waits = 0
    }
    private let bytes: [UInt8]
    private let state: Monitor<State>
    let isSeekable: Bool

    /// Gives the bytes before `limit`; what happens there says `edge`.
    init(_ path: String, limit: Double, edge: Edge, isSeekable: Bool = true) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        state = Monitor(State(limit: Int(Double(bytes.count) * limit), edge: edge))
        self.isSeekable = isSeekable
    }

    /// Lets more through.
    func move(limit: Double, edge: Edge) {
        let limit = Int(Double(bytes.count) * limit)
        state.update {
            $0.limit = limit
            $0.edge = edge
        }
    }

    /// How often a read had to wait.
    var waitCount: Int { state.read { $0.waits } }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let bytes = bytes
        var hasWaited = false
        let outcome: Result<Range<Int>, IOReaderError>? = state.wait { state in
            if state.isCancelled { return .failure(.cancelled) }
            let end = min(state.limit, bytes.count, state.position + buffer.count)
            if state.position < end || state.position >= bytes.count {
                let range = min(state.position, bytes.count)..<max(end, min(state.position, bytes.count))
                state.position = range.upperBound
                return .success(range)
            }
            switch state.edge {
            case .breakOff: return .failure(.posix(EIO))
            case .end: return .success(0..<0)
            case .wait:
                if !hasWaited { state.waits += 1 }
                hasWaited = true
                return nil
            }
        }
        let range = try (outcome ?? .failure(.closed)).get()
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        return range.count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        guard isSeekable else { throw .notSeekable }
        state.update { $0.position = Int(offset) }
    }

    var size: Int64? { isSeekable ? Int64(bytes.count) : nil }
    func cancel() { state.update { $0.isCancelled = true } }
    func resume() { state.update { $0.isCancelled = false } }
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { nil }
}
