/// The placement of video in its window.
public struct VideoView: Sendable, Equatable {
    /// The way to fit a frame into a window of another aspect ratio.
    public enum Fit: String, Sendable, CaseIterable {
        /// All of the frame is seen, with bars beside it.
        case fit
        /// The window is full, and the frame's edges are cut off.
        case fill
        /// The window is full, and the frame is distorted.
        case stretch
    }

    /// The sides of a frame that change places.
    public enum Flip: String, Sendable, CaseIterable {
        case none
        /// Left and right.
        case horizontal
        /// Top and bottom.
        case vertical
        case both
    }

    /// The way in which the frame is fitted into the window.
    public var fit = Fit.fit
    /// Times as large as `fit` says, 0.25...8.
    public var zoom: Double { didSet { zoom = VideoView.bounded(zoom, 0.25, 8) } }
    /// The visible part of a frame that is larger than its window, -1...1 from edge to edge; 0 is the middle.
    public var panX: Double { didSet { panX = VideoView.bounded(panX, -1, 1) } }
    /// As `panX`, from the upper to the lower edge.
    public var panY: Double { didSet { panY = VideoView.bounded(panY, -1, 1) } }
    /// The clockwise turn of the frame in degrees, beside the source's own: 0, 90, 180 or 270.
    public var rotation = 0 { didSet { if ![0, 90, 180, 270].contains(rotation) { rotation = oldValue } } }
    /// The mirroring of the turned frame.
    public var flip = Flip.none
    /// How much of the bars beside a frame that is fitted is filled by cutting its edges off: 0 none, 1 all.
    public var panscan = 0.0 { didSet { panscan = VideoView.bounded(panscan, 0, 1) } }
    /// Width to height of the whole frame as shown, in place of the source's word; 0.1...10.
    public var aspect: Double?

    /// A view; what is out of bounds is cut.
    public init(fit: Fit = .fit, zoom: Double = 1, panX: Double = 0, panY: Double = 0, aspect: Double? = nil) {
        self.fit = fit
        self.zoom = VideoView.bounded(zoom, 0.25, 8)
        self.panX = VideoView.bounded(panX, -1, 1)
        self.panY = VideoView.bounded(panY, -1, 1)
        self.aspect = aspect.flatMap { (0.1...10).contains($0) ? $0 : nil }
    }

    private static func bounded(_ value: Double, _ low: Double, _ high: Double) -> Double {
        value.isNaN ? min(max(0, low), high) : min(max(value, low), high)
    }
}
