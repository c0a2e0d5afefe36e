/// A box in bytes that are changed in place: its kind, and where it lies.
struct BoxPlace {
    let kind: String
    /// The index of its first byte.
    let start: Int
    let body: ArraySlice<UInt8>

    /// The boxes that lie side by side in bytes.
    static func list(_ bytes: ArraySlice<UInt8>) -> [BoxPlace] {
        var found: [BoxPlace] = [], rest = bytes
        while let head = BoxHead(rest), head.size <= rest.count, found.count < 100_000 {
            let body = rest.prefix(head.size).dropFirst(head.length)
            found.append(BoxPlace(kind: head.kind, start: rest.startIndex, body: body))
            rest = rest.dropFirst(head.size)
        }
        return found
    }

    var children: [BoxPlace] { Self.list(body) }

    func child(_ kind: String) -> BoxPlace? { children.first { $0.kind == kind } }

    func descendant(_ path: String...) -> BoxPlace? {
        var place: BoxPlace? = self
        for kind in path { place = place?.child(kind) }
        return place
    }
}
