import AetherCore
import AetherFormats
import AetherMedia

/// The place where a run has ended that was read whole. Pure.
struct RunEnd: Sendable {
    /// The ends of its video and its audio; nil without such, or where that is not known.
    var video: MediaTime?, audio: MediaTime?
    /// By the playlist, whose lengths are rounded.
    let listed: Ticks
    /// It has ended because the clock begins anew behind it, or leaps.
    var isRestart = false

    /// Audio that lasts longer than its video by more than this is no rounding.
    private static let overhang = TimeSpan.milliseconds(100)
    /// Lists differ by less where they are rounded, and by more where a segment is left out.
    private static let rounding = TimeSpan.milliseconds(500)

    /// The start of the run that goes on there, so that its video follows without a hole and loses no frame; without video its audio does. nil
    /// where the run is no continuation. `info` is in the container's clock.
    func start(of info: SourceInfo, listed start: Ticks) -> MediaTime? {
        guard (start - listed).span.magnitude <= Self.rounding else { return nil }
        let byVideo = place(of: .video, in: info, behind: video), byAudio = place(of: .audio, in: info, behind: audio)
        guard let byVideo, let byAudio else { return byVideo ?? byAudio }
        return byAudio - byVideo > Self.overhang ? byAudio : byVideo
    }

    private func place(of kind: StreamInfo.Kind, in info: SourceInfo, behind end: MediaTime?) -> MediaTime? {
        let first = info.streams.first { $0.kind == kind && $0.track != nil }?.startTime
        guard let end, let first else { return nil }
        return end - (first - info.startTime)
    }
}
