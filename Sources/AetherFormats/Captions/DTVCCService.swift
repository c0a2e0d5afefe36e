import AetherCore

/// One service of digital captions: reads its codes and draws into its windows. CEA-708-E, section 7 and 8; what only looks (borders,
/// effects, opacity) and delays are read over.
struct DTVCCService: Sendable {
    private var windows = [DTVCCWindow?](repeating: nil, count: 8)
    private var current: Int?
    /// Of a code whose arguments come with the next block.
    private var rest: [UInt8] = []
    /// The longest code: a mark, its kind, its length and 31 bytes.
    private static let longestCode = 40

    /// Takes one block.
    mutating func take(_ block: ArraySlice<UInt8>) {
        let bytes = rest + block
        rest = []
        var place = 0
        while place < bytes.count {
            guard let length = Self.length(of: bytes[place...]), place + length <= bytes.count else {
                // Not all of it is here yet.
                if bytes.count - place <= Self.longestCode { rest = Array(bytes[place...]) }
                return
            }
            carryOut(Array(bytes[place..<place + length]))
            place += length
        }
    }

    /// The texts of the windows that are seen, by priority.
    var texts: [DTVCCDecoder.Text] {
        windows.compactMap { $0 }.filter(\.isVisible).sorted { $0.priority < $1.priority }.compactMap(\.text)
    }

    // MARK: - Codes

    /// Bytes of the code at the start; nil where that is not known yet.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x10:
            guard let second = bytes.dropFirst().first else { return nil }
            switch second {
            case 0x00...0x07, 0x20...0x7F, 0xA0...0xFF: return 2
            case 0x08...0x0F: return 3
            case 0x10...0x17: return 4
            case 0x18...0x1F: return 5
            case 0x80...0x87: return 6
            case 0x88...0x8F: return 7
            default: return bytes.dropFirst(2).first.map { 3 + Int($0 & 0x1F) }
            }
        case 0x11...0x17: return 2
        case 0x18...0x1F: return 3
        case 0x88...0x8D: return 2
        case 0x90, 0x92: return 3
        case 0x91: return 4
        case 0x97: return 5
        case 0x98...0x9F: return 7
        default: return 1
        }
    }

    private mutating func carryOut(_ code: [UInt8]) {
        switch code[0] {
        case 0x08: draw { $0.backspace() }
        case 0x0C: draw { $0.clear() }
        case 0x0D: draw { $0.carriageReturn() }
        case 0x0E: draw { $0.clearRow() }
        case 0x10: if let scalar = DTVCCText.extended(code[1]) { draw { $0.put(scalar) } }
        case 0x18:
            // Two bytes for one character: UCS-2 where it is used at all.
            if let scalar = Unicode.Scalar(UInt32(code[1]) << 8 | UInt32(code[2])), scalar.value > 0x20 {
                draw { $0.put(scalar) }
            }
        case 0x20...0x7F, 0xA0...0xFF: if let scalar = DTVCCText.basic(code[0]) { draw { $0.put(scalar) } }
        case 0x80...0x87: if windows[Int(code[0] & 7)] != nil { current = Int(code[0] & 7) }
        case 0x88: forEach(in: code[1]) { $0?.clear() }
        case 0x89: forEach(in: code[1]) { $0?.isVisible = true }
        case 0x8A: forEach(in: code[1]) { $0?.isVisible = false }
        case 0x8B: forEach(in: code[1]) { $0?.isVisible.toggle() }
        case 0x8C: delete(code[1])
        case 0x8F: (windows, current) = ([DTVCCWindow?](repeating: nil, count: 8), nil)
        case 0x90: draw { $0.setPenAttributes(code[2]) }
        case 0x91: draw { $0.setPenColor(code[1]) }
        case 0x92: draw { $0.movePen(row: Int(code[1] & 0x0F), column: Int(code[2] & 0x3F)) }
        case 0x97: draw { $0.justification = Int(code[3] & 3) }
        case 0x98...0x9F: define(Int(code[0] & 7), code)
        default: break
        }
    }

    private mutating func draw(_ change: (inout DTVCCWindow) -> Void) {
        guard let current, var window = windows[current] else { return }
        change(&window)
        windows[current] = window
    }

    private mutating func forEach(in map: UInt8, _ change: (inout DTVCCWindow?) -> Void) {
        for index in windows.indices where map >> UInt8(index) & 1 == 1 { change(&windows[index]) }
    }

    private mutating func delete(_ map: UInt8) {
        forEach(in: map) { $0 = nil }
        if let index = current, windows[index] == nil { current = nil }
    }

    /// A window that is there already keeps what is in it.
    private mutating func define(_ index: Int, _ code: [UInt8]) {
        var window = windows[index] ?? DTVCCWindow()
        window.define(Array(code[1...]))
        windows[index] = window
        current = index
    }
}

/// The characters of digital captions: G0 and G1 as one byte, G2 and G3 behind a mark.
enum DTVCCText {
    static func basic(_ byte: UInt8) -> Unicode.Scalar? {
        byte == 0x7F ? "♪" : byte == 0xA0 ? " " : Unicode.Scalar(byte)
    }

    static func extended(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0x20, 0x21: " "
        // Codes that the table leaves free are shown as an underscore (section 7.1.12).
        case 0x22...0x7F: table[byte] ?? "_"
        case 0xA0: "㏄"
        case 0xA1...0xFF: "_"
        default: nil
        }
    }

    private static let table: [UInt8: Unicode.Scalar] = [
        0x25: "…", 0x2A: "Š", 0x2C: "Œ", 0x30: "█", 0x31: "‘", 0x32: "’", 0x33: "“", 0x34: "”", 0x35: "•", 0x39: "™", 0x3A: "š",
        0x3C: "œ",
        0x3D: "℠", 0x3F: "Ÿ", 0x76: "⅛", 0x77: "⅜", 0x78: "⅝", 0x79: "⅞", 0x7A: "│", 0x7B: "┐", 0x7C: "└", 0x7D: "─", 0x7E: "┘",
        0x7F: "┌",
    ]
}
