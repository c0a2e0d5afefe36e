import AetherCore
import AetherEngine
import Synchronization

/// The surface of the player's engine, which lends parts of the screen to other engines: up to four channels side by side. While there is one, its
/// frames go to the screen as they are. Each engine has a thread that shows its frames; the image of all is composed on the one whose frame leads to it.
final class MosaicStage: VideoSink {
    private let screen: any VideoSink
    private let state = Mutex(State())
    private let time: any TimeSource

    private struct State {
        var layout = MosaicLayout(count: 1)
        /// The tile that sounds.
        var lead = 0
        var images: [RasterImage?] = []
        /// Of the first tile: what the screen's frames are named by.
        var epoch = Epoch(), pts = MediaTime.zero
        var pace = MosaicPace()
        var shown: [ShownFrame?] = []
        var counts: [Int] = []
    }

    /// Frames a second of the tile that sounds, and of those that are only looked at.
    private static let leadRate = 30.0, otherRate = 15.0

    /// A stage whose first tile has the whole screen.
    init(screen: any VideoSink, time: any TimeSource = SystemTime()) { (self.screen, self.time) = (screen, time) }

    // MARK: - The main thread's side

    /// Lays so many tiles out, the first of them the player's own; 1: that has all of the screen again.
    func lay(_ count: Int) {
        state.withLock { state in
            state.layout = MosaicLayout(count: count)
            let count = state.layout.count
            state.images = Array(repeating: nil, count: count)
            state.shown = Array(repeating: nil, count: count)
            state.counts = Array(repeating: 0, count: count)
            (state.lead, state.pace) = (0, MosaicPace())
        }
    }

    /// The tile that sounds: it has the line around it, and its frames lead.
    func follow(_ tile: Int) { state.withLock { $0.lead = min(max(0, tile), $0.layout.count - 1) } }

    // MARK: - The engines' side

    var demand: RasterDemand { demand(of: 0) }
    var lead: TimeSpan { screen.lead }
    var lastShown: ShownFrame? { screen.lastShown }
    var statistics: SinkStatistics { screen.statistics }

    func show(_ frame: VideoFrame) { show(frame, in: 0) }

    func flush(_ epoch: Epoch) {
        state.withLock { $0.epoch = epoch }
        screen.flush(epoch)
    }

    func clear() {
        let isAlone = state.withLock { state in
            if state.layout.count > 1 { state.images[0] = nil }
            return state.layout.count == 1
        }
        if isAlone { screen.clear() }
    }

    func demand(of tile: Int) -> RasterDemand {
        var demand = screen.demand
        let (layout, lead) = state.withLock { ($0.layout, $0.lead) }
        guard layout.count > 1 else { return demand }
        demand.box = layout.size(of: min(tile, layout.count - 1), in: demand.box ?? Self.usualBox)
        demand.frameRateLimit = min(demand.frameRateLimit ?? .infinity, tile == lead ? Self.leadRate : Self.otherRate)
        return demand
    }

    /// A screen always says its raster; sinks of tests need not.
    private static let usualBox = PixelSize(width: 1280, height: 720)

    func show(_ frame: VideoFrame, in tile: Int) {
        let now = time.now()
        let work = state.withLock { state -> (MosaicLayout, [RasterImage?], Int, Epoch, MediaTime)? in
            if tile == 0 { (state.epoch, state.pts) = (max(state.epoch, frame.epoch), frame.pts) }
            guard state.layout.count > 1 else { return tile == 0 ? (state.layout, [], 0, frame.epoch, frame.pts) : nil }
            guard tile < state.layout.count else { return nil }
            state.images[tile] = frame.image
            state.shown[tile] = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
            state.counts[tile] += 1
            guard state.pace.isDue(isLead: tile == state.lead, at: now) else { return nil }
            return (state.layout, state.images, state.lead, state.epoch, state.pts)
        }
        guard let (layout, images, lead, epoch, pts) = work else { return }
        guard layout.count > 1 else { return screen.show(frame) }
        let image = layout.composed(images, chosen: lead, in: screen.demand.box ?? Self.usualBox)
        screen.show(VideoFrame(pts: pts, duration: frame.duration, epoch: epoch, due: frame.due, image: image))
    }

    func clear(tile: Int) { state.withLock { if tile < $0.images.count { $0.images[tile] = nil } } }

    func record(of tile: Int) -> (shown: ShownFrame?, count: Int) {
        state.withLock { tile < $0.shown.count ? ($0.shown[tile], $0.counts[tile]) : (nil, 0) }
    }
}

/// The surface of an engine beside the player's own: one tile of the stage.
struct MosaicTile: VideoSink {
    let stage: MosaicStage
    /// From 1.
    let number: Int

    var demand: RasterDemand { stage.demand(of: number) }
    var lead: TimeSpan { stage.lead }
    var lastShown: ShownFrame? { stage.record(of: number).shown }
    var statistics: SinkStatistics {
        var statistics = SinkStatistics()
        statistics.framesShown = stage.record(of: number).count
        return statistics
    }
    func show(_ frame: VideoFrame) { stage.show(frame, in: number) }
    /// The frame before stays until another one comes.
    func flush(_ epoch: Epoch) {}
    func clear() { stage.clear(tile: number) }
}
