/// Changes of a tree by operations of RFC 5261 (`add`, `replace`, `remove`), as far as MPD Patch uses them: a selector is a path of names, each
/// with a position or with attributes that it must have, and may end with an attribute.
extension XMLTree {
    /// Carries out the operations that an element holds, in order. Throws `.updateMismatch` where one finds nothing or is not understood, and
    /// `.tooLarge` where the tree would grow beyond the limit: then the whole document is to be read again.
    mutating func apply(_ operations: XMLElement, sizeLimit: Int) throws(StreamFault) {
        let shift = UInt32(bytes.count)
        guard bytes.count + operations.tree.bytes.count <= sizeLimit, nodes.count + operations.tree.nodes.count <= Self.nodeLimit
        else {
            throw StreamFault(.tooLarge(limit: sizeLimit))
        }
        bytes += operations.tree.bytes
        for operation in operations.children {
            guard let selector = operation.attribute("sel"), let target = XMLSelector(selector),
                let node = find(target)
            else { throw StreamFault(.updateMismatch, subject: operation.attribute("sel") ?? "") }
            let isDone =
                if let name = target.attribute {
                    change(name, of: node, by: operation, shift)
                } else if operation.isNamed("add"), let type = operation.attribute("type"), type.hasPrefix("@") {
                    set(String(type.dropFirst()), of: node, to: operation.text)
                } else {
                    change(node, by: operation, shift)
                }
            guard isDone else { throw StreamFault(.updateMismatch, subject: selector) }
        }
    }

    // MARK: - Finding

    private func find(_ selector: XMLSelector) -> Int? {
        guard let first = selector.steps.first, matches(0, first) else { return nil }
        var node = 0
        for step in selector.steps.dropFirst() {
            var next = nodes[node].firstChild, number = 0, found: Int?
            while next >= 0, found == nil {
                if matches(Int(next), step) {
                    number += 1
                    if step.position.map({ $0 == number }) ?? true { found = Int(next) }
                }
                next = nodes[Int(next)].next
            }
            guard let found else { return nil }
            node = found
        }
        return node
    }

    private func matches(_ node: Int, _ step: XMLSelector.Step) -> Bool {
        let element = XMLElement(tree: self, index: node)
        return element.name == step.name && step.attributes.allSatisfy { element.attribute(named: $0.name) == $0.value }
    }

    // MARK: - Changing

    private mutating func change(_ name: String, of node: Int, by operation: XMLElement, _ shift: UInt32) -> Bool {
        guard XMLElement(tree: self, index: node).attribute(named: name) != nil else { return false }
        if operation.isNamed("replace") { return set(name, of: node, to: operation.text) }
        return operation.isNamed("remove") && set(name, of: node, to: nil)
    }

    /// Gives an attribute a value, or takes it away. The attributes of a node lie side by side: they are written anew at the end.
    private mutating func set(_ name: String, of node: Int, to value: String?) -> Bool {
        let start = Int(nodes[node].attributes), old = attributes[start..<(start + Int(nodes[node].attributeCount))]
        var kept = old.filter { String(decoding: bytes[$0.name.range], as: UTF8.self) != name }
        if let value {
            let begin = bytes.count
            bytes += Array(name.utf8)
            let middle = bytes.count
            bytes += Array(value.escapedMarkup.utf8)
            kept.append(Attribute(name: Span(begin..<middle), value: Span(middle..<bytes.count)))
        }
        nodes[node].attributes = Int32(attributes.count)
        nodes[node].attributeCount = Int32(kept.count)
        attributes += kept
        return attributes.count <= 2 * Self.nodeLimit
    }

