/// Finds the bodies of boxes of a kind in a file, without reading the rest of the file: by the heads of the boxes on the way.
public struct BoxSearch: RangeSearch {
    /// The bytes to read next.
    public private(set) var request: RangeRequest? = RangeRequest(offset: 0, count: BoxHead.room)
    /// The contents found, in the file's order, each as far as its limit.
    public private(set) var found: [[UInt8]] = []

    /// A track has about 20 boxes on the way.
    public static let requestLimit = 400
    private let path: [String]
    private let contentLimit: Int
    private var requests = 0
    private var isContent = false
    private var next: Int64 = 0
    /// The end of the outermost box of the path; nil before it was found. Nothing is wanted behind it.
    private var end: Int64?

    /// Looks for the last kind of `path` inside of boxes of the kinds before it; `contentLimit`: bytes of each that are read.
    public init(_ path: [String], contentLimit: Int) {
        self.path = path
        self.contentLimit = contentLimit
    }

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) {
        guard let asked = request else { return }
        request = nil
        requests += 1
        guard requests < Self.requestLimit else { return }
        if isContent {
            isContent = false
            found.append(Array(bytes.prefix(asked.count)))
            return goOn(at: next)
        }
        guard let box = BoxHead(bytes[...]) else { return }
        let (behind, overflows) = asked.offset.addingReportingOverflow(Int64(box.size))
        guard !overflows else { return }
        if box.kind == path.first { end = behind }
        if path.dropLast().contains(box.kind) { return goOn(at: asked.offset + Int64(box.length)) }
        guard box.kind == path.last, end != nil, box.size > box.length else { return goOn(at: behind) }
        (isContent, next) = (true, behind)
        request = RangeRequest(offset: asked.offset + Int64(box.length), count: min(contentLimit, box.size - box.length))
    }

    private mutating func goOn(at offset: Int64) {
        guard end.map({ offset < $0 }) ?? true else { return }
        request = RangeRequest(offset: offset, count: BoxHead.room)
    }
}
