import AetherCore
import AetherMedia
import Synchronization

/// A recording that goes on: takes packets or bytes on the thread that reads them, and writes them on one of its own. Putting never blocks.
final class Recorder: Sendable {
    let order: RecordingOrder
    private let queue = Monitor(RecorderQueue())
    private let state: Monitor<RecordingProgress>
    /// Where its packets come from if not from those that are played.
    private let past = Mutex<RecordedPast?>(nil)
    /// The first packet of a source whose bytes are recorded.
    private let firstTime = Mutex<MediaTime?>(nil)
    /// One sentence for the person.
    private let say: @Sendable (String) -> Void
    private static let log = Log.module("record")

    init(_ order: RecordingOrder, say: @escaping @Sendable (String) -> Void) {
        (self.order, self.say) = (order, say)
        state = Monitor(RecordingProgress(path: order.path))
    }

    /// As of now. Never blocks.
    var progress: RecordingProgress { state.read { $0 } }

    /// Begins with a source and the packets of it that are held.
    func begin(_ description: SourceDescription, held: [Packet]) {
        queue.update { queue in
            queue.put(.described(description))
            for packet in held { queue.put(packet, isHeld: true) }
        }
    }

    /// Begins in the past of a live source, and goes on with it whatever is played.
    func begin(_ description: SourceDescription, past: RecordedPast) {
        self.past.withLock { $0 = past }
        queue.update { queue in
            queue.put(.described(description))
            queue.put(.past(past))
        }
    }

    /// Begins with the source's own bytes.
    func beginBytes(ending: String?) { queue.update { $0.put(.raw(ending: ending)) } }

    func describe(_ description: SourceDescription) { queue.update { $0.put(.described(description)) } }
    func beginRun() { queue.update { $0.put(.run) } }
    func take(_ packet: Packet) { queue.update { $0.put(packet) } }
    func take(_ bytes: RecordedBytes) { queue.update { $0.put(bytes) } }

    /// A packet of the source whose bytes are recorded was read: its time says how much there is.
    func passed(_ time: MediaTime) {
        let first = firstTime.withLock { first in
            first = first ?? time
            return first ?? time
        }
        let span = max(.zero, time - first)
        state.update { $0.span = max($0.span, span) }
        if let wanted = order.span, span >= wanted { close() }
    }

    /// Ends it; what was taken is still written.
    func close() {
        past.withLock { $0 }?.close()
        queue.update { $0.close() }
    }

    /// The body of the thread `record`: returns when the file is complete. Blocks.
    func run() {
        var output = RecordingOutput(order)
        do throws(MediaError) {
            var isOver = false
            while !isOver {
                let items: [RecorderQueue.Item]? = queue.wait { $0.items.isEmpty ? ($0.isClosed ? [] : nil) : $0.takeAll() }
                guard let items, !items.isEmpty else { break }
                for item in items where !isOver { isOver = try carryOut(item, &output) }
                note(output)
            }
            queue.update { $0.abandon() }
            try output.finish()
            note(output)
            end(output.path, .complete)
        } catch {
            queue.update { $0.abandon() }
            Self.log.error("\(error)")
            note(output)
            end(output.path, .failed(error.reason.isEmpty ? "\(error)" : error.reason))
        }
    }

    /// Returns whether the recording is complete.
    private func carryOut(_ item: RecorderQueue.Item, _ output: inout RecordingOutput) throws(MediaError) -> Bool {
        switch item {
        case .described(let description): output.describe(description)
        case .run: output.beginRun()
        case .packet(let packet): try write(packet, &output)
        case .raw(let ending): output.beginBytes(ending: ending)
        case .bytes(let chunk): try output.write(chunk)
        case .past(let past):
            try follow(past, &output)
            return true
        case .end: return true
        }
        return output.isFull
    }

    /// Writes a past up to its edge, and on with that until it is closed.
    private func follow(_ past: RecordedPast, _ output: inout RecordingOutput) throws(MediaError) {
        var reading = past.reading()
        while !output.isFull {
            switch reading.next() {
            case .packet(let packet): try write(packet, &output)
            case .described(let description): output.describe(description)
            case .lost:
                output.beginRun()
                queue.update { $0.noteHole() }
            case .end: return
            }
            note(output)
        }
    }

    private func write(_ packet: Packet, _ output: inout RecordingOutput) throws(MediaError) {
        let left = try output.write(packet)
        guard !left.isEmpty else { return }
        say("not in the recording: \(left.map(\.codecName).prefix(4).joined(separator: ", "))")
    }

    private func note(_ output: borrowing RecordingOutput) {
        let overflowed = queue.read { $0.hasOverflowed }
        let (path, span, bytes) = (output.path, output.span, output.byteCount)
        let isNews = state.update { state in
            let isNews = overflowed && !state.hasHoles
            (state.path, state.span, state.byteCount, state.hasHoles) = (path, span ?? state.span, bytes, overflowed)
            return isNews
        }
        if isNews { say("the disk is too slow for the recording: a part of it is missing") }
    }

    private func end(_ path: String, _ outcome: RecordingProgress.Outcome) {
        let progress = state.update { state in
            state.outcome = outcome
            return state
        }
        switch outcome {
        case .complete where progress.byteCount == 0:
            say("nothing was recorded and no file was made: nothing new came while it went on")
        case .complete:
            say("recorded \(Int(progress.span.seconds.rounded())) s: \(DisplayText.singleLine(path, limit: 120))")
        case .failed(let reason): say("the recording has ended: \(reason)")
        }
    }
}
