import Foundation

/// Subtitles of a Blu-ray disc (PGS), written by ourselves: ffmpeg has no encoder for them. From them it makes those of DVD and DVB.
public struct PGSStream: Sendable {
    /// A rectangle of one colour that stands for a while, in pixels and seconds.
    public struct Box: Sendable {
        public let x, y, width, height: Int
        public let start, end: Double

        /// A box; at most 16383 pixels wide.
        public init(x: Int, y: Int, width: Int, height: Int, start: Double, end: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
            (self.start, self.end) = (start, end)
        }
    }

    /// The bytes of a `.sup` file.
    public private(set) var bytes: [UInt8] = []
    private let width, height: Int
    private var number = 0

    /// Boxes that do not overlap in time, in their order, on a canvas. Their colour is a bright green, about (81, 254, 52) in RGB. The stream begins with
    /// an empty screen at 0, so that its times are the film's.
    public init(width: Int, height: Int, _ boxes: [Box]) {
        (self.width, self.height) = (width, height)
        screen(nil, at: 0)
        for box in boxes {
            screen(box, at: box.start)
            screen(nil, at: box.end)
        }
    }

    /// One display set: what is on the screen from now on.
    private mutating func screen(_ box: Box?, at seconds: Double) {
        let ticks = Int(seconds * 90_000)
        let objects = box.map { [0, 0, 0, 0] + word($0.x) + word($0.y) }
        // Composition: the canvas, the rate, the number of the set, that an epoch begins, the palette, and what stands where.
        add(
            0x16, at: ticks,
            word(width) + word(height) + [0x10] + word(number) + [box == nil ? 0 : 0x80, 0, 0, box == nil ? 0 : 1]
                + (objects ?? []))
        number += 1
        if let box {
            add(0x17, at: ticks, [1, 0] + word(box.x) + word(box.y) + word(box.width) + word(box.height))
            // Entry 1: Y, Cr, Cb, opaque.
            add(0x14, at: ticks, [0, 0, 1, 180, 60, 60, 255])
            // A line is one run of entry 1, in 14 bits, and its end.
            let line: [UInt8] = [0, 0xC0 | UInt8(box.width >> 8), UInt8(box.width & 255), 1, 0, 0]
            let picture = word(box.width) + word(box.height) + Array(repeating: line, count: box.height).joined()
            add(0x15, at: ticks, word(0) + [0, 0xC0, 0] + word(picture.count) + picture)
        }
        add(0x80, at: ticks, [])
    }

    private mutating func add(_ kind: UInt8, at ticks: Int, _ body: [UInt8]) {
        bytes += Array("PG".utf8) + word(ticks >> 16) + word(ticks & 0xFFFF) + [0, 0, 0, 0, kind] + word(body.count) + body
    }

    private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
}
