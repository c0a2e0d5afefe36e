import AetherCore
import AetherFormats

/// An init section or a segment that is being read.
struct OpenPiece {
    let file: SegmentFile
    let bytes: SegmentBytes
    /// The bytes as they are read: deciphered where they have to be.
    let clear: any IOReader
    /// Its first bytes were not looked at.
    var isFresh = true
    let askedAt: HostTime
    /// The piece is a part of a segment that is being made.
    var isPart = false
    /// The first bytes, which were looked at before they are given.
    var first: ArraySlice<UInt8> = []
    /// The init section that it is, and its bytes so far.
    var map: InitSection?
    var taken: [UInt8] = []
}
