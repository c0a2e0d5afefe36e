extension AetherEngine {
    /// Records what is played to a file, from what is on screen on or from a point that is held: `EngineSnapshot.recording` has what becomes
    /// of it. Any thread; never blocks.
    public func startRecording(_ order: RecordingOrder) { send(.startRecording(order)) }

    /// Ends the recording; the file is complete a moment later. Any thread; never blocks.
    public func stopRecording() { send(.stopRecording) }
}
