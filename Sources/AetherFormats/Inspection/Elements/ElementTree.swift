import AetherCore

/// The elements of a file of EBML: Matroska or WebM. Bounded in depth, elements and bytes. Of clusters behind the first ones only the place is
/// told, so that the indexes at the end are still reached.
struct ElementTree {
    private let source: InspectedBytes
    private var room = InspectionRoom()
    /// Elements that clusters may take of the room: the rest is kept for what lies behind them.
    private var clusterRoom = 20_000
    /// The first byte that positions of the index count from.
    private var origin: Int64 = 0
    /// Positions of elements that the index names.
    private var named: [Int64] = []
    private var scale: UInt64 = 1_000_000
    private var place: Int64 = 0

    init(_ source: InspectedBytes) { self.source = source }

    /// The elements of the file, in its order.
    static func boxes(_ source: InspectedBytes) -> [InspectedBox] {
        var tree = ElementTree(source), root = InspectedBox("", offset: 0, size: source.size ?? 0)
        _ = tree.fill(&root, from: 0, to: source.size ?? Int64.max, isOpen: false, depth: 0)
        if root.unlisted > 0 || !root.damage.isEmpty {
            var rest = InspectedBox(
                "…", title: "Not listed", offset: tree.place, size: max(0, (source.size ?? tree.place) - tree.place))
            (rest.unlisted, rest.damage) = (root.unlisted, root.damage)
            root.children.append(rest)
        }
        return root.children
    }

    /// Reads the elements from `start` to `end` into one. `isOpen`: its size is unknown, so that an element of its level or above ends it.
    /// Returns where it ended.
    private mutating func fill(_ box: inout InspectedBox, from start: Int64, to end: Int64, isOpen: Bool, depth: Int) -> Int64 {
        var offset = start
        while offset < end, room.takeHead() {
            place = offset
            let bytes = source.bytes(at: offset, count: EBMLHeader.room)
            if bytes.isEmpty { return offset }
            guard let head = EBMLHeader(bytes), offset + Int64(head.length) <= end else {
                offset += skip(&box, at: offset, to: end)
                continue
            }
            let kind = ElementKind.find(head.id)
            // Level 0 lies at depth 0: an element of unknown size ends before one of its own level, or above.
            if isOpen, let level = kind?.level, level < depth { return offset }
            let (child, behind) = read(head, kind, at: offset, to: end, depth: depth)
            if let child { box.children.append(child) } else { box.unlisted += 1 }
            guard behind > offset else { return offset }
            offset = jump(behind, kind, &box, to: end)
        }
        return offset
    }

    /// Clusters, cues, tags and tracks.
    private static let marks = [
        BytePattern([0x1F, 0x43, 0xB6, 0x75]), BytePattern([0x1C, 0x53, 0xBB, 0x6B]), BytePattern([0x12, 0x54, 0xC3, 0x67]),
        BytePattern([0x16, 0x54, 0xAE, 0x6B]),
    ]

    /// Skips bytes that are not an element: looks for the next cluster or other element of the segment, 1 MB further at most.
    private mutating func skip(_ box: inout InspectedBox, at offset: Int64, to end: Int64) -> Int64 {
        let bytes = Array(source.bytes(at: offset, count: Int(min(end - offset, 1 << 20))))
        if let place = Self.marks.compactMap({ $0.first(in: bytes, from: 1) }).min() {
            box.damage.append("\(place) bytes at \(offset) are not an element")
            return Int64(place)
        }
        box.damage.append("\(end == Int64.max ? Int64(bytes.count) : end - offset) bytes at \(offset) are not an element")
        return end == Int64.max ? Int64(bytes.count) : end - offset
    }

    /// Behind a cluster of a file that is far away: on to the next element that the index names.
    private mutating func jump(_ behind: Int64, _ kind: ElementKind?, _ box: inout InspectedBox, to end: Int64) -> Int64 {
        guard source.isFrugal, kind?.name == "Cluster" else { return behind }
        let next = named.filter { $0 >= behind && $0 < end }.min() ?? end
        guard next > behind, next != Int64.max else { return behind }
        box.damage.append("\(next - behind) bytes of clusters at \(behind) were not looked at: each would be a request")
        return next
    }

