import AetherCore
import AetherMedia
import Synchronization

/// A source that stands by: it is open and read along, though nothing of it is decoded, so that it begins at once where it is live by then.
extension PlaybackSession {
    /// A reader that follows a server's pace stays so far behind it at least.
    static let leastDepth = TimeSpan.milliseconds(1500)
    /// The time that a server may take to give the next segment.
    private static let fetching = TimeSpan.milliseconds(500)
    /// The epoch in which it is read.
    private static let epoch = Epoch(1)

    /// How far behind the newest packet playing begins: by then, what is held lasts until the edge moves on. Pure.
    static func depth(_ window: SourceWindow) -> TimeSpan { max(leastDepth, window.step + fetching) }

    /// The source is open: its packets are read and held from now on, where it is live. Any other stays as it is.
    func stand(by description: SourceDescription) {
        note(opened: description)
        let info = description.info, title = info.firstTitle(wanted: options.title)
        select(title, of: info, video: choice(of: title, in: info).video)
        guard description.window.isLive || description.isEndless else { return }
        pipeline.change { $0.standby = Self.depth(description.window) }
        pipeline.begin(Self.epoch, plan: SeekPlan(target: description.start ?? info.startTime, landing: .exact))
    }

    /// The edge moves on by other steps by now.
    func stand(in window: SourceWindow) {
        pipeline.change { if $0.standby != nil { $0.standby = Self.depth(window) } }
    }

    /// The source is played from now on, after another session, which has the audio device yet. Returns where it begins, if packets are held.
    func takeUp(after former: PlaybackSession?) -> MediaTime? {
        predecessor.withLock { $0 = former }
        return pipeline.state.update { state in
            state.intent.standby = nil
            return state.intent.epoch == Epoch() ? nil : state.standingStart
        }
    }
}

extension LoadOptions {
    /// Little of the past is kept of a source that may never be played.
    var standingBy: LoadOptions {
        var options = self
        options.timeShift.span = min(options.timeShift.span, .seconds(60))
        return options
    }
}
