/// Writes into room that is large enough: sixels, runs, numbers.
struct SixelWriter {
    private let base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0

    init(_ base: UnsafeMutablePointer<UInt8>) { self.base = base }

    @inline(__always) mutating func put(_ byte: UInt8) {
        base[count] = byte
        count &+= 1
    }

    /// A number 0…99999.
    @inline(__always) mutating func number(_ value: Int) {
        if value >= 100 {
            if value >= 1000 {
                if value >= 10000 { put(digit(value / 10000)) }
                put(digit(value / 1000))
            }
            put(digit(value / 100))
        }
        if value >= 10 { put(digit(value / 10)) }
        put(digit(value))
    }

    @inline(__always) private func digit(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: 0x30 &+ value % 10) }

    /// `length` columns of the same six rows; from four on a count is shorter.
    @inline(__always) mutating func run(_ rows: UInt8, _ length: Int) {
        let sixel = 63 &+ rows
        if length > 3 {
            put(0x21)
            number(length)
            put(sixel)
        } else {
            for _ in 0..<length { put(sixel) }
        }
    }
}

/// The registers of one sequence. They do not outlive it in xterm and foot (private registers, mode 1070), so each sequence
/// defines the pens that it uses, where it first uses them: 20 bytes at most, about 4 KB for a whole image.
struct SixelPens: Sendable {
    private var defined = [Bool](repeating: false, count: 256)
    private var current: UInt8 = SixelPalette.none
    /// The uses of each pen lately, the pens in that order, and the registers that they get: a register below 10 costs two
    /// bytes each time, one above 99 four, and names of pens are two fifths of all bytes.
    private var uses = [Int32](repeating: 0, count: 256)
    private var order = (0..<256).map { UInt8($0) }
    private var registers = (0..<256).map { UInt8($0) }

    /// A new frame begins: the first `count` pens get their registers by what they were used for until now.
    mutating func rank(_ count: Int) {
        for place in 1..<max(1, count) {
            let pen = order[place], own = uses[Int(pen)]
            var at = place
            while at > 0, uses[Int(order[at - 1])] < own {
                order[at] = order[at - 1]
                at -= 1
            }
            order[at] = pen
        }
        for place in 0..<count {
            registers[Int(order[place])] = UInt8(truncatingIfNeeded: place)
            uses[place] /= 2
        }
    }

    /// There are other pens: nothing is known of their use.
    mutating func forget() {
        for index in uses.indices {
            uses[index] = 0
            order[index] = UInt8(truncatingIfNeeded: index)
        }
    }

    /// A new sequence begins.
    mutating func begin() {
        for index in defined.indices { defined[index] = false }
        current = SixelPalette.none
    }

    /// Makes the next sixels those of a pen.
    @inline(__always) mutating func select(_ pen: UInt8, _ palette: borrowing SixelPalette, _ out: inout SixelWriter) {
        if pen == current { return }
        current = pen
        uses[Int(pen)] &+= 1
        if !defined[Int(pen)] {
            defined[Int(pen)] = true
            define(pen, palette.percents[Int(pen)], &out)
        }
        out.put(0x23)
        out.number(Int(registers[Int(pen)]))
    }

    /// Says a pen's colour. That alone does not select it: xterm goes on with the old one.
    private func define(_ pen: UInt8, _ percent: SIMD4<UInt8>, _ out: inout SixelWriter) {
        out.put(0x23)
        out.number(Int(registers[Int(pen)]))
        out.put(0x3B)
        out.put(0x32)
        for channel in 0..<3 {
            out.put(0x3B)
            out.number(Int(percent[channel]))
        }
    }
}
