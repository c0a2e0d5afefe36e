import AetherCore
import AetherTestSupport
import Synchronization

@testable import AetherEngine

/// A surface that looks at what it is given: frames of an epoch come in their order, none twice, and near what is heard.
final class WatchfulSink: VideoSink {
    struct State {
        var demand = RasterDemand(box: PixelSize(width: 32, height: 18), pixelAspect: 1)
        var lead = TimeSpan.milliseconds(5)
        /// How long a frame takes.
        var cost = TimeSpan.zero
        var shown: ShownFrame?
        var statistics = SinkStatistics()
        /// Of all frames: when, which, in which epoch.
        var course: UInt64 = 0xcbf2_9ce4_8422_2325
        var faults: [String] = []
        /// How far frames were from what was heard when they were due, in hundredths of a second.
        var distances: [Int: Int] = [:]
    }
    private let time: ManualTime
    private let state = Mutex(State())
    private let clock = Mutex<RenderSynchronizer?>(nil)

    init(time: ManualTime) { self.time = time }

    func follow(_ clock: RenderSynchronizer?) { self.clock.withLock { $0 = clock } }
    var report: State { state.withLock { $0 } }

    /// Another size of the window, another terminal: now and then one that takes longer than a frame lasts.
    func change(_ random: inout SeededRandom) {
        let (width, height, lead) = (4 + random.below(60), 4 + random.below(40), random.below(30))
        let cost = [0, 0, 0, random.below(30), random.below(400)][random.below(5)]
        state.withLock {
            $0.demand.box = PixelSize(width: width, height: height)
            ($0.lead, $0.cost) = (.milliseconds(Double(lead)), .milliseconds(Double(cost)))
        }
    }

    var demand: RasterDemand { state.withLock { $0.demand } }
    var lead: TimeSpan { state.withLock { $0.lead } }

    func show(_ frame: VideoFrame) {
        let now = time.now(), line = clock.withLock { $0 }?.anchor(epoch: frame.epoch)
        state.withLock { state in
            for word in [now.nanoseconds, frame.pts.nanoseconds, Int64(frame.epoch.number)] {
                state.course = (state.course ^ UInt64(bitPattern: word)) &* 0x100_0000_01b3
            }
            if let last = state.shown {
                if frame.epoch < last.epoch { state.faults.append("a frame of an old epoch at \(now.nanoseconds)") }
                // The frame that stands is shown once more where subtitles or colours change.
                if frame.epoch == last.epoch, frame.pts < last.pts {
                    state.faults.append("\(frame.pts.seconds) behind \(last.pts.seconds) at \(now.nanoseconds)")
                }
                if frame.epoch == last.epoch, frame.pts > last.pts, let line, line.rate > 0 {
                    let distance = (line.time(at: frame.due) - frame.pts).seconds
                    state.distances[Int((distance * 100).rounded()), default: 0] += 1
                }
            }
            state.shown = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
            state.statistics.framesShown += 1
        }
        ThreadTurns.rest(until: now + state.withLock { $0.cost })
    }

    func flush(_ epoch: Epoch) {}
    func clear() {}
    var lastShown: ShownFrame? { state.withLock { $0.shown } }
    var statistics: SinkStatistics { state.withLock { $0.statistics } }
}
