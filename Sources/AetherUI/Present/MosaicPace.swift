import AetherCore

/// When the frames of several channels are put together anew. Pure. The frames of the channel that sounds do it, as they are due; those of the
/// others come with these, and by themselves only where that one stands still.
struct MosaicPace: Equatable {
    private var last: HostTime?

    /// 50 a second and more of one channel are drawn as half as many: four rasters cost their machine enough.
    private static let leastInterval = TimeSpan.milliseconds(30)
    /// 15 frames a second of a channel that is only looked at come every 67 ms.
    private static let longestWait = TimeSpan.milliseconds(60)

    /// Whether a frame leads to another image now.
    mutating func isDue(isLead: Bool, at now: HostTime) -> Bool {
        if let last, now - last < (isLead ? Self.leastInterval : Self.longestWait) { return false }
        last = now
        return true
    }
}
