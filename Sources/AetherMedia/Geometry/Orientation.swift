public import AetherCore
import CFFmpeg

/// The turn, and then the mirroring, that make a stored frame stand as it was taken.
public struct Orientation: Sendable, Equatable {
    /// The clockwise turn.
    public var turn: QuarterTurn
    /// Left and right change places after the turn.
    public var isMirrored: Bool

    /// This orientation with a person's turn and mirroring behind it.
    public func turned(by view: VideoView) -> Orientation {
        func sum(_ turn: QuarterTurn, _ degrees: Int) -> QuarterTurn { QuarterTurn(degrees: Double(turn.rawValue + degrees)) }
        // A mirror before a turn is one behind the turn the other way.
        var next = Orientation(turn: sum(turn, isMirrored ? -view.rotation : view.rotation), isMirrored: isMirrored)
        switch view.flip {
        case .none: break
        case .horizontal: next.isMirrored.toggle()
        // Top and bottom are left and right, and half a turn.
        case .vertical: (next.turn, next.isMirrored) = (sum(next.turn, 180), !next.isMirrored)
        case .both: next.turn = sum(next.turn, 180)
        }
        return next
    }

    /// An orientation; the default is as stored.
    public init(turn: QuarterTurn = .none, isMirrored: Bool = false) {
        self.turn = turn
        self.isMirrored = isMirrored
    }
}

/// A display matrix as MP4 has it (nine numbers, 16.16 fixed point), taken apart: a turn, then perhaps a mirror. What it says of size and
/// place is left to the container.
struct DisplayMatrix: Equatable {
    let clockwiseDegrees: Double
    let isMirrored: Bool

    /// nil for what is too short or squeezes the frame flat.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 36 else { return nil }
        var matrix = (0..<9).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        isMirrored = Double(matrix[0]) * Double(matrix[4]) < Double(matrix[1]) * Double(matrix[3])
        if isMirrored {
            matrix[0] = 0 &- matrix[0]
            matrix[3] = 0 &- matrix[3]
        }
        // FFmpeg's angle is counterclockwise and NaN for a singular matrix.
        let angle = av_display_rotation_get(matrix)
        guard angle.isFinite else { return nil }
        clockwiseDegrees = -angle
    }
}

extension DecodedFrame {
    /// The turn that the frame itself states; nil where it is silent.
    public var orientation: Orientation? {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX),
            let matrix = DisplayMatrix(UnsafeRawBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
        else { return nil }
        return Orientation(turn: QuarterTurn(degrees: matrix.clockwiseDegrees), isMirrored: matrix.isMirrored)
    }
}

extension RasterImage {
    /// The frame as it was taken.
    public func oriented(_ orientation: Orientation) -> RasterImage {
        let image = turned(orientation.turn)
        guard orientation.isMirrored else { return image }
        var pixels = image.pixels
        for row in 0..<image.height { pixels[row * image.width..<(row + 1) * image.width].reverse() }
        return RasterImage(width: image.width, height: image.height, pixels: pixels)
    }
}
