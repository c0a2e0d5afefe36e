/// Where a file of the ISO base media format has its index. Pure.
public enum IndexPlace: Sendable, Equatable {
    /// Before the media, in fragments, or not to be seen.
    case front
    /// Behind the media: nothing can be played before all of the media has been passed.
    case back

    /// Bytes that tell it: the boxes before the media are few and small.
    public static let room = 64 << 10

    /// The place by the first bytes of a file.
    public init(_ head: [UInt8]) {
        self = .front
        var rest = head[...], isMovie = false
        while let box = BoxHead(rest) {
            switch box.kind {
            case "ftyp": isMovie = true
            case "moov", "moof", "sidx", "styp": return
            case "mdat":
                if isMovie { self = .back }
                return
            default: break
            }
            guard box.size < rest.count else { return }
            rest = rest.dropFirst(box.size)
        }
    }
}
