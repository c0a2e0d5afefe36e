import AetherCore
import CFFmpeg

/// A stream as the segments of one track carry it. `Sendable`: it is only read.
public struct SegmentTrack: Sendable {
    /// The codec and its header.
    public let parameters: CodecParameters
    /// Ticks of the samples' times in a second.
    public let timescale: Int32
    /// Width to height of a stored pixel.
    public var sampleAspect = Ratio.one
    /// Clockwise turn that shows the frame upright.
    public var rotationDegrees = 0
    /// The configuration record of Dolby Vision; nil without one, or where it is not kept.
    public var dolbyVision: DolbyVisionRecord?
    /// The level of Dolby Vision, 1 ... 13.
    public var dolbyVisionLevel = 0
    /// Units of Dolby Vision's metadata and of its second layer are left out: what stays is HDR10.
    public var isBaseLayer = false
    /// The objects of Dolby Atmos in E-AC-3, as its `dec3` counts them; nil without.
    public var atmosComplexity: Int?
    /// Samples at the beginning that a decoder warms up with and a player leaves out.
    public var priming: Int64 = 0
    /// Language of ISO 639-2, in three letters.
    public var language: String?

    /// A stream copied as it is. Video gets a timescale that its own time base divides, audio its sample rate.
    public init(copying stream: StreamInfo) {
        self.init(stream.parameters, timescale: SegmentTrack.timescale(of: stream))
        sampleAspect = stream.sampleAspect
        rotationDegrees = stream.rotationDegrees
        if let record = stream.dolbyVision, record.isServed {
            dolbyVision = record
            dolbyVisionLevel = DolbyVisionRecord.level(stream.size, rate: stream.frameRate?.value)
        } else if stream.dolbyVision != nil, stream.codecName == "hevc" {
            isBaseLayer = true
        }
        // The number of objects lies in the coded metadata; 16 is what streaming encoders write, and what players only compare with 0.
        if stream.codecName == "eac3", stream.track?.isAtmos == true { atmosComplexity = 16 }
        language = stream.track?.language
    }

    /// A stream of which nothing more is known.
    public init(_ parameters: CodecParameters, timescale: Int32) {
        (self.parameters, self.timescale) = (parameters, max(1, timescale))
    }

    /// The same track with a warm-up that players leave out.
    public func primed(by samples: Int64) -> SegmentTrack {
        var track = self
        track.priming = max(0, samples)
        return track
    }

    private static func timescale(of stream: StreamInfo) -> Int32 {
        let codec = stream.parameters.pointer.pointee
        if stream.kind == .audio, codec.sample_rate > 0 { return codec.sample_rate }
        let base = stream.timeBase
        // Milliseconds of Matroska count as they are; ticks that are longer than one would lose time, and finer ones than a
        // hundred-thousandth are more than any player keeps apart.
        guard base.numerator == 1, (1000...120_000).contains(base.denominator) else { return 90_000 }
        return base.denominator
    }
}

extension DolbyVisionRecord {
    /// Whether one layer says it all: profile 7 needs two, and its base layer alone is HDR10.
    var isServed: Bool { profile != 7 && !hasEnhancementLayer }

    /// The lowest level whose rate of pixels is enough.
    static func level(_ size: PixelSize?, rate: Double?) -> Int {
        guard let size else { return 6 }
        let pixels = Double(size.width) * Double(size.height) * min(240, max(1, rate ?? 24))
        let limits: [Double] = [
            22_118_400, 27_648_000, 49_766_400, 62_208_000, 124_416_000, 199_065_600, 248_832_000, 398_131_200, 497_664_000,
            995_328_000, 995_328_001, 1_990_656_000,
        ]
        return (limits.firstIndex { pixels <= $0 } ?? limits.count) + 1
    }
}
