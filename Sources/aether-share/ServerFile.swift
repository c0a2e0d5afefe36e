import AetherSources
import Glibc

/// A file that is open on a server. All calls block; one thread.
protocol ServerFile {
    var size: UInt64 { get }
    /// The last change, in seconds since 1970.
    var modified: UInt64 { get }
    /// Fills the room from an offset on, or to the file's end. Returns the bytes; nil where the server gave none: errno says why.
    mutating func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int?
}

extension ServerFile {
    /// Reads until the count is full or the file ends.
    mutating func read(_ number: UInt32, _ offset: UInt64, _ count: UInt32) -> ShareAnswer {
        var isBroken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
            guard let count = fill(UnsafeMutableRawBufferPointer(room), from: Int64(offset)) else { return isBroken = true }
            filled = count
        }
        // It was open a moment ago: whatever is said now, the connection is not what it was.
        let reason: ShareRefusal = errno == ETIMEDOUT ? .timedOut : .brokeOff
        return isBroken ? .failure(number: number, reason, text: "") : .data(number: number, bytes: bytes[...])
    }
}
