import AetherCore

/// An element of a TTML document, or a piece of its text. Elements lie in one array, parents before their children.
struct TTMLElement {
    enum Kind: Equatable {
        case body, div, p, span, lineBreak, region, set
        case text(String)
    }

    let kind: Kind
    let parent: Int?
    var children: [Int] = []
    /// Of `set`: what it changes of its parent while it is active.
    var sets: [Int] = []
    var style = TTMLStyle()
    /// The region that it names itself.
    var region: String?
    /// Of a division: the address of the image that it shows.
    var image: String?
    var isSequence = false
    var keepsSpace = false
    /// As they are written, from where its parent (or the sibling before it, in a sequence) lets it begin.
    var begin, end, duration: TimeSpan?
    /// Whether its end tag was read.
    var isComplete = false
    /// On the document's axis, not yet cut to its parent's. `TTMLDocument` has resolved it.
    var active = TimeSpan.zero..<TimeSpan.zero

    /// The end of an element that lasts until something else ends it.
    static let forever = TimeSpan(nanoseconds: .max)

    init(_ kind: Kind, parent: Int?) {
        self.kind = kind
        self.parent = parent
    }
}

extension [TTMLElement] {
    /// Resolves when an element and all in it are active. W3C TTML2, 12.2 to 12.4: in a sequence each child begins where the one before it
    /// ends, and bare text has no time of its own; elsewhere it lasts as long as what it is in. Recursive to the depth of the tree, 64.
    mutating func resolveTimes(of index: Int, from origin: TimeSpan, inSequence: Bool) {
        let begin = origin + (self[index].begin ?? .zero)
        var implicitEnd = begin
        for group in [self[index].sets, self[index].children] {
            var cursor = begin
            for child in group {
                resolveTimes(of: child, from: cursor, inSequence: self[index].isSequence)
                let end = self[child].active.upperBound
                implicitEnd = self[index].isSequence ? end : Swift.max(implicitEnd, end)
                if self[index].isSequence { cursor = end }
            }
        }
        switch self[index].kind {
        case .text, .lineBreak, .set, .region: implicitEnd = inSequence ? begin : TTMLElement.forever
        default: break
        }
        let stated = [self[index].end.map { origin + $0 }, self[index].duration.map { begin + $0 }].compactMap { $0 }.min()
        self[index].active = begin..<Swift.max(begin, stated ?? implicitEnd)
    }
}
