import AetherCore

/// The time for which a silent device is kept: other programs may want the device. Pure.
struct DeviceLease: Sendable, Equatable {
    /// 10 s: longer than it takes to answer a door, shorter than a call.
    static let longestPause = TimeSpan.seconds(10)

    let span: TimeSpan
    private var quietSince: HostTime?

    init(span: TimeSpan = DeviceLease.longestPause) { self.span = span }

    /// Says whether the device sounds now.
    mutating func note(isHeard: Bool, now: HostTime) {
        if isHeard { quietSince = nil } else if quietSince == nil { quietSince = now }
    }

    /// When the device is to be given back; nil while it sounds.
    var expiry: HostTime? { quietSince.map { $0 + span } }

    /// Whether it is to be given back now.
    func isOver(at now: HostTime) -> Bool { expiry.map { now >= $0 } ?? false }
}
