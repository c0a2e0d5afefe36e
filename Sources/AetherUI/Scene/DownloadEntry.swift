import AetherCore
public import AetherEngine

/// A download as people see it. Texts are safe to display.
public struct DownloadEntry: Sendable, Equatable {
    /// The states of a download.
    public enum State: Sendable, Equatable {
        case running, stopped, complete
        /// With the reason.
        case failed(String)
    }

    /// The number of the download in this run.
    public let number: Int
    /// The title of the source.
    public let title: String
    /// The folder of its package.
    public let folder: String
    /// The state.
    public var state: State
    /// How far it is.
    public var progress: AssetDownloadProgress

    /// It ended before its end.
    var hasFailed: Bool { if case .failed = state { true } else { false } }

    /// The share that is there, in words: "42 %", "12.3 MB".
    var share: String {
        if state == .complete { return Figures.bytes(progress.finishedBytes) }
        return progress.fraction.map { Figures.percent($0) } ?? Figures.bytes(progress.finishedBytes)
    }

    /// The state with its figures: "42 %, 1.20 MB/s, 3:05 left".
    var words: String {
        switch state {
        case .complete:
            let missing = progress.missingSegments
            let gaps =
                missing == 0
                ? ""
                : translated(one: ", \(missing) segment is missing", other: ", \(missing) segments are missing", count: missing)
            return translated("complete, \(share)\(gaps)")
        case .stopped: return translated("stopped at \(share)")
        case .failed(let reason): return reason
        case .running:
            let rate = progress.rate.map { ", \(Figures.bytes(Int64($0)))/s" } ?? ""
            let left = progress.timeLeft.map { translated(", \(Timecode.text($0)) left") } ?? ""
            return share + rate + (progress.isLive ? translated(", live") : left)
        }
    }
}
