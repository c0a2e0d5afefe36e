import AetherCore

/// A document of data as a tree: places in its bytes, about 60 bytes for each element, and texts that are made when they are asked for.
/// Stricter than `XMLScanner` alone: a document type is refused before anything is read, tags must fit, and everything is bounded.
struct XMLTree: Sendable {
    /// Elements inside of elements at most.
    static let depthLimit = 64
    /// Elements, attributes and texts at most, each.
    static let nodeLimit = 2_000_000

    /// A part of the bytes.
    struct Span: Sendable {
        let offset, count: UInt32

        init(_ range: Range<Int>) { (offset, count) = (UInt32(range.lowerBound), UInt32(range.count)) }

        var range: Range<Int> { Int(offset)..<(Int(offset) + Int(count)) }
    }

    struct Node: Sendable {
        var name: Span
        var parent: Int32
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var next: Int32 = -1
        var attributes: Int32
        var attributeCount: Int32
        var lastText: Int32 = -1
    }

    struct Attribute: Sendable { let name, value: Span }

    struct Text: Sendable {
        let span: Span
        /// CDATA: nothing in it is a reference.
        let isData: Bool
        /// The text of the same element before this one; -1 for none.
        let previous: Int32
    }

    var bytes: [UInt8]
    var nodes: [Node] = []
    var attributes: [Attribute] = []
    var texts: [Text] = []

    /// Reads a whole document of UTF-8 or UTF-16. Throws `.tooLarge`, `.documentType`, `.tooMany`, `.cutOff` or `.markup`.
    init(_ bytes: [UInt8], sizeLimit: Int) throws(StreamFault) {
        // UTF-16 grows by half in UTF-8 at most.
        guard bytes.count <= min(sizeLimit, Int(Int32.max) / 2) else { throw StreamFault(.tooLarge(limit: sizeLimit)) }
        let bytes = XMLEncoding.utf8(bytes)
        guard !XMLTree.declares(bytes) else { throw StreamFault(.documentType) }
        self.bytes = bytes
        var scanner = XMLScanner(bytes), open: [Int32] = []
        while let piece = scanner.piece() {
            switch piece {
            case .start(let name, let isEmpty):
                let node = try add(name, scanner.attributes, below: open.last)
                if !isEmpty { open.append(node) }
                guard open.count <= Self.depthLimit else { throw fault(.tooMany("levels"), at: name.lowerBound) }
            case .end(let name):
                guard let node = open.popLast(), isSame(nodes[Int(node)].name, name) else {
                    throw fault(.markup, at: name.lowerBound)
                }
            case .text(let range): try add(range, isData: false, to: open.last)
            case .data(let range): try add(range, isData: true, to: open.last)
            case .declaration: throw fault(.documentType, at: scanner.position)
            }
        }
        guard !nodes.isEmpty else { throw StreamFault(bytes.isEmpty ? .empty : .markup) }
        guard open.isEmpty else { throw StreamFault(.cutOff) }
    }

    /// The outermost element.
    var root: XMLElement { XMLElement(tree: self, index: 0) }

    /// `<!DOCTYPE` or `<!ENTITY` anywhere, in whatever case.
    private static func declares(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let mark = BytePattern("<!")
            var place = 0
            while let found = mark.first(in: bytes, from: place) {
                let word = bytes[min(found + 2, bytes.count)..<min(found + 9, bytes.count)].map { $0 & 0xDF }
                if word.starts(with: "DOCTYPE".utf8) || word.starts(with: "ENTITY".utf8) { return true }
                place = found + 2
            }
            return false
        }
    }

    private mutating func add(
        _ name: Range<Int>, _ list: [(name: Range<Int>, value: Range<Int>)], below parent: Int32?
    ) throws(StreamFault) -> Int32 {
        let index = Int32(nodes.count)
        guard nodes.count < Self.nodeLimit, attributes.count + list.count <= 2 * Self.nodeLimit else {
            throw fault(.tooMany("elements"), at: name.lowerBound)
        }
        guard parent != nil || nodes.isEmpty else { throw fault(.markup, at: name.lowerBound) }
        nodes.append(
            Node(
                name: Span(name), parent: parent ?? -1, attributes: Int32(attributes.count), attributeCount: Int32(list.count)))
        for attribute in list { attributes.append(Attribute(name: Span(attribute.name), value: Span(attribute.value))) }
        if let parent { link(index, below: Int(parent)) }
        return index
    }

    mutating func link(_ index: Int32, below parent: Int) {
        let last = nodes[parent].lastChild
        if last < 0 { nodes[parent].firstChild = index } else { nodes[Int(last)].next = index }
        nodes[parent].lastChild = index
    }

    /// Texts of white space alone are left out, and those outside of the root.
    private mutating func add(_ range: Range<Int>, isData: Bool, to node: Int32?) throws(StreamFault) {
        guard let node, !isBlank(range) else { return }
        guard texts.count < Self.nodeLimit else { throw fault(.tooMany("texts"), at: range.lowerBound) }
        texts.append(Text(span: Span(range), isData: isData, previous: nodes[Int(node)].lastText))
        nodes[Int(node)].lastText = Int32(texts.count - 1)
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        for place in range where bytes[place] > 0x20 { return false }
        return true
    }

    /// Whether two places have the same bytes.
    private func isSame(_ span: Span, _ other: Range<Int>) -> Bool {
        guard Int(span.count) == other.count else { return false }
        let start = Int(span.offset)
        for place in 0..<other.count where bytes[start + place] != bytes[other.lowerBound + place] { return false }
        return true
    }

    private func fault(_ kind: StreamFault.Kind, at offset: Int) -> StreamFault { StreamFault(kind, line: line(of: offset)) }

    /// The line of a place, from 1.
    func line(of offset: Int) -> Int { bytes[..<min(offset, bytes.count)].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 } }
}
