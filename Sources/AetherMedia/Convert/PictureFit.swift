public import AetherCore

/// How far a picture is turned clockwise before it is shown.
public enum QuarterTurn: Int, Sendable, CaseIterable {
    case none = 0, right = 90, half = 180, left = 270

    /// The nearest quarter turn to any angle in degrees clockwise; NaN and infinities are none.
    public init(degrees: Double) {
        guard degrees.isFinite else {
            self = .none
            return
        }
        let turns = (degrees.truncatingRemainder(dividingBy: 360) / 90).rounded()
        self = QuarterTurn(rawValue: ((Int(turns) % 4 + 4) % 4) * 90) ?? .none
    }

    /// Whether width and height change places.
    public var swapsAxes: Bool { self == .right || self == .left }
}

/// Fits a picture into a box of raster pixels that need not be square, keeping its shape. Pure.
public struct PictureFit: Sendable, Equatable {
    /// Of the decoded frame.
    public var stream: PixelSize
    /// Width to height of one decoded pixel; what is not within 1/256...256 counts as 1.
    public var sampleAspect: Double
    /// How the picture is turned after scaling.
    public var rotation: QuarterTurn
    /// Room for the turned picture, in raster pixels.
    public var box: PixelSize
    /// Width to height of one raster pixel; the same limits.
    public var rasterAspect: Double

    /// A question. `fit` and `frameTarget` are the answers.
    public init(
        stream: PixelSize, sampleAspect: Double = 1, rotation: QuarterTurn = .none, box: PixelSize, rasterAspect: Double = 1
    ) {
        self.stream = stream
        self.sampleAspect = sampleAspect
        self.rotation = rotation
        self.box = box
        self.rasterAspect = rasterAspect
    }

    /// The size of the picture as shown, at least 1×1, never larger than the box (an empty box counts as 1×1).
    public var fit: PixelSize {
        let width = max(1, box.width), height = max(1, box.height)
        var shape = Double(max(1, stream.width)) * PictureFit.sane(sampleAspect) / Double(max(1, stream.height))
        if rotation.swapsAxes { shape = 1 / shape }
        // Columns per row of raster pixels.
        let columns = shape / PictureFit.sane(rasterAspect)
        let wanted = Double(height) * columns
        if wanted <= Double(width) {
            return PixelSize(width: max(1, Int(wanted.rounded())), height: height)
        }
        let rows = (Double(width) / columns).rounded()
        return PixelSize(width: width, height: max(1, min(height, Int(rows))))
    }

    /// What to ask the scaler for: `fit` before the turn.
    public var frameTarget: PixelSize {
        let size = fit
        return rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    private static func sane(_ aspect: Double) -> Double {
        aspect >= 1.0 / 256 && aspect <= 256 ? aspect : 1
    }
}

extension RasterImage {
    /// The picture turned clockwise.
    public func turned(_ turn: QuarterTurn) -> RasterImage {
        switch turn {
        case .none: return self
        case .half: return RasterImage(width: width, height: height, pixels: pixels.reversed())
        case .right, .left:
            var turned = [UInt32](repeating: 0, count: pixels.count)
            for y in 0..<height {
                for x in 0..<width {
                    let column = turn == .right ? height - 1 - y : y
                    let row = turn == .right ? x : width - 1 - x
                    turned[row * height + column] = pixels[y * width + x]
                }
            }
            return RasterImage(width: height, height: width, pixels: turned)
        }
    }
}
