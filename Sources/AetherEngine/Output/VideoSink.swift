public import AetherCore

/// A surface's demand: the raster it draws and the shape of its pixels.
public struct RasterDemand: Sendable, Equatable {
    /// The box in raster pixels that the frame is fitted into; nil for the stream's own size.
    public var box: PixelSize?
    /// Width over height of one raster pixel as the viewer sees it: a half-block pixel of an 8x16 cell is 1.0.
    public var pixelAspect: Double
    /// The most frames a second that can be shown; nil when that is not known.
    public var frameRateLimit: Double?
    /// The subtitles that the engine shall blend into the frame.
    public var burning: SubtitleBurning
    /// The colour behind frames with transparent parts, as a pixel of `RasterImage`.
    public var background: UInt32

    /// A demand.
    public init(
        box: PixelSize?, pixelAspect: Double, frameRateLimit: Double? = nil, burning: SubtitleBurning = .none,
        background: UInt32 = 0xFF00_0000
    ) {
        self.box = box
        self.pixelAspect = pixelAspect
        self.frameRateLimit = frameRateLimit
        self.burning = burning
        self.background = background
    }
}

/// One frame on its way to the surface: scaled, converted, due at a host time.
public struct VideoFrame: Sendable {
    /// Presentation time on the source axis.
    public let pts: MediaTime
    /// The duration on screen at rate 1.
    public let duration: TimeSpan
    /// The generation of the pipeline that made the frame.
    public let epoch: Epoch
    /// The host time at which it shall be visible. In the past: at once.
    public let due: HostTime
    /// The pixels, of the size that the sink asked for.
    public let image: RasterImage

    /// A frame.
    public init(pts: MediaTime, duration: TimeSpan, epoch: Epoch, due: HostTime, image: RasterImage) {
        self.pts = pts
        self.duration = duration
        self.epoch = epoch
        self.due = due
        self.image = image
    }
}

/// The frame that the surface showed last.
public struct ShownFrame: Sendable, Equatable {
    /// Presentation time on the source axis.
    public let pts: MediaTime
    /// The generation of the pipeline that made the frame.
    public let epoch: Epoch
    /// The host time at which its last byte was accepted.
    public let shownAt: HostTime
    /// The host time at which it was due.
    public let due: HostTime

    /// A report.
    public init(pts: MediaTime, epoch: Epoch, shownAt: HostTime, due: HostTime) {
        self.pts = pts
        self.epoch = epoch
        self.shownAt = shownAt
        self.due = due
    }
}

/// The cost of drawing, for the pacer and the telemetry pane.
public struct SinkStatistics: Sendable, Equatable {
    /// The time of encoding a frame, and of writing it; nil before the first.
    public var encode, write: Percentiles?
    /// Bytes written to the terminal.
    public var bytesWritten: Int = 0
    /// Frames that were shown completely.
    public var framesShown: Int = 0
    /// Frames replaced by a newer one before they could be drawn, because encoding was slow.
    public var droppedSlowEncode: Int = 0
    /// Frames replaced by a newer one because the terminal had not yet taken the one before.
    public var droppedSlowTerminal: Int = 0
    /// Bytes a second that the way to the viewer drains; nil when unknown.
    public var drainRate: Double?
    /// The least time from there and back; nil when unknown.
    public var roundTrip: TimeSpan?
    /// Share of the image's size and of the frames that is drawn, 1 where all is.
    public var detail = 1.0
    /// The renderer's name, for the pane.
    public var renderer: String = ""

    /// Zeros.
    public init() {}
}

/// A surface that shows frames: the terminal presenter, a hash, nothing. The engine does not know which one.
public protocol VideoSink: Sendable {
    /// The surface's demand now; asked for each frame. Any thread; never blocks.
    var demand: RasterDemand { get }

    /// The time before `due` at which the surface needs a frame so that it is visible in time. Never blocks.
    var lead: TimeSpan { get }

    /// Hands over a frame. Called by the `pace` thread in order of pts within an epoch; never blocks. A newer frame replaces one
    /// that was not drawn yet.
    func show(_ frame: VideoFrame)

    /// Forgets frames of epochs before this one that were not drawn yet; what is on screen stays. Never blocks.
    func flush(_ epoch: Epoch)

    /// Takes the frame away: the session ended. Never blocks.
    func clear()

    /// The frame on screen; nil before the first. Any thread; never blocks.
    var lastShown: ShownFrame? { get }

    /// Costs so far. Any thread; never blocks.
    var statistics: SinkStatistics { get }
}
