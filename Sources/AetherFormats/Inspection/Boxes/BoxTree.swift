/// The boxes of a file of ISO base media or QuickTime, each with its fields: heads first, then of each box that holds no others the first bytes.
/// Bounded in depth, boxes and bytes, whatever the file says.
struct BoxTree {
    private let source: InspectedBytes
    private var room = InspectionRoom()
    private var context = BoxLayout.Context()

    init(_ source: InspectedBytes) { self.source = source }

    /// The boxes of the file, in its order.
    static func boxes(_ source: InspectedBytes) -> [InspectedBox] {
        var tree = BoxTree(source)
        var root = InspectedBox("", offset: 0, size: source.size ?? 0)
        tree.fill(&root, from: 0, to: source.size ?? Int64.max, depth: 0)
        if root.unlisted > 0 || !root.damage.isEmpty {
            var rest = InspectedBox(
                "…", title: "Not listed", offset: tree.place, size: max(0, (source.size ?? tree.place) - tree.place))
            (rest.unlisted, rest.damage) = (root.unlisted, root.damage)
            root.children.append(rest)
        }
        return root.children
    }

    /// Where the walk through the file stands.
    private var place: Int64 = 0

    /// Reads the boxes from `start` to `end` into a box.
    private mutating func fill(_ box: inout InspectedBox, from start: Int64, to end: Int64, depth: Int) {
        var offset = start
        while offset < end, room.takeHead() {
            if depth == 0 {
                place = offset
                if source.isFrugal, source.jumps > InspectionRoom.jumps {
                    return box.damage.append("what follows was not looked at: \(source.jumps) requests were made")
                }
            }
            guard let head = head(at: offset, end: end, in: &box, depth: depth) else { return }
            let behind = offset + head.size
            if room.take() {
                box.children.append(read(head, at: offset, depth: depth))
            } else {
                box.unlisted += 1
            }
            guard behind > offset else { return }
            offset = behind
        }
        if offset < end { box.damage.append("more than \(2_000_000) boxes: the rest was not looked at") }
    }

    private struct Head {
        let type: String
        /// As far as there is room.
        let size: Int64
        let length: Int
        var damage: [String] = []
    }

    /// The head of the box at an offset; nil where there is none, with what is wrong in `parent`.
    private mutating func head(at offset: Int64, end: Int64, in parent: inout InspectedBox, depth: Int) -> Head? {
        let bytes = source.bytes(at: offset, count: 16), left = end - offset
        if bytes.isEmpty, source.size == nil { return nil }
        guard let words = BoxHeadWords(bytes[...]), left >= 8 else {
            // QuickTime ends a list of user data with four zeros.
            if left == 4, bytes.prefix(4).allSatisfy({ $0 == 0 }), depth > 0 { return nil }
            if bytes.isEmpty { return nil }
            parent.damage.append("\(min(left, Int64(bytes.count))) bytes after the last box")
            return nil
        }
        let length = words.length
        if words.size == 0, words.name.allSatisfy({ $0 == 0 }) {
            parent.damage.append("\(left) bytes at \(offset) are zeros and not a box")
            return nil
        }
        // A long size that no signed number holds is larger than every file.
        let type = BoxName.text(words.name), size = Int64(words.size ?? .max)
        var head = Head(type: type, size: left, length: min(length, Int(clamping: left)))
        guard size != 0 || length == 16 else {
            if depth > 0 { head.damage.append("its size is 0, which is for the last box of a file alone") }
            return head
        }
        guard size >= Int64(length) else {
            head.damage.append("it says \(size) bytes, which is less than its own head")
            return head
        }
        if size > left {
            let known = end != Int64.max
            let over = depth == 0 ? "the end of the file" : "the end of \(parent.type)"
            if known { head.damage.append("it says \(size) bytes, \(size - left) more than there are up to \(over)") }
            return Head(type: type, size: left, length: head.length, damage: head.damage)
        }
        return Head(type: type, size: size, length: length, damage: head.damage)
    }

    private mutating func read(_ head: Head, at offset: Int64, depth: Int) -> InspectedBox {
        let layout = BoxLayout.find(head.type, context)
        var box = InspectedBox(head.type, title: layout?.title ?? "", offset: offset, size: head.size, headLength: head.length)
        box.damage = head.damage
        let body = offset + Int64(head.length), end = offset + head.size
        guard let layout, head.size > Int64(head.length) else {
            if layout == nil, head.size > Int64(head.length) { unknown(&box, body, end) }
            return box
        }
        if head.type == "trak" || head.type == "traf" {
            (context.handler, context.vectorSize) = (head.type == "trak" ? "" : context.handler, vector(head.type))
        }
        var start = body
        if layout.holdsBoxes || !isSilent(layout) {
            let wanted = layout.holdsBoxes ? 512 : Int(min(end - body, Int64(InspectionRoom.body)))
            let bytes = source.bytes(at: body, count: Int(min(end - body, Int64(wanted))))
            var reader = FieldReader(bytes, size: end - body)
            layout.read(&reader, &context)
            (box.fields, box.damage) = (reader.fields, box.damage + reader.damage)
            start = body + Int64(bytes.count - reader.rest.count)
        }
        if head.type == "tenc" { vectors = context.vectorSize }
        guard layout.holdsBoxes, start < end else { return box }
        guard depth < InspectionRoom.depth else {
            box.damage.append("boxes lie more than \(InspectionRoom.depth) deep in one another: no deeper ones were read")
            return box
        }
        context.path.append(head.type)
        fill(&box, from: start, to: end, depth: depth + 1)
        context.path.removeLast()
        check(&box)
        return box
    }

    /// Of the last `tenc`; fragments stand behind it.
    private var vectors = 8

    private func vector(_ type: String) -> Int { type == "traf" ? vectors : 8 }

    private func isSilent(_ layout: BoxLayout) -> Bool { Self.silent.contains(layout.title) }

    private static let silent: Set<String> = [
        "Media Data", "Free Space", "Junk", "Room for a long size", "QuickDraw Picture", "Stored Items",
    ]

    private func unknown(_ box: inout InspectedBox, _ body: Int64, _ end: Int64) {
        let bytes = source.bytes(at: body, count: Int(min(end - body, 64)))
        box.fields.append(InspectedField("data", .bytes(Array(bytes)), meaning: "\(end - body) bytes of an unknown kind"))
    }

    /// Compares the number of children that a box states with the number that it holds.
    private func check(_ box: inout InspectedBox) {
        guard ["stsd", "dref"].contains(box.type), case .integer(let count)? = box[field: "entry_count"] else { return }
        let there = box.children.count + box.unlisted
        if Int64(there) != count { box.damage.append("it counts \(count) entries, and holds \(there)") }
    }
}
