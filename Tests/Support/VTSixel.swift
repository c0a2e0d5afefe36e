public import AetherCore

/// One sixel sequence, read as xterm reads it: pixels 1:1, registers of its own, later sixels over earlier ones.
public struct VTSixel: Sendable, Equatable {
    /// Bytes between introducer and terminator.
    public var byteCount = 0
    /// Whether pixels that are not painted stay as they are (P2 = 1).
    public var isTransparent = false
    /// The size that the raster attributes say.
    public var declared = PixelSize(width: 0, height: 0)
    /// Bands begun.
    public var bands = 1
    /// Registers painted with.
    public var registers: Set<Int> = []
    /// The cell that it was sent to.
    public internal(set) var column = 0, row = 0
    /// The objections of a strict reader.
    public var faults: [String] = []

    /// Reads the body that follows “P”; `paint` gets x, y and a colour for every pixel in order of painting.
    init(_ body: some Sequence<UInt8>, paint: (Int, Int, UInt32) -> Void) {
        var reader = Reader(body)
        let parameters = reader.numbers()
        isTransparent = parameters.count > 1 && parameters[1] == 1
        if reader.next() != 0x71 { faults.append("no sixel") }
        var colours: [Int: UInt32] = [:]
        var register = 0, x = 0, y = 0
        while let byte = reader.next() {
            var count = 1, sixel = byte
            switch byte {
            case 0x22: raster(reader.numbers())
            case 0x23:
                let numbers = reader.numbers()
                // In xterm a definition does not select.
                if numbers.count > 1 { colours[numbers[0]] = colour(numbers) } else { register = numbers.first ?? 0 }
            case 0x24: x = 0
            case 0x2D: (x, y, bands) = (0, y + 6, bands + 1)
            case 0x21:
                count = max(1, reader.numbers().first ?? 1)
                sixel = reader.next() ?? 0
                fallthrough
            case 0x3F...0x7E:
                guard (0x3F...0x7E).contains(sixel) else {
                    faults.append("byte \(sixel) after a repeat")
                    continue
                }
                if sixel != 0x3F {
                    registers.insert(register)
                    if colours[register] == nil { faults.append("register \(register) was not defined") }
                    let pixel = colours[register] ?? 0xFF00_0000
                    for column in x..<x + count {
                        for bit in 0..<6 where (sixel - 0x3F) >> UInt8(bit) & 1 == 1 { paint(column, y + bit, pixel) }
                    }
                    if x + count > declared.width { faults.append("wider than declared") }
                }
                x += count
            default: faults.append("byte \(byte) in sixel")
            }
        }
    }

    private mutating func raster(_ numbers: [Int]) {
        if numbers.count != 4 || numbers[0] != numbers[1] { faults.append("raster attributes \(numbers)") }
        if numbers.count == 4 { declared = PixelSize(width: numbers[2], height: numbers[3]) }
    }

    /// RGB in percent, or HLS with blue at 0°.
    private mutating func colour(_ numbers: [Int]) -> UInt32 {
        guard numbers.count == 5, numbers[1] == 1 || numbers[1] == 2 else {
            faults.append("colour \(numbers)")
            return 0xFF00_0000
        }
        if numbers[1] == 2 {
            if numbers[2...4].contains(where: { $0 > 100 }) { faults.append("colour \(numbers)") }
            func level(_ percent: Int) -> UInt8 { UInt8(clamping: (percent * 255 + 50) / 100) }
            return RasterImage.rgb(level(numbers[2]), level(numbers[3]), level(numbers[4]))
        }
        let hue = Double((numbers[2] + 240) % 360), light = Double(numbers[3]) / 100, saturation = Double(numbers[4]) / 100
        let chroma = (1 - abs(2 * light - 1)) * saturation
        func level(_ offset: Double) -> UInt8 {
            let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            let value = light - chroma / 2 * max(-1, min(place - 3, 9 - place, 1))
            return UInt8(clamping: Int((value * 255).rounded()))
        }
        return RasterImage.rgb(level(0), level(8), level(4))
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var place = 0

        init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        mutating func next() -> UInt8? {
            guard place < bytes.count else { return nil }
            place += 1
            return bytes[place - 1]
        }

        mutating func numbers() -> [Int] {
            var numbers: [Int] = [], current: Int?
            while place < bytes.count {
                let byte = bytes[place]
                if (0x30...0x39).contains(byte) {
                    current = min(99_999, (current ?? 0) * 10 + Int(byte - 0x30))
                } else if byte == 0x3B {
                    numbers.append(current ?? 0)
                    current = 0
                } else {
                    break
                }
                place += 1
            }
            if let current { numbers.append(current) }
            return numbers
        }
    }
}

extension VTScreen {
    /// Takes the body of a device control string if it is sixel.
    mutating func sixel(_ text: String) -> Bool {
        let body = text.utf8.dropFirst()
        guard text.utf8.first == 0x50, body.first(where: { $0 != 0x3B && !(0x30...0x39).contains($0) }) == 0x71 else {
            return false
        }
        var painted: [(Int, Int, UInt32)] = []
        painted.reserveCapacity(body.count)
        var image = VTSixel(body) { painted.append(($0, $1, $2)) }
        image.byteCount = body.count
        (image.column, image.row) = (column, row)
        // A band of six rows that does not fit scrolls, whether its last rows are painted or not.
        let height = max(image.bands * 6, image.declared.height)
        let excess = row * plane.cell.height + height - plane.size.height
        if excess > 0 {
            let rows = (excess + plane.cell.height - 1) / plane.cell.height
            for _ in 0..<rows { scrollUp() }
            row = max(0, row - rows)
        }
        let left = column * plane.cell.width, top = row * plane.cell.height
        if !image.isTransparent {
            plane.fill(x: left, y: top, width: image.declared.width, height: image.declared.height, 0xFF00_0000)
        }
        for (x, y, pixel) in painted { plane.paint(left + x, top + y, pixel) }
        row = min(size.rows - 1, (top + (image.bands - 1) * 6) / plane.cell.height)
        wrapPending = false
        unknown += image.faults.map { "sixel: \($0)" }
        sixels.append(image)
        return true
    }
}
