/// The sizes of the samples of a run (`trun`), one by one.
struct TrackRun {
    /// Of the first sample; nil: behind the run before.
    private(set) var offset: Int64?
    private var rest: ArraySlice<UInt8>
    private var left: Int
    private let defaultSize: Int
    private let stride: Int
    /// Of the size in the words of a sample; nil where there is none.
    private let sizePlace: Int?

    init?(_ body: ArraySlice<UInt8>, defaultSize: Int) {
        guard let flags = body.bigEndian(4), let count = body.dropFirst(4).bigEndian(4) else { return nil }
        rest = body.dropFirst(8)
        self.defaultSize = defaultSize
        if flags & 0x1 != 0 {
            guard let written = rest.bigEndian(4) else { return nil }
            offset = Int64(Int32(truncatingIfNeeded: written))
            rest = rest.dropFirst(4)
        }
        if flags & 0x4 != 0 { rest = rest.dropFirst(4) }
        let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
        stride = fields.count * 4
        sizePlace = flags & 0x200 != 0 ? (flags & 0x100 != 0 ? 4 : 0) : nil
        left = min(count, stride > 0 ? rest.count / stride : 1 << 18)
    }

    mutating func next() -> Int? {
        guard left > 0 else { return nil }
        left -= 1
        defer { rest = rest.dropFirst(stride) }
        return sizePlace.flatMap { rest.dropFirst($0).bigEndian(4) } ?? defaultSize
    }
}
