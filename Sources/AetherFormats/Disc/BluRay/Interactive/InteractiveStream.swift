/// The interactive graphics of a clip: a composition with its bitmaps and colours, complete. Pure.
public struct InteractiveDisplay: Sendable, Equatable {
    /// Its pages of buttons.
    public let composition: InteractiveComposition
    /// By their numbers.
    public let objects: [Int: InteractiveObject]
    /// By their numbers.
    public let palettes: [Int: InteractivePalette]
    /// When it is there by the clock of the clip; nil: from the start.
    public let start: Int64?

    /// A complete composition.
    public init(
        composition: InteractiveComposition, objects: [Int: InteractiveObject] = [:], palettes: [Int: InteractivePalette] = [:],
        start: Int64? = nil
    ) {
        (self.composition, self.objects, self.palettes, self.start) = (composition, objects, palettes, start)
    }
}

/// Reads the packets of a clip until its first interactive graphics are complete. Pure.
public struct InteractiveStream: Sendable {
    /// The graphics; nil before their end.
    public private(set) var display: InteractiveDisplay?
    private var pieces: PacketPieces
    /// The composition's segments so far: the video, and the bytes.
    private var composition: (head: [UInt8], bytes: [UInt8], isWhole: Bool)?
    private var start: Int64?
    /// Bitmaps in their segments, whole and in pieces.
    private var runs: [Int: [UInt8]] = [:]
    private var palettes: [Int: InteractivePalette] = [:]
    private var byteCount = 0

    /// Bytes of all segments: a player's buffer has 16 MB for the bitmaps that they make.
    private static let byteLimit = 16 << 20
    /// Pixels of all bitmaps.
    private static let pixelLimit = 24 << 20
    private static let objectLimit = 4096

    private enum Kind: UInt8 { case palette = 0x14, object = 0x15, composition = 0x18, end = 0x80 }

    /// The graphics of a stream by its PID.
    public init(pid: Int) { pieces = PacketPieces(pid: pid) }

    /// Takes packets of 192 bytes, the time before each or behind it: `offset` is where a packet begins. Returns whether the graphics are complete.
    public mutating func take(_ bytes: [UInt8], offset: Int = 4) -> Bool {
        for place in stride(from: max(0, offset), to: bytes.count, by: ClipTable.packetSize) {
            guard display == nil, place + PacketPieces.packetSize <= bytes.count else { break }
            guard let piece = pieces.take(bytes[place..<place + PacketPieces.packetSize]) else { continue }
            take(piece)
        }
        return display != nil
    }

    /// Takes segments as a file of them has them, one behind the other.
    public mutating func take(segments bytes: [UInt8], time: Int64? = nil) {
        take(PacketPieces.Piece(time: time, bytes: bytes))
    }

    private mutating func take(_ piece: PacketPieces.Piece) {
        var place = 0
        while display == nil, place + 3 <= piece.bytes.count {
            let length = Int(piece.bytes[place + 1]) << 8 | Int(piece.bytes[place + 2]), end = place + 3 + length
            guard end <= piece.bytes.count else { return }
            let body = piece.bytes[place + 3..<end]
            if byteCount + length <= Self.byteLimit, let kind = Kind(rawValue: piece.bytes[place]) {
                byteCount += length
                take(kind, body, at: piece.time)
            }
            place = end
        }
    }

    private mutating func take(_ kind: Kind, _ body: ArraySlice<UInt8>, at time: Int64?) {
        let first = body.startIndex
        switch kind {
        case .composition:
            // The video, the number and the state of the composition, and whether it begins and ends here.
            guard body.count >= 9 else { return }
            let isFirst = body[first + 8] & 0x80 != 0, isLast = body[first + 8] & 0x40 != 0
            if isFirst {
                (composition, start) = ((Array(body.prefix(5)), [], false), time)
                (runs, palettes, byteCount) = ([:], [:], 0)
            }
            guard composition?.isWhole == false else { return }
            composition?.bytes += body.dropFirst(9)
            composition?.isWhole = isLast
        case .palette:
            guard body.count >= 2 else { return }
            palettes[Int(body[first]), default: InteractivePalette()].take(body.dropFirst(2))
        case .object:
            guard body.count >= 4 else { return }
            let id = Int(body[first]) << 8 | Int(body[first + 1])
            // The length stands before the first piece.
            if body[first + 3] & 0x80 != 0 {
                if runs.count < Self.objectLimit { runs[id] = Array(body.dropFirst(7)) }
            } else {
                runs[id]? += body.dropFirst(4)
            }
        case .end: complete()
        }
    }

    /// All that belongs to a composition is there; without a whole one it begins anew.
    private mutating func complete() {
        guard let composition, composition.isWhole else { return }
        let head = DiscBytes(composition.head, name: InteractiveComposition.name)
        let bytes = DiscBytes(composition.bytes, name: InteractiveComposition.name)
        let read = DiscFault.valueOrNil { () throws(DiscFault) in try InteractiveComposition(size: head, bytes) }
        guard let read else {
            self.composition = nil
            return
        }
        var objects: [Int: InteractiveObject] = [:], left = Self.pixelLimit
        for (id, bytes) in runs.sorted(by: { $0.key < $1.key }) {
            guard let object = InteractiveObject(bytes[...], width: read.width, height: read.height, count: left) else {
                continue
            }
            left -= object.pixels.count
            objects[id] = object
        }
        display = InteractiveDisplay(composition: read, objects: objects, palettes: palettes, start: start)
    }
}
