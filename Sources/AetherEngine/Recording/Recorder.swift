import AetherCore
import AetherMedia

/// A recording that goes on: takes packets on the thread that reads them, and writes them on one of its own. Putting never blocks.
final class Recorder: Sendable {
    let order: RecordingOrder
    private let queue = Monitor(RecorderQueue())
    private let state: Monitor<RecordingProgress>
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
            queue.put(description)
            for packet in held { queue.put(packet, isHeld: true) }
        }
    }

    func describe(_ description: SourceDescription) { queue.update { $0.put(description) } }
    func beginRun() { queue.update { $0.beginRun() } }
    func take(_ packet: Packet) { queue.update { $0.put(packet) } }

    /// Ends it; what was taken is still written.
    func close() { queue.update { $0.close() } }

    /// The body of the thread `record`: returns when the file is complete. Blocks.
    func run() {
        var file: RecordingFile?
        while true {
            let items: [RecorderQueue.Item]? = queue.wait { $0.items.isEmpty ? ($0.isClosed ? [] : nil) : $0.takeAll() }
            guard let items, !items.isEmpty else { break }
            do throws(MediaError) {
                for item in items {
                    if try carryOut(item, &file) {
                        try file?.finish()
                        note(&file)
                        return end(file?.path, .complete)
                    }
                }
            } catch {
                queue.update { $0.abandon() }
                Self.log.error("\(error)")
                note(&file)
                return end(file?.path, .failed(error.reason.isEmpty ? "\(error)" : error.reason))
            }
            note(&file)
        }
        end(nil, .complete)
    }

    /// Returns whether the recording is complete.
    private func carryOut(_ item: RecorderQueue.Item, _ file: inout RecordingFile?) throws(MediaError) -> Bool {
        switch item {
        case .described(let description):
            if file == nil { file = RecordingFile(order, of: description) } else { file?.describe(description) }
        case .run: file?.beginRun()
        case .packet(let packet):
            let isFirst = file?.byteCount == 0
            try file?.write(packet)
            if isFirst, let left = file?.leftOut, !left.isEmpty {
                say("not in the recording: \(left.map(\.codecName).prefix(4).joined(separator: ", "))")
            }
            if file?.isFull ?? false {
                queue.update { $0.abandon() }
                return true
            }
        case .end: return true
        }
        return false
    }

    private func note(_ file: inout RecordingFile?) {
        let overflowed = queue.read { $0.hasOverflowed }
        let (path, span, bytes) = (file?.path ?? order.path, file?.span ?? .zero, file?.byteCount ?? 0)
        let isNews = state.update { state in
            let isNews = overflowed && !state.hasHoles
            (state.path, state.span, state.byteCount, state.hasHoles) = (path, span, bytes, overflowed)
            return isNews
        }
        if isNews { say("the disk is too slow for the recording: a part of it is missing") }
    }

    private func end(_ path: String?, _ outcome: RecordingProgress.Outcome) {
        let progress = state.update { state in
            state.outcome = outcome
            return state
        }
        let name = DisplayText.singleLine(path ?? order.path, limit: 120)
        switch outcome {
        case .complete where progress.byteCount == 0 && progress.span == .zero && path == nil: say("nothing was recorded")
        case .complete: say("recorded \(Int(progress.span.seconds.rounded())) s: \(name)")
        case .failed(let reason): say("the recording has ended: \(reason)")
        }
    }
}
