public import AetherCore
public import AetherMedia

/// One frame of a stretch of video: how it was coded, and what decoding it took.
public struct CodedFrame: Sendable, Equatable {
    /// The place among the frames of the stretch in the order of decoding, from 1; nil for a frame whose packet is not known.
    public let decodeOrder: Int?
    /// The time at which it is shown.
    public let pts: MediaTime?
    /// The time at which it is decoded, where the container says it.
    public let dts: MediaTime?
    /// Decoding can begin with it.
    public let isKey: Bool
    /// How it was predicted.
    public let type: FrameType
    /// Bytes of its packet.
    public let byteCount: Int
    /// The mean quantiser, and its ends; nil where the decoder does not tell it.
    public let quantiser: Double?
    /// The finest and the coarsest quantiser.
    public let quantiserEnds: ClosedRange<Int>?
    /// Motion vectors; 0 where the decoder tells none.
    public let vectorCount: Int
    /// Others are predicted from it; nil where that is not known.
    public let isReference: Bool?
    /// The time that its packet took one thread.
    public let decodeTime: TimeSpan
}

/// A frame looked at, with those around it.
public struct FrameLook: Sendable {
    /// From the key frame at or before the point on, in the order of showing.
    public var frames: [CodedFrame] = []
    /// The one that is on screen at the point.
    public var shown: Int?
    /// Its time.
    public var time: MediaTime?
    /// Codec and decoder, in FFmpeg's names.
    public var codec = "", decoder = ""
    /// Pixels of the frame; nil without one.
    public var size: PixelSize?
    /// The stream has film grain, as far as its decoder tells.
    public var hasFilmGrain = false
    /// Where its blocks come from.
    public var vectors: [MotionVector] = []
    /// How coarsely its parts were coded.
    public var quantisers: QuantiserMap?
    /// The frame as the terminal would get it.
    public var image: RasterImage?
    /// Its codes; only where they were asked for.
    public var levels: FrameLevels?
    /// The meaning of the codes; only where they were asked for.
    public var colour: FrameColour?
    /// Host time that the look took: how soon the next one may come.
    public var cost = TimeSpan.zero

    /// An empty look.
    public init() {}
}

/// The wishes for a look.
public struct FrameWish: Sendable, Equatable {
    /// The frame that is on screen then.
    public var point: MediaTime
    /// Film grain is drawn.
    public var drawsGrain: Bool
    /// The codes are looked at: histogram, waveform, planes.
    public var wantsLevels: Bool
    /// The box that the image fits in.
    public var box: PixelSize

    /// A wish.
    public init(point: MediaTime, drawsGrain: Bool = true, wantsLevels: Bool = false, box: PixelSize) {
        (self.point, self.drawsGrain, self.wantsLevels, self.box) = (point, drawsGrain, wantsLevels, box)
    }
}
