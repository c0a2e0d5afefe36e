/// Bands of an image of which only a part moves, each of which is chosen exactly once in half a second: λ would else leave in them
/// what it left when they came to rest.
struct BandTurns: Sendable {
    /// Frames in which each band has one turn; nil: none has any.
    private var frames: Int?
    private var turn = 0

    /// The next frame is of that quality.
    mutating func advance(_ quality: EncodeQuality) {
        frames = quality.isQuiet && quality.lambda > 0 ? quality.exactAfter.map { max(1, $0) } : nil
        turn = (turn + 1) % (frames ?? 1)
    }

    /// Whether a row of pixels belongs to a band whose turn it is.
    func isDue(row: Int) -> Bool {
        guard let frames else { return false }
        return row / 6 % frames == turn
    }
}
