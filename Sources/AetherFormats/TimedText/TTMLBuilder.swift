import AetherCore

/// Walks through a document's tags and keeps what its texts come to.
struct TTMLBuilder {
    private struct Element {
        let name: String
        var style: TTMLStyle
        var region: String?
        /// On the document's axis.
        var begin: TimeSpan
        var end: TimeSpan?
        var isSequence = false
        /// Where the next child of a sequence begins.
        var cursor: TimeSpan
        var keepsSpace = false
    }
    /// A stretch of one paragraph.
    private struct Piece {
        let text: String
        let look: SubtitleTextRun
        let begin: TimeSpan
        let end: TimeSpan?
        let keepsSpace: Bool
    }

    private static let depthLimit = 64
    private static let styleLimit = 1024
    private static let cueLimit = 20_000
    private static let pieceLimit = 256
    /// Bytes of a paragraph, which are walked once for each of its spans of time: as much as 16 lines of 500 letters.
    private static let paragraphLength = 8000
    /// Times at which the parts of a paragraph change: karaoke has some tens.
    private static let pointLimit = 128

    private(set) var hasRoot = false
    private var stack: [Element] = []
    /// Tags beyond the depth that is followed.
    private var overflow = 0
    private var clock = TTMLClock()
    private var cells = (columns: 32.0, rows: 15.0)
    private var pixels: (width: Double, height: Double)?
    private var styles: [String: TTMLStyle] = [:]
    private var regions: [String: TTMLStyle] = [:]
    private var openRegion: String?
    private var pieces: [Piece] = []
    private var paragraph: (style: TTMLStyle, region: String?)?
    private var cues: [TimedTextCue] = []

    var isFull: Bool { cues.count >= Self.cueLimit }

    /// The cues in order of their starts.
    var finished: [TimedTextCue] {
        cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    // MARK: - Tags

    mutating func start(_ name: String, _ attributes: [String: String]) {
        guard stack.count < Self.depthLimit else {
            overflow += 1
            return
        }
        if name == "tt", !hasRoot { root(attributes) }
        let parent = stack.last
        var element = Element(
            name: name, style: (parent?.style.inherited ?? TTMLStyle()), region: attributes["region"] ?? parent?.region,
            begin: .zero, end: nil, cursor: .zero)
        element.keepsSpace = attributes["space"].map { $0 == "preserve" } ?? parent?.keepsSpace ?? false
        element.style = style(attributes).over(element.style)
        element.isSequence = attributes["timeContainer"] == "seq"
        time(&element, attributes, in: parent)
        stack.append(element)
        switch name {
        case "style": define(attributes)
        case "region":
            openRegion = attributes["id"]
            if let id = openRegion, regions.count < Self.styleLimit { regions[id] = style(attributes) }
        case "p":
            pieces = []
            paragraph = (element.style, element.region)
        case "br": add("\n", element)
        default: break
        }
    }

    mutating func end() {
        guard overflow == 0 else {
            overflow -= 1
            return
        }
        guard let element = stack.popLast() else { return }
        if let last = stack.indices.last, stack[last].isSequence, let end = element.end { stack[last].cursor = end }
        if element.name == "region" { openRegion = nil }
        if element.name == "p" { finishParagraph() }
    }

    mutating func text(_ text: String) {
        guard overflow == 0, paragraph != nil, let element = stack.last, element.name == "p" || element.name == "span" else {
            return
        }
        add(text, element)
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

    // MARK: - Time

    private func time(_ element: inout Element, _ attributes: [String: String], in parent: Element?) {
        let origin = parent.map { $0.isSequence ? $0.cursor : $0.begin } ?? .zero
        element.begin = origin + (clock.span(attributes["begin"]) ?? .zero)
        element.end = clock.span(attributes["end"]).map { origin + $0 }
        if let length = clock.span(attributes["dur"]) {
            let end = element.begin + length
            element.end = element.end.map { min($0, end) } ?? end
        }
        if let limit = parent?.end { element.end = element.end.map { min($0, limit) } ?? limit }
        element.cursor = element.begin
    }

    // MARK: - Styles

    /// The styles that an element names, the last over the others, and its own over those.
    private func style(_ attributes: [String: String]) -> TTMLStyle {
        var result = TTMLStyle()
        for name in (attributes["style"] ?? "").split(separator: " ").prefix(16) {
            if let style = styles[String(name)] { result = style.over(result) }
        }
        return TTMLStyle(attributes).over(result)
    }

    /// A `style` of the head, or one inside of a region, which is the region's.
    private mutating func define(_ attributes: [String: String]) {
        if let openRegion, let region = regions[openRegion] {
            regions[openRegion] = style(attributes).over(region)
        } else if let id = attributes["id"], styles.count < Self.styleLimit {
            styles[id] = style(attributes)
        }
    }

    // MARK: - Paragraphs

    private mutating func add(_ text: String, _ element: Element) {
        guard paragraph != nil, pieces.count < Self.pieceLimit, !element.style.isHidden else { return }
        let room = Self.paragraphLength - pieces.reduce(0) { $0 + $1.text.utf8.count }
        guard room > 0 else { return }
        pieces.append(
            Piece(
                text: text.utf8.count <= room ? text : String(text.unicodeScalars.prefix(room)), look: element.style.look,
                begin: element.begin, end: element.end,
                keepsSpace: element.keepsSpace || text == "\n"))
    }

    /// A paragraph is one cue, or one for each of the spans of time in which its parts stand differently.
    private mutating func finishParagraph() {
        defer {
            pieces = []
            paragraph = nil
        }
        guard let paragraph, !pieces.isEmpty else { return }
        let region = paragraph.region.flatMap { regions[$0] }
        let placement = region.flatMap { paragraph.style.over($0).withBox(of: $0).placement(cells: cells, pixels: pixels) }
        var points = Set(pieces.map(\.begin)).union(pieces.compactMap(\.end)).sorted()
        if pieces.contains(where: { $0.end == nil }) { points.append(TimeSpan(nanoseconds: .max)) }
        for (begin, end) in zip(points, points.dropFirst()).prefix(Self.pointLimit) where !isFull {
            var lines = StyledLines()
            for piece in pieces where piece.begin <= begin && piece.end ?? end >= end && !lines.isFull {
                for scalar in piece.text.unicodeScalars {
                    // Line breaks of the document are white space; those of `br` are not.
                    let isBreak = !piece.keepsSpace && (scalar == "\n" || scalar == "\r")
                    lines.append(isBreak ? " " : scalar, piece.look)
                }
            }
            guard let body = lines.body else { continue }
            cues.append(
                TimedTextCue(
                    start: .zero + begin, end: end.nanoseconds == .max ? nil : .zero + end, body: body, placement: placement))
        }
    }
}

extension TTMLStyle {
    /// With the box of a region: that is not the paragraph's to change.
    fileprivate func withBox(of region: TTMLStyle) -> TTMLStyle {
        var result = self
        for name in ["origin", "extent", "displayAlign"] { result.attributes[name] = region.attributes[name] }
        return result
    }
}
