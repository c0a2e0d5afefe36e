/// The viewer's wishes for video: where it lies and which colours it has.
public struct VideoLook: Sendable, Equatable {
    /// Fit, zoom, pan and aspect ratio.
    public var view: VideoView
    /// Brightness, contrast, saturation and gamma.
    public var adjustment: ColourAdjustment
    /// The tone mapping of HDR video.
    public var toneMapping: ToneMapping

    /// A look; the default is the source's own.
    public init(
        view: VideoView = VideoView(), adjustment: ColourAdjustment = ColourAdjustment(), toneMapping: ToneMapping = .auto
    ) {
        self.view = view
        self.adjustment = adjustment
        self.toneMapping = toneMapping
    }

    /// Frames must be scaled anew to look so; what differs otherwise can be done to finished ones.
    public func needsScaling(after other: VideoLook) -> Bool { view != other.view || toneMapping != other.toneMapping }
}
