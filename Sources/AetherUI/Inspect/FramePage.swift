import AetherCore
import AetherEngine

/// The Decode and Video tabs: what is asked of the frame on screen, and what came. A value; time is an argument.
struct FramePage: Sendable {
    /// The newest answer; nil before one.
    private(set) var view: FrameView?
    /// The request that is not answered yet.
    private var asked: FrameRequest?
    /// While it plays, no sooner than this.
    private var nextAt = HostTime(nanoseconds: 0)
    /// The frame that was chosen in the list, and the position on the screen then.
    private(set) var chosen: (point: MediaTime, position: MediaTime)?
    private(set) var showsVectors = true
    private(set) var showsMap = false
    private(set) var drawsGrain = true
    /// The point of the frame that the Video tab tells of, both 0...1.
    var point = (x: 0.5, y: 0.5)

    /// A look may take one part in so many of the time: 5 % of a core.
    private static let rest = 20.0
    /// No sooner than that, however fast it is: a list that changes more often is not read.
    private static let shortest = TimeSpan.seconds(1)

    /// The look; empty before one.
    var look: FrameLook { view?.look ?? FrameLook() }

    /// Words for what there is instead of a frame.
    var words: String {
        guard asked == nil, let view else { return translated("Decoding …") }
        return view.trouble.isEmpty ? translated("No frame") : view.trouble
    }

    /// The frame of a row is looked at, whatever plays meanwhile.
    mutating func choose(_ row: Int, position: MediaTime) {
        guard look.frames.indices.contains(row), let point = look.frames[row].pts else { return }
        chosen = (point, position)
    }

    /// The frame on the screen is looked at again.
    mutating func follow() { chosen = nil }

    /// Moves the point by twentieths of the frame.
    mutating func movePoint(_ right: Double, _ down: Double) {
        point = (min(0.975, max(0.025, point.x + right / 20)), min(0.975, max(0.025, point.y + down / 20)))
    }

    mutating func toggleVectors() { showsVectors.toggle() }
    mutating func toggleMap() { showsMap.toggle() }
    mutating func toggleGrain() { drawsGrain.toggle() }

    /// An answer came. Returns the row that is looked at now.
    mutating func take(_ view: FrameView, at now: HostTime) -> Int {
        if asked == view.request { asked = nil }
        self.view = view
        nextAt = now + max(Self.shortest, view.cost.scaled(by: Self.rest))
        return view.look.shown ?? -1
    }

    /// The next question; nil: none now. `levels`: the Video tab's.
    mutating func next(
        levels: Bool, box: PixelSize, position: MediaTime, isPlaying: Bool, now: HostTime
    ) -> FrameRequest? {
        // A seek while paused is another frame; while it plays the position moves by itself.
        if let chosen, !isPlaying, chosen.position != position { self.chosen = nil }
        var request = FrameRequest(
            FrameWish(point: chosen?.point ?? position, drawsGrain: drawsGrain, wantsLevels: levels, box: box))
        (request.drawsVectors, request.drawsMap) = (showsVectors && !levels, showsMap && !levels)
        guard let former = asked ?? view?.request else { return ask(request) }
        if !Self.isAlike(former, request) { return ask(request) }
        if chosen != nil { return former.wish.point == request.wish.point ? nil : ask(request) }
        guard asked == nil, !isShown(position) else { return nil }
        return isPlaying && now < nextAt ? nil : ask(request)
    }

    private mutating func ask(_ request: FrameRequest) -> FrameRequest {
        asked = request
        return request
    }

    /// But for the frame.
    private static func isAlike(_ a: FrameRequest, _ b: FrameRequest) -> Bool {
        var a = a
        a.wish.point = b.wish.point
        return a == b
    }

    /// Whether the frame that was looked at is the one on screen at a time.
    private func isShown(_ position: MediaTime) -> Bool {
        guard let view, let time = view.look.time else { return view?.request.wish.point == position }
        let behind = view.look.shown.map { $0 + 1 } ?? Int.max
        let end = view.look.frames.indices.contains(behind) ? view.look.frames[behind].pts : nil
        if view.request.wish.point == position { return true }
        return time <= position && position < end ?? time
    }
}
