public import AetherCore

/// The clockwise turn of a frame before it is shown.
public enum QuarterTurn: Int, Sendable, CaseIterable {
    case none = 0, right = 90, half = 180, left = 270

    /// The nearest quarter turn to any angle in degrees clockwise, by whole degrees; halfway between two it is none or half, which keep the
    /// frame's shape, whichever way round the angle is told. NaN and infinities are none.
    public init(degrees: Double) {
        guard degrees.isFinite else {
            self = .none
            return
        }
        let turns = (degrees.truncatingRemainder(dividingBy: 360).rounded() / 90).rounded(.toNearestOrEven)
        self = QuarterTurn(rawValue: ((Int(turns) % 4 + 4) % 4) * 90) ?? .none
    }

    /// Whether width and height change places.
    public var swapsAxes: Bool { self == .right || self == .left }
}

/// Fits a frame into a box of raster pixels that need not be square, keeping its shape. Pure.
public struct FrameFit: Sendable, Equatable {
    /// The size of the decoded frame.
    public var stream: PixelSize
    /// Width to height of one decoded pixel; what is not within 1/256...256 counts as 1.
    public var sampleAspect: Double
    /// The turn of the frame after scaling.
    public var rotation: QuarterTurn
    /// Room for the turned frame, in raster pixels.
    public var box: PixelSize
    /// Width to height of one raster pixel; the same limits.
    public var rasterAspect: Double
    /// Left and right change places after the turn.
    public var isMirrored = false
    /// The view of the frame in the box.
    public var view = VideoView()

    /// A question. `fit` and `frameTarget` are the answers.
    public init(
        stream: PixelSize, sampleAspect: Double = 1, rotation: QuarterTurn = .none, box: PixelSize, rasterAspect: Double = 1,
        isMirrored: Bool = false, view: VideoView = VideoView()
    ) {
        self.stream = stream
        self.sampleAspect = sampleAspect
        self.rotation = rotation
        self.box = box
        self.rasterAspect = rasterAspect
        self.isMirrored = isMirrored
        self.view = view
    }

    /// Columns per row of raster pixels, of the whole frame as it stands.
    private var shape: Double {
        var shape = view.aspect ?? Double(max(1, stream.width)) * FrameFit.sane(sampleAspect) / Double(max(1, stream.height))
        if rotation.swapsAxes, view.aspect == nil { shape = 1 / shape }
        return shape / FrameFit.sane(rasterAspect)
    }

    /// The size of the frame as shown, at least 1×1, never larger than the box (an empty box counts as 1×1).
    public var fit: PixelSize {
        let width = max(1, box.width), height = max(1, box.height)
        if view.fit == .fit, view.zoom == 1, view.panscan == 0 {
            let columns = shape
            let wanted = Double(height) * columns
            if wanted <= Double(width) {
                return PixelSize(width: max(1, Int(wanted.rounded())), height: height)
            }
            let rows = (Double(width) / columns).rounded()
            return PixelSize(width: width, height: max(1, min(height, Int(rows))))
        }
        let whole = whole
        return PixelSize(
            width: max(1, Int(min(Double(width), whole.width.rounded()))),
            height: max(1, Int(min(Double(height), whole.height.rounded()))))
    }

    /// The size that all of the frame would have, in raster pixels.
    private var whole: (width: Double, height: Double) {
        let width = Double(max(1, box.width)), height = Double(max(1, box.height)), columns = shape
        let isWide = height * columns > width
        switch view.fit {
        case .stretch: return (width * view.zoom, height * view.zoom)
        case .fit:
            // On the way to `fill`, whose frame is so many times as large.
            let most = isWide ? height * columns / width : width / (height * columns)
            let scale = view.zoom * (1 + (most - 1) * view.panscan)
            return isWide ? (width * scale, width / columns * scale) : (height * columns * scale, height * scale)
        case .fill:
            return isWide ? (height * columns * view.zoom, height * view.zoom) : (width * view.zoom, width / columns * view.zoom)
        }
    }

    /// The part of the frame that is seen, before the turn; nil for all of it.
    public var region: FrameRegion? {
        let whole = whole, shown = fit
        guard view.fit != .fit || view.zoom != 1 || view.panscan != 0,
            whole.width > Double(shown.width) + 0.5 || whole.height > Double(shown.height) + 0.5
        else { return nil }
        let shareX = min(1, Double(shown.width) / whole.width), shareY = min(1, Double(shown.height) / whole.height)
        // From the image as seen back to the frame: the mirror first, then the turn.
        let seenX = (isMirrored ? -view.panX : view.panX) * (1 - shareX) / 2, seenY = view.panY * (1 - shareY) / 2
        let (x, y): (Double, Double) =
            switch rotation {
            case .none: (seenX, seenY)
            case .half: (-seenX, -seenY)
            case .right: (seenY, -seenX)
            case .left: (-seenY, seenX)
            }
        let (partX, partY) = rotation.swapsAxes ? (shareY, shareX) : (shareX, shareY)
        func edges(_ extent: Int, _ middle: Double, _ part: Double) -> (Int, Int) {
            let length = Double(max(1, extent))
            let low = ((0.5 + middle - part / 2) * length).rounded(), high = ((0.5 + middle + part / 2) * length).rounded()
            return (max(0, Int(low)), max(1, Int(high - low)))
        }
        let (left, width) = edges(stream.width, x, partX), (top, height) = edges(stream.height, y, partY)
        return FrameRegion(x: left, y: top, width: width, height: height)
    }

    /// The size to ask the scaler for: `fit` before the turn.
    public var frameTarget: PixelSize {
        let size = fit
        return rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    private static func sane(_ aspect: Double) -> Double {
        aspect >= 1.0 / 256 && aspect <= 256 ? aspect : 1
    }
}

extension RasterImage {
    /// The frame turned clockwise.
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
