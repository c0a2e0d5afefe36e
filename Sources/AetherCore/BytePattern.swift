import Glibc

/// A short run of bytes that is looked for in others: the one search for bytes.
public struct BytePattern: Sendable {
    private let wanted: [UInt8]
    /// The start code of MPEG-2, H.264 and HEVC.
    public static let startCode = BytePattern([0, 0, 1])

    /// At least one byte.
    public init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "nothing is found everywhere")
        wanted = bytes
    }

    /// The bytes of a text.
    public init(_ text: StaticString) { self.init(text.withUTF8Buffer { Array($0) }) }

    /// The number of its bytes.
    public var count: Int { wanted.count }

    /// The place of the first one that begins at or behind `start` and ends before `end` (nil: the end of the bytes); nil where there is none.
    public func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0, before end: Int? = nil) -> Int? {
        let last = min(end ?? bytes.count, bytes.count) - wanted.count
        guard let base = bytes.baseAddress, start >= 0 else { return nil }
        var place = start
        while place <= last {
            guard let found = memchr(base + place, Int32(wanted[0]), last - place + 1) else { return nil }
            place = UnsafeRawPointer(found) - base
            if memcmp(found, wanted, wanted.count) == 0 { return place }
            place += 1
        }
        return nil
    }

    /// The place of the last one that begins at or behind `start` and ends before `end`; nil where there is none.
    public func last(in bytes: UnsafeRawBufferPointer, from start: Int = 0, before end: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var place = min(end, bytes.count) - wanted.count
        while place >= max(0, start) {
            if memcmp(base + place, wanted, wanted.count) == 0 { return place }
            place -= 1
        }
        return nil
    }

    /// The distance of the first one that begins at least `start` bytes from the beginning; nil where there is none.
    public func first(in bytes: some Collection<UInt8>, from start: Int = 0) -> Int? {
        let found = bytes.withContiguousStorageIfAvailable { first(in: UnsafeRawBufferPointer($0), from: start) }
        return found ?? Array(bytes).withUnsafeBytes { first(in: $0, from: start) }
    }
}
