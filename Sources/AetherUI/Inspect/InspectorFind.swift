public import AetherCore
public import AetherEngine
public import AetherFormats

/// A result of inspecting the file that plays.
public enum InspectorFind: Sendable, Equatable {
    /// The parts of its container, and its samples where tables list them. Those of a stream are segments, each with offsets of its own.
    case parts(format: String, boxes: [InspectedBox], samples: SampleList?, isStream: Bool = false)
    /// The samples, read one by one; nil: they cannot be.
    case samples(SampleList?)
    /// Bytes that were asked for.
    case bytes(offset: Int64, bytes: [UInt8], segment: Int? = nil)
    /// A frame that was asked for.
    case frame(FrameView)
    /// Nothing, and why.
    case failed(String)
}

/// A frame that was looked at, drawn.
public struct FrameView: Sendable, Equatable {
    /// The request that is answered.
    public let request: FrameRequest
    /// The frames that were found; empty where `trouble` says why.
    public let look: FrameLook
    /// Why there is no frame; empty where there is one.
    public let trouble: String
    /// The frame with what is drawn over it, or its planes and curves; nil without one.
    public let image: RasterImage?
    /// Rises with each: views are told apart by it, not pixel by pixel.
    public let number: Int
    /// The cost of the frame in each renderer; empty where the codes were not asked for.
    public let renderers: [RendererCost]
    /// Host time that all of it took: how soon the next one may come.
    public internal(set) var cost: TimeSpan

    /// A view.
    public init(
        request: FrameRequest, look: FrameLook, trouble: String, image: RasterImage?, number: Int, renderers: [RendererCost] = []
    ) {
        (self.request, self.look, self.trouble, self.renderers) = (request, look, trouble, renderers)
        (self.image, self.number, cost) = (image, number, look.cost)
    }

    /// Views are told apart by their numbers.
    public static func == (a: FrameView, b: FrameView) -> Bool { a.number == b.number && a.request == b.request }
}
