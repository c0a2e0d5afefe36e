import AetherCore
import AetherMedia

/// The size of a still. Pure.
enum StillSize {
    /// A frame with square pixels and upright. Pixels that are not square make it larger, never smaller: nothing of the source is lost.
    static func shown(_ own: PixelSize, sampleAspect: Double, turn: QuarterTurn) -> PixelSize {
        let aspect = (0.1...10).contains(sampleAspect) ? sampleAspect : 1
        let width = aspect > 1 ? (Double(own.width) * aspect).rounded() : Double(own.width)
        let height = aspect < 1 ? (Double(own.height) / aspect).rounded() : Double(own.height)
        let square = PixelSize(width: max(1, Int(width)), height: max(1, Int(height)))
        return turn.swapsAxes ? PixelSize(width: square.height, height: square.width) : square
    }

    /// The room for a still of that size: never more than it has, nor more than the scaler makes.
    static func box(_ shown: PixelSize, within limit: PixelSize?) -> PixelSize {
        let side = RasterScaler.maximumSide
        let width = max(1, min(shown.width, min(limit?.width ?? side, side)))
        let height = max(1, min(shown.height, min(limit?.height ?? side, side)))
        // A square of 8192 would be too much: what is left is as wide as before.
        return PixelSize(width: width, height: min(height, RasterScaler.maximumArea / width))
    }
}