    private mutating func change(_ node: Int, by operation: XMLElement, _ shift: UInt32) -> Bool {
        let parent = Int(nodes[node].parent)
        if operation.isNamed("remove") {
            guard parent >= 0 else { return false }
            unlink(node)
            return true
        }
        let added = operation.children.map { graft($0, shift) }
        guard !added.isEmpty else { return false }
        if operation.isNamed("replace") {
            guard parent >= 0, added.count == 1 else { return false }
            insert(added, below: parent, after: node)
            unlink(node)
            return true
        }
        guard operation.isNamed("add") else { return false }
        switch operation.attribute("pos") {
        case nil: for child in added { attach(child, below: node) }
        case "prepend": insert(added, below: node, after: nil)
        case "before" where parent >= 0: insert(added, below: parent, after: previous(node))
        case "after" where parent >= 0: insert(added, below: parent, after: node)
        default: return false
        }
        return true
    }

    private mutating func attach(_ child: Int32, below node: Int) {
        nodes[Int(child)].parent = Int32(node)
        link(child, below: node)
    }

    private func previous(_ node: Int) -> Int? {
        var next = nodes[Int(nodes[node].parent)].firstChild, last: Int?
        while next >= 0, Int(next) != node { (last, next) = (Int(next), nodes[Int(next)].next) }
        return last
    }

    private mutating func unlink(_ node: Int) {
        let parent = Int(nodes[node].parent), before = previous(node)
        if let before { nodes[before].next = nodes[node].next } else { nodes[parent].firstChild = nodes[node].next }
        if nodes[parent].lastChild == Int32(node) { nodes[parent].lastChild = before.map { Int32($0) } ?? -1 }
        nodes[node].next = -1
    }

    /// Puts nodes behind a child, or before all where that is nil.
    private mutating func insert(_ added: [Int32], below parent: Int, after child: Int?) {
        var last = child
        for node in added {
            nodes[Int(node)].parent = Int32(parent)
            nodes[Int(node)].next = last.map { nodes[$0].next } ?? nodes[parent].firstChild
            if let last { nodes[last].next = node } else { nodes[parent].firstChild = node }
            if nodes[Int(node)].next < 0 { nodes[parent].lastChild = node }
            last = Int(node)
        }
    }

    /// Copies an element of another tree whose bytes are here already, with everything in it. Trees are 64 levels deep at most.
    private mutating func graft(_ element: XMLElement, _ shift: UInt32) -> Int32 {
        let source = element.tree, old = source.nodes[element.index], index = Int32(nodes.count)
        var node = Node(
            name: Span(old.name, by: shift), parent: -1, attributes: Int32(attributes.count), attributeCount: old.attributeCount)
        let start = Int(old.attributes)
        for attribute in source.attributes[start..<(start + Int(old.attributeCount))] {
            attributes.append(Attribute(name: Span(attribute.name, by: shift), value: Span(attribute.value, by: shift)))
        }
        var place = old.lastText, parts: [Text] = []
        while place >= 0 {
            parts.append(source.texts[Int(place)])
            place = source.texts[Int(place)].previous
        }
        for part in parts.reversed() {
            texts.append(Text(span: Span(part.span, by: shift), isData: part.isData, previous: node.lastText))
            node.lastText = Int32(texts.count - 1)
        }
        nodes.append(node)
        for child in element.children { attach(graft(child, shift), below: Int(index)) }
        return index
    }
}

extension XMLTree.Span {
    fileprivate init(_ span: XMLTree.Span, by shift: UInt32) {
        self.init((span.range.lowerBound + Int(shift))..<(span.range.upperBound + Int(shift)))
    }
}

extension XMLElement {
    fileprivate func attribute(named name: String) -> String? {
        let node = tree.nodes[index], start = Int(node.attributes)
        let found = tree.attributes[start..<(start + Int(node.attributeCount))].first {
            String(decoding: tree.bytes[$0.name.range], as: UTF8.self) == name
        }
        return found.map { XMLScanner.resolved(tree.bytes[XMLTree.trimmed($0.value.range, tree.bytes)]) }
    }
}

extension String {
    /// With the characters that an attribute cannot hold as references.
    fileprivate var escapedMarkup: String {
        reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
