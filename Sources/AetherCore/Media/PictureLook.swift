/// The viewer's wishes for video: where it lies and which colours it has.
public struct PictureLook: Sendable, Equatable {
    /// Fit, zoom, pan and aspect ratio.
    public var view: PictureView
    /// Brightness, contrast, saturation and gamma.
    public var adjustment: PictureAdjustment
    /// The tone mapping of HDR video.
    public var toneMapping: ToneMapping

    /// A look; the default is the source's own.
    public init(
        view: PictureView = PictureView(), adjustment: PictureAdjustment = PictureAdjustment(), toneMapping: ToneMapping = .auto
    ) {
        self.view = view
        self.adjustment = adjustment
        self.toneMapping = toneMapping
    }

    /// Frames must be scaled anew to look so; what differs otherwise can be done to finished ones.
    public func needsScaling(after other: PictureLook) -> Bool { view != other.view || toneMapping != other.toneMapping }
}