    private mutating func read(_ head: EBMLHeader, _ kind: ElementKind?, at offset: Int64, to end: Int64, depth: Int)
        -> (box: InspectedBox?, behind: Int64)
    {
        let body = offset + Int64(head.length)
        let stated = head.size == nil ? nil : head.end(at: offset) ?? Int64.max
        let limit = min(stated ?? end, end), name = kind?.name ?? "0x" + String(head.id, radix: 16, uppercase: true)
        guard kind?.name != "Cluster" || clusterRoom > 0, room.take() else { return (nil, stated.map { min($0, end) } ?? end) }
        var box = InspectedBox(name, offset: offset, size: (limit == Int64.max ? body : limit) - offset, headLength: head.length)
        if let stated, stated > end, end != Int64.max {
            let size = head.size ?? 0
            box.damage.append("it says \(size) bytes, and \(end - body) are left")
        }
        guard kind?.content == .holder else {
            leaf(&box, kind, body, limit)
            return (box, limit)
        }
        if head.size == nil { box.fields.append(InspectedField("size", .text("unknown"), meaning: "the writer did not know it")) }
        if name == "Segment" { origin = body }
        guard depth < InspectionRoom.depth else {
            box.damage.append("elements lie more than \(InspectionRoom.depth) deep in one another: no deeper ones were read")
            return (box, limit)
        }
        let before = room.boxes
        let ended = fill(&box, from: body, to: limit, isOpen: head.size == nil, depth: depth + 1)
        if name == "Cluster" { clusterRoom -= before - room.boxes }
        if head.size == nil { box = resized(box, ended - offset) }
        note(&box)
        sum(&box, body, limit)
        return (box, head.size == nil ? ended : limit)
    }

    private func resized(_ box: InspectedBox, _ size: Int64) -> InspectedBox {
        var other = InspectedBox(box.type, title: box.title, offset: box.offset, size: size, headLength: box.headLength)
        (other.fields, other.children, other.unlisted, other.damage) = (box.fields, box.children, box.unlisted, box.damage)
        return other
    }

    /// Notes the values that later elements depend on.
    private mutating func note(_ box: inout InspectedBox) {
        if box.type == "Seek",
            case .integer(let position)? = box.children.first(where: { $0.type == "SeekPosition" })?[field: "value"]
        {
            let (place, overflows) = origin.addingReportingOverflow(position)
            if !overflows, named.count < 256 { named.append(place) }
        }
        if box.type == "Info",
            case .integer(let value)? = box.children.first(where: { $0.type == "TimestampScale" })?[field: "value"]
        {
            scale = UInt64(clamping: value)
        }
    }

    /// A checksum over what stands beside it, where that is not too much to read.
    private func sum(_ box: inout InspectedBox, _ body: Int64, _ end: Int64) {
        guard let first = box.children.first, first.type == "CRC-32", first.size >= 4, end != Int64.max else { return }
        let start = first.offset + first.size, count = end - start
        guard count <= (source.isFrugal ? 64 << 10 : 4 << 20) else {
            box.children[0].fields.append(InspectedField("check", .text("not checked"), meaning: "\(count) bytes"))
            return
        }
        let stored = source.bytes(at: first.offset + first.size - 4, count: 4).reversed().reduce(UInt32(0)) {
            $0 << 8 | UInt32($1)
        }
        let computed = Checksum.of(source.bytes(at: start, count: Int(count)))
        box.children[0].fields.append(InspectedField("check", .text(stored == computed ? "right" : "wrong")))
        if stored != computed {
            let digits = String(computed, radix: 16)
            box.damage.append("its CRC-32 is wrong: the bytes have 0x\(digits)")
        }
    }

    private func leaf(_ box: inout InspectedBox, _ kind: ElementKind?, _ body: Int64, _ end: Int64) {
        let size = end - body
        let wanted = kind?.content == .bytes || kind == nil ? 64 : 4096
        let isCodec = kind?.name == "CodecPrivate"
        let bytes = Array(
            kind?.name == "Void" ? [] : source.bytes(at: body, count: Int(min(size, isCodec ? 16 << 10 : Int64(wanted)))))
        guard let kind else {
            box.fields.append(InspectedField("value", .bytes(bytes), meaning: "\(size) bytes of an unknown kind"))
            return
        }
        let value = ElementValue(kind, bytes, size: size, scale: scale)
        (box.fields, box.damage) = (value.fields, box.damage + value.damage)
    }
}
