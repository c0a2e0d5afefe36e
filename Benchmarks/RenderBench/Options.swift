import AetherCore
import AetherRender

/// The command line.
struct Options {
    var path = ""
    var columns = 160, rows = 45
    var source: PixelSize?
    var renderer = EncoderChoice.Renderer.halfblock
    var depth = ColourDepth.trueColor
    var lambda: Double?
    var bound = 16
    var budget: Int?
    var rate: Int?
    var picture: String?

    init(_ arguments: [String]) {
        var numbers: [Int] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--lambda": lambda = rest.popFirst().flatMap(Double.init)
            case "--budget": budget = rest.popFirst().flatMap { Int($0) }
            case "--rate": rate = rest.popFirst().flatMap { Int($0) }
            case "--bound": bound = rest.popFirst().flatMap { Int($0) } ?? bound
            case "--picture": picture = rest.popFirst()
            case "--depth": depth = rest.popFirst().flatMap(ColourDepth.init(rawValue:)) ?? depth
            case "--renderer": renderer = rest.popFirst().flatMap(EncoderChoice.Renderer.init(rawValue:)) ?? renderer
            case "--source":
                let sides = (rest.popFirst() ?? "").split(separator: "x").compactMap { Int($0) }
                if sides.count == 2 { source = PixelSize(width: max(1, sides[0]), height: max(1, sides[1])) }
            default:
                if let number = Int(argument) { numbers.append(number) } else { path = argument }
            }
        }
        if numbers.count == 2 { (columns, rows) = (max(1, numbers[0]), max(1, numbers[1])) }
    }

    /// The size of the frames in the file.
    var frameSize: PixelSize { source ?? display }
    /// The screen at 8×16 pixels a cell, at which pictures are compared as the eye sees them.
    var display: PixelSize { PixelSize(width: columns * 8, height: rows * 16) }
}
