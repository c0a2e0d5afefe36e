/// The place where a frame that is partly sent may be given up, and the bytes that then leave the terminal in its ground state.
public struct FrameCut: Sendable, Equatable {
    /// The frame's bytes before this index are sent, those behind it are dropped.
    public let end: Int
    /// Sent after them.
    public let terminator: [UInt8]

    /// A cut with the given end.
    public init(end: Int, terminator: [UInt8]) {
        self.end = end
        self.terminator = terminator
    }

    /// Plans the earliest end of a frame of which `sent` bytes are out. The sequence or character at the cut is finished when
    /// its end is near, and aborted otherwise. `patience` is in bytes: 256 take 1 ms at 250 KB/s, and no SGR or cursor sequence
    /// is longer, while a sixel image can have 500 KB to go.
    public static func plan(frame: some RandomAccessCollection<UInt8>, sent: Int, patience: Int = 256) -> FrameCut {
        let sent = min(max(0, sent), frame.count)
        var scanner = OutputScanner()
        var index = frame.startIndex
        let cut = frame.index(frame.startIndex, offsetBy: sent)
        while index != cut {
            scanner.take(frame[index])
            frame.formIndex(after: &index)
        }
        let atCut = scanner
        var end = sent
        while scanner.state != .ground, index != frame.endIndex, end - sent < patience {
            scanner.take(frame[index])
            frame.formIndex(after: &index)
            end += 1
        }
        if scanner.state == .ground { return FrameCut(end: end, terminator: []) }
        return FrameCut(end: sent, terminator: atCut.terminator)
    }
}
