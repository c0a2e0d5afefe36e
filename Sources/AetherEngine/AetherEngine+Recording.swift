extension AetherEngine {
    /// Records the playing media to a file, from the frame on screen or from a point that is held in memory: `EngineSnapshot.recording` has
    /// the progress. Any thread; never blocks.
    public func startRecording(_ order: RecordingOrder) { send(.startRecording(order)) }

    /// Ends the recording; the file is complete a moment later. Any thread; never blocks.
    public func stopRecording() { send(.stopRecording) }
}
