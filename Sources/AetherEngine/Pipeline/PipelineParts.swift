import AetherCore

/// The parts of `PipelineState` that a stage can wait for. A packet touches one of them, and wakes the one decoder that waits for it.
extension MonitorParts {
    /// `PlaybackIntent`: written by the control task.
    static let intent = Self(rawValue: 1)
    /// Due times may have changed: `PipelineState.revision` rose.
    static let dueTimes = Self(rawValue: 2)
    /// A packet came for the decoder of video.
    static let videoPackets = Self(rawValue: 4)
    /// A packet came for the decoder of audio.
    static let audioPackets = Self(rawValue: 8)
    /// A decoder took a packet: there may be room for another.
    static let packetRoom = Self(rawValue: 16)
    /// A lane has run empty or has ended, or the demuxer is stuck although one is empty.
    static let turns = Self(rawValue: 32)
    /// A frame came, none will come any more, or it is known where the epoch lands.
    static let frames = Self(rawValue: 64)
    /// A frame was taken: there is room for another.
    static let frameRoom = Self(rawValue: 128)
    /// Packets for either decoder.
    static let packets: Self = [.videoPackets, .audioPackets]
}
