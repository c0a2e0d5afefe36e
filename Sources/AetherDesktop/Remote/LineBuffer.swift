/// Bytes as they come, taken out as lines. Bounded: a line that is too long is an error, and nothing comes after it.
public struct LineBuffer: Sendable {
    /// 64 KB: the longest path takes 4.
    public static let lineLimit = 64 << 10

    private let limit: Int
    private var bytes: [UInt8] = []
    private var searched = 0

    /// An empty buffer. `limit`: the most bytes of a line.
    public init(limit: Int = LineBuffer.lineLimit) { self.limit = limit }

    /// Whether a line became too long.
    public private(set) var hasOverflowed = false

    /// Adds what came.
    public mutating func append(_ more: some Sequence<UInt8>) {
        guard !hasOverflowed else { return }
        bytes.append(contentsOf: more)
    }

    /// The next whole line without its end (LF or CR LF); nil: there is none yet.
    public mutating func nextLine() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            if searched > limit { overflow() }
            return nil
        }
        guard end <= limit else {
            overflow()
            return nil
        }
        var line = Array(bytes[..<end])
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        bytes.removeSubrange(...end)
        searched = 0
        return line
    }

    private mutating func overflow() {
        hasOverflowed = true
        (bytes, searched) = ([], 0)
    }
}
