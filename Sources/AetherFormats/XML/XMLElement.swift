/// An element of a tree. Cheap to copy: one reference is counted.
struct XMLElement: Sendable {
    /// A tree that its elements share.
    private final class Shared: Sendable {
        let tree: XMLTree

        init(_ tree: XMLTree) { self.tree = tree }
    }

    private let shared: Shared
    let index: Int

    init(tree: XMLTree, index: Int) { (shared, self.index) = (Shared(tree), index) }

    private init(_ shared: Shared, _ index: Int32) { (self.shared, self.index) = (shared, Int(index)) }

    var tree: XMLTree { shared.tree }

    private var node: XMLTree.Node { tree.nodes[index] }

    /// The name without its prefix.
    var name: String { String(decoding: tree.bytes[node.name.range], as: UTF8.self) }

    func isNamed(_ name: StaticString) -> Bool { tree.isSame(node.name, name) }

    /// The line at which it stands, from 1. Counts lines: for faults.
    var line: Int { tree.line(of: node.name.range.lowerBound) }

    /// The first child of a name.
    func child(_ name: StaticString) -> XMLElement? {
        var next = node.firstChild
        while next >= 0 {
            if tree.isSame(tree.nodes[Int(next)].name, name) { return XMLElement(shared, next) }
            next = tree.nodes[Int(next)].next
        }
        return nil
    }
    /// The last child, if it has the name.
    func lastChild(_ name: StaticString) -> XMLElement? {
        node.lastChild >= 0 && tree.isSame(tree.nodes[Int(node.lastChild)].name, name)
            ? XMLElement(shared, node.lastChild) : nil
    }

    /// The children of a name, in order; at most `limit`.
    func children(_ name: StaticString, limit: Int = .max) -> [XMLElement] {
        var found: [XMLElement] = []
        var next = node.firstChild
        while next >= 0, found.count < limit {
            if tree.isSame(tree.nodes[Int(next)].name, name) { found.append(XMLElement(shared, next)) }
            next = tree.nodes[Int(next)].next
        }
        return found
    }

    /// The children, in order.
    var children: [XMLElement] {
        var found: [XMLElement] = []
        var next = node.firstChild
        while next >= 0 {
            found.append(XMLElement(shared, next))
            next = tree.nodes[Int(next)].next
        }
        return found
    }

    /// The value of an attribute, references resolved, without white space around it; nil where there is none.
    func attribute(_ name: StaticString) -> String? {
        tree.attribute(index, name).map { XMLScanner.resolved(tree.bytes[XMLTree.trimmed($0, tree.bytes)]) }
    }

    /// The bytes of an attribute as they are written.
    func range(_ name: StaticString) -> Range<Int>? { tree.attribute(index, name) }

    /// The text directly in it, without white space around it.
    var text: String {
        var parts: [XMLTree.Text] = []
        var place = node.lastText
        while place >= 0, parts.count < 1000 {
            parts.append(tree.texts[Int(place)])
            place = tree.texts[Int(place)].previous
        }
        if parts.count == 1, let only = parts.first, !only.isData {
            return XMLScanner.resolved(tree.bytes[XMLTree.trimmed(only.span.range, tree.bytes)])
        }
        let whole = parts.reversed().map { part in
            part.isData
                ? String(decoding: tree.bytes[part.span.range].prefix(64 << 10), as: UTF8.self)
                : XMLScanner.resolved(tree.bytes[part.span.range])
        }.joined()
        let bytes = Array(whole.utf8)
        return String(decoding: bytes[XMLTree.trimmed(0..<bytes.count, bytes)], as: UTF8.self)
    }
}

extension XMLTree {
    func isSame(_ span: Span, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard Int(span.count) == count else { return false }
        let start = Int(span.offset), wanted = name.utf8Start
        for place in 0..<count where bytes[start + place] != wanted[place] { return false }
        return true
    }

    /// The value of an attribute of a node as a place in the bytes.
    func attribute(_ index: Int, _ name: StaticString) -> Range<Int>? {
        let start = Int(nodes[index].attributes)
        for place in start..<(start + Int(nodes[index].attributeCount)) where isSame(attributes[place].name, name) {
            return attributes[place].value.range
        }
        return nil
    }

    static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var lower = range.lowerBound, upper = range.upperBound
        while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
        while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
        return lower..<upper
    }
}
