import AetherCore
import Synchronization

/// Recordings of what a session plays.
extension PlaybackSession {
    /// Starts one; another one ends. Never blocks.
    func record(_ order: RecordingOrder) {
        let report = report
        let recorder = Recorder(order) { report(.notice($0)) }
        recording.withLock { $0 = recorder }
        let thread = Self.worker("record", .bulk, of: liveThreads) { recorder.run() }
        threads.withLock { $0.append(thread) }
        pipeline.change { $0.recorder = recorder }
    }
}
