/// The modules of a QR code while it is drawn. Pure.
struct QRCanvas {
    let size: Int
    private(set) var dark: [Bool]
    /// Belongs to a pattern, and is not masked.
    private var isFixed: [Bool]

    init(version: Int, centres: [Int]) {
        size = 17 + 4 * version
        dark = [Bool](repeating: false, count: size * size)
        isFixed = dark
        for index in 0..<size {
            set(index, 6, index % 2 == 0)
            set(6, index, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { finder(x, y) }
        for x in centres {
            for y in centres where !isFinder(x, y) { alignment(x, y) }
        }
        format(0)
        if version >= 7 { number(version) }
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private func isFinder(_ x: Int, _ y: Int) -> Bool { (x < 8 || x > size - 9) && y < 8 || x < 8 && y > size - 9 }

    private mutating func finder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let ring = max(abs(dx), abs(dy))
                set(x + dx, y + dy, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func alignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// Level M and the mask, with their correction, beside the finders.
    private mutating func format(_ mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    private mutating func number(_ version: Int) {
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let (a, b) = (size - 11 + index % 3, index / 3)
            set(a, b, bits >> index & 1 == 1)
            set(b, a, bits >> index & 1 == 1)
        }
    }

    /// Fills in the codewords, in pairs of columns from the right, up and down in turn.
    mutating func place(_ words: [UInt8]) {
        var index = 0
        for right in stride(from: size - 1, through: 1, by: -2) {
            let right = right <= 6 ? right - 1 : right
            for step in 0..<size {
                for x in [right, right - 1] {
                    let y = (right + 1) & 2 == 0 ? size - 1 - step : step
                    guard !isFixed[y * size + x], index < words.count * 8 else { continue }
                    dark[y * size + x] = words[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
                    index += 1
                }
            }
        }
    }

    func masked(_ mask: Int) -> QRCanvas {
        var canvas = self
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] {
                let isTurned =
                    switch mask {
                    case 0: (x + y) % 2 == 0
                    case 1: y % 2 == 0
                    case 2: x % 3 == 0
                    case 3: (x + y) % 3 == 0
                    case 4: (x / 3 + y / 2) % 2 == 0
                    case 5: x * y % 2 + x * y % 3 == 0
                    case 6: (x * y % 2 + x * y % 3) % 2 == 0
                    default: ((x + y) % 2 + x * y % 3) % 2 == 0
                    }
                if isTurned { canvas.dark[y * size + x].toggle() }
            }
        }
        canvas.format(mask)
        return canvas
    }

    /// How hard it is to read: long runs, blocks, what looks like a finder, too much of one colour.
    var penalty: Int {
        var sum = 0
        for line in 0..<size {
            sum += Self.penalty((0..<size).map { dark[line * size + $0] })
            sum += Self.penalty((0..<size).map { dark[$0 * size + line] })
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let first = dark[y * size + x]
                if first == dark[y * size + x + 1], first == dark[(y + 1) * size + x], first == dark[(y + 1) * size + x + 1] {
                    sum += 3
                }
            }
        }
        let share = dark.count(where: \.self) * 20 - dark.count * 10
        return sum + (abs(share) + dark.count - 1) / dark.count * 10 - (share == 0 ? 0 : 10)
    }

    private static func penalty(_ line: [Bool]) -> Int {
        var sum = 0, run = 0
        for index in line.indices {
            run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
        }
        let finder = [true, false, true, true, true, false, true], quiet = [Bool](repeating: false, count: 4)
        for pattern in [finder + quiet, quiet + finder] where line.count >= pattern.count {
            for start in 0...(line.count - pattern.count) where line[start..<start + pattern.count].elementsEqual(pattern) {
                sum += 40
            }
        }
        return sum
    }
}
