import AetherCore

/// Walks through a document's tags and makes a tree of what is shown: the body, the regions, and the styles that they name. What is
/// foreign or only says something about the document is left out with all that is in it. Bounded: depth, elements, styles.
struct TTMLBuilder {
    private enum Open {
        /// An element of the tree, with what its own attributes say of its style.
        case element(Int, own: TTMLStyle)
        /// The root, or one of the head's lists.
        case frame(String)
        case leftOut
    }

    private static let depthLimit = 64
    private static let styleLimit = 1024
    /// Karaoke of a whole video has some 50 000.
    private static let elementLimit = 1 << 17
    /// Bytes of one text: `StyledLines` shows 16 lines of 500 letters.
    private static let textLength = 8000

    private(set) var hasRoot = false
    private(set) var clock = TTMLClock()
    private(set) var cells = (columns: 32.0, rows: 15.0)
    private(set) var pixels: (width: Double, height: Double)?
    private(set) var elements: [TTMLElement] = []
    private(set) var bodies: [Int] = []
    private(set) var regions: [String: Int] = [:]
    /// The style of every text before any other.
    private(set) var initial = TTMLStyle()
    private var styles = TTMLStyleSheet()
    private var stack: [Open] = []
    /// Tags beyond the depth that is followed.
    private var overflow = 0

    var isFull: Bool { elements.count >= Self.elementLimit }

    // MARK: - Tags

    mutating func start(_ name: String, _ attributes: [String: String]) {
        guard stack.count < Self.depthLimit else {
            overflow += 1
            return
        }
        if name == "tt", !hasRoot { root(attributes) }
        stack.append(opened(name, attributes))
    }

    mutating func end() {
        guard overflow == 0 else {
            overflow -= 1
            return
        }
        if case .element(let index, _) = stack.popLast() { elements[index].isComplete = true }
    }

    mutating func text(_ text: String) {
        guard overflow == 0, !isFull, case .element(let parent, _) = stack.last, !text.isEmpty,
            [.p, .span].contains(elements[parent].kind)
        else { return }
        let part = text.utf8.count <= Self.textLength ? text : String(text.unicodeScalars.prefix(Self.textLength))
        var element = TTMLElement(.text(part), parent: parent)
        element.keepsSpace = elements[parent].keepsSpace
        add(element)
    }

    private mutating func opened(_ name: String, _ attributes: [String: String]) -> Open {
        var parent: Int?
        switch stack.last {
        case .leftOut: return .leftOut
        case .element(let index, _): parent = index
        case .frame, nil: break
        }
        let own = TTMLStyle(attributes)
        switch name {
        case "tt", "head", "styling", "layout": return parent == nil ? .frame(name) : .leftOut
        case "image":
            // TTML2 names the image in a tag of its own.
            if let parent, elements[parent].kind == .div { elements[parent].image = attributes["src"] ?? elements[parent].image }
            return .leftOut
        case "initial":
            if parent == nil { initial = own.over(initial) }
            return .leftOut
        case "style":
            define(attributes, own)
            return .leftOut
        default: break
        }
        guard let kind = Self.kind(name), !isFull, Self.isChild(kind, of: parent.map { elements[$0].kind }) else {
            return .leftOut
        }
        if kind == .p, ["begin", "end"].contains(where: { isUnreadable(attributes[$0]) }) { return .leftOut }
        let style = own.over(styles.style(naming: attributes["style"]))
        return .element(add(element(kind, attributes, style, parent)), own: own)
    }

    /// A time that nobody knows. Without it a paragraph would stand from the beginning, or to the end, over all others.
    private func isUnreadable(_ time: String?) -> Bool {
        guard let time, !time.isEmpty, time != "indefinite" else { return false }
        return clock.span(time) == nil
    }

    private static func kind(_ name: String) -> TTMLElement.Kind? {
        switch name {
        case "body": .body
        case "div": .div
        case "p": .p
        case "span": .span
        case "br": .lineBreak
        case "region": .region
        case "set": .set
        default: nil
        }
    }

    /// The places of the kinds; a document that has its paragraphs outside of a body is read all the same.
    private static func isChild(_ kind: TTMLElement.Kind, of parent: TTMLElement.Kind?) -> Bool {
        switch kind {
        case .body, .region: parent == nil
        case .div, .p: parent == nil || parent == .body || parent == .div
        case .span, .lineBreak, .text: parent == .p || parent == .span
        case .set: parent != nil && parent != .set
        }
    }

    private func element(
        _ kind: TTMLElement.Kind, _ attributes: [String: String], _ style: TTMLStyle, _ parent: Int?
    ) -> TTMLElement {
        var element = TTMLElement(kind, parent: parent)
        element.style = style
        element.region = attributes["region"]
        if kind == .div { element.image = attributes["backgroundImage"] }
        element.isSequence = attributes["timeContainer"] == "seq"
        element.keepsSpace =
            attributes["space"].map { $0 == "preserve" } ?? parent.map { elements[$0].keepsSpace } ?? false
        (element.begin, element.end) = (clock.span(attributes["begin"]), clock.span(attributes["end"]))
        element.duration = clock.span(attributes["dur"])
        if kind == .region, let id = attributes["id"], regions.count < Self.styleLimit { element.region = id }
        return element
    }

    @discardableResult
    private mutating func add(_ element: TTMLElement) -> Int {
        let index = elements.count
        elements.append(element)
        switch (element.kind, element.parent) {
        case (.set, .some(let parent)): elements[parent].sets.append(index)
        case (.region, _): if let id = element.region, regions[id] == nil { regions[id] = index }
        case (_, .some(let parent)): elements[parent].children.append(index)
        case (_, nil): bodies.append(index)
        }
        return index
    }

    /// A `style` of the head, or one inside of a region, which is the region's unless its own attributes say otherwise.
    private mutating func define(_ attributes: [String: String], _ style: TTMLStyle) {
        guard case .element(let index, let own) = stack.last, elements[index].kind == .region else {
            if let id = attributes["id"] { styles.define(id, style, naming: attributes["style"]) }
            return
        }
        let nested = style.over(styles.style(naming: attributes["style"]))
        elements[index].style = own.over(nested.over(elements[index].style))
    }

    private mutating func root(_ attributes: [String: String]) {
        hasRoot = true
        clock = TTMLClock(attributes)
        func pair(_ name: String) -> (Double, Double)? {
            let parts = attributes[name]?.split(separator: " ").compactMap { part in
                Double(part.prefix { $0.isNumber || $0 == "." })
            }
            guard let parts, parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
            return (parts[0], parts[1])
        }
        if let (columns, rows) = pair("cellResolution") { cells = (columns, rows) }
        if attributes["extent"]?.contains("px") == true, let (width, height) = pair("extent") { pixels = (width, height) }
    }
}
