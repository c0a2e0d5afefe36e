import AetherCore
import AetherSources
import Glibc

/// A file that is open on a server. All calls block; one thread.
protocol ServerFile {
    var size: UInt64 { get }
    /// The last change, in seconds since 1970.
    var modified: UInt64 { get }
    /// Lets go of it; the connection stays.
    func close()
    /// Fills the room from an offset on, or to the file's end. Returns the bytes; nil where the server gave none: errno says why.
    mutating func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int?
}

extension ServerFile {
    /// Reads until the count is full or the file ends, to a place in the memory.
    mutating func read(_ number: UInt32, _ offset: UInt64, _ count: UInt32, to place: UInt32, of memory: ShareMemory)
        -> ShareAnswer
    {
        let room = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Int(place)..<(Int(place) + Int(count))])
        let began = SystemTime().now()
        guard let filled = fill(room, from: Int64(offset)) else {
            // It was open a moment ago: whatever is said now, the connection is not what it was.
            return .failure(number: number, errno == ETIMEDOUT ? .timedOut : .brokeOff, text: "")
        }
        let took = max(0, (SystemTime().now() - began).nanoseconds / 1000)
        return .filled(number: number, count: UInt32(filled), microseconds: UInt64(took))
    }
}
