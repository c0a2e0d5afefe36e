import AetherCore

/// Tells a device that plays from one that takes samples and does not: a sound server whose sink is suspended, or that renders silence
/// of its own first. Pure.
///
/// Only time between looks counts, half a second of it at most: a player that was stopped itself has not watched a device stand.
struct DeviceProgress: Sendable, Equatable {
    /// The verdict on a position.
    enum Verdict: Sendable, Equatable {
        /// The position has gone on: it is news.
        case moved
        /// The position has not gone on since the last one, as between two periods.
        case resting
        /// The device holds samples and plays none of them, for longer than a period can be.
        case standing
        /// The device has done so for so long that it is none.
        case stuck
    }

    /// Periods of devices here are 85 ms at most, of those with a larger buffer half of it.
    static let shortestStand = TimeSpan.milliseconds(150)
    /// A null sink of PulseAudio whose monitor was not read stands for 1.5 s, headphones that wake up for as long.
    static let longestStand = TimeSpan.seconds(3)
    private static let longestLook = TimeSpan.milliseconds(500)

    private let patience: TimeSpan
    /// A device in error may count to and fro: up to 1 ms is no progress.
    private let tolerance: Int
    private var frame: Int?
    private var stood = TimeSpan.zero
    private var lookedAt = HostTime(nanoseconds: 0)

    /// Of a device with such a buffer.
    init(bufferFrames: Int, sampleRate: Int) {
        let half = TimeSpan.seconds(Double(bufferFrames) / Double(max(1, sampleRate)) / 2)
        patience = min(max(Self.shortestStand, half), .seconds(1))
        tolerance = max(1, sampleRate / 1000)
    }

    /// Takes one position; `hasUnheard`: the device says that it holds samples.
    mutating func note(frame now: Int, hasUnheard: Bool, at time: HostTime) -> Verdict {
        let look = min(max(.zero, time - lookedAt), Self.longestLook)
        lookedAt = time
        guard let frame, abs(now - frame) < tolerance else {
            (self.frame, stood) = (now, .zero)
            return .moved
        }
        stood = stood + look
        guard stood >= patience else { return .resting }
        guard hasUnheard else {
            // Nothing is left to be played: where it is stays true.
            stood = .zero
            return .moved
        }
        return stood >= Self.longestStand ? .stuck : .standing
    }

    /// The device starts anew.
    mutating func forget() { (frame, stood) = (nil, .zero) }
}
