import AetherCore
import AetherEngine
import Glibc

extension LoadOptions {
    /// Where the past of live sources lies: the cache of the person, or where the system keeps large files.
    mutating func keepPast(_ limit: TimeShiftLimit, _ environment: [String: String]) {
        timeShift = limit.options(in: FrameFolders.past(environment))
    }
}

/// Recordings of what the list plays.
extension PlayQueue {
    /// A recording to a file of its own, named by the title and the time. Of a live source whose past is kept it begins with what is broadcast now,
    /// or with the frame on screen (`fromShown`); of any other source with that in any case.
    func recordingOrder(title: String, _ snapshot: EngineSnapshot, fromShown: Bool) -> RecordingOrder {
        let folder = FrameFolders.recordings(options.recording.recordDir, player.environment)
        // A name of a file: 120 bytes leave room for the time and for systems that take 255.
        let safe = DisplayText.singleLine(title, limit: 60).map { $0 == "/" || $0 == "\0" ? "-" : $0 }
        let name = safe.first == "." || safe.isEmpty ? "Recording" : String(safe)
        let plain = "\(folder)/\(name) \(WallClock.fileText(time(nil)))", isAsIs = options.recording.recordAsIs
        var order = RecordingOrder(path: isAsIs ? plain : plain + ".mkv", isAsIs: isAsIs)
        order.lacksEnding = isAsIs
        if !fromShown, snapshot.liveEdge != nil { order.start = snapshot.shiftedRange?.upperBound }
        return order
    }

    /// The status to exit with where the command line asked for a recording of some length and nothing more; nil while that goes on.
    func recordingStatus(_ snapshot: EngineSnapshot) -> ExitStatus? {
        // It may have gone on in a further part.
        guard options.recording.recordFor != nil, let order = options.recording.order, let recording = snapshot.recording,
            order.hasPart(recording.path)
        else { return nil }
        switch recording.outcome {
        case .complete: return .played
        case .failed: return .playbackFailed
        case nil: return nil
        }
    }
}
