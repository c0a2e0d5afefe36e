/// A part of a file: so many bytes from an offset on.
public struct ByteRange: Sendable, Hashable {
    /// The first byte.
    public let offset: Int64
    /// The number of bytes; positive.
    public let length: Int64

    /// A byte range; nil where it is empty, negative, or ends beyond the largest number.
    public init?(offset: Int64, length: Int64) {
        guard offset >= 0, length > 0, !offset.addingReportingOverflow(length).overflow else { return nil }
        self.offset = offset
        self.length = length
    }

    /// The offset behind the last byte.
    public var end: Int64 { offset + length }
}

/// The header that a decoder needs before the first segment: EXT-X-MAP, an initialization segment.
public struct InitSection: Sendable, Hashable {
    /// Where it lies.
    public let address: StreamAddress
    /// The part of the file; nil: all of it.
    public let range: ByteRange?
    /// Its encryption.
    public let encryption: SegmentEncryption?

    /// An init section.
    public init(address: StreamAddress, range: ByteRange? = nil, encryption: SegmentEncryption? = nil) {
        self.address = address
        self.range = range
        self.encryption = encryption
    }
}

/// A cipher of whole segments, by its name in EXT-X-KEY.
public enum SegmentCipher: String, Sendable, Hashable {
    /// CBC mode, with PKCS #7 padding.
    case aes128 = "AES-128", aes256 = "AES-256"
    /// A counter that begins with the vector; without padding.
    case aes256Counter = "AES-256-CTR"

    /// Bytes of its key.
    public var keyLength: Int { self == .aes128 ? 16 : 32 }
}

/// The encryption of a segment.
public enum SegmentEncryption: Sendable, Hashable {
    /// The whole segment. `iv` has 16 bytes; nil: the segment's number, big-endian.
    case whole(SegmentCipher, key: StreamAddress, iv: [UInt8]?)
    /// Samples in AES-128 with a key that is simply there. `isCounter`: in CTR mode (`cenc`), else CBC (`cbcs`).
    case samples(key: StreamAddress, iv: [UInt8]?, isCounter: Bool)
    /// Digital rights: cannot be played.
    case protected(ContentProtection)

    /// The address of the key; nil for digital rights.
    public var key: StreamAddress? {
        switch self {
        case .whole(_, let key, _), .samples(let key, _, _): key
        case .protected: nil
        }
    }

    /// The initialization vector of a segment: the one that is written, else its number.
    public func vector(number: Int64) -> [UInt8] {
        switch self {
        case .whole(_, _, let iv?), .samples(_, let iv?, _): return iv
        default:
            let big = UInt64(bitPattern: number)
            return [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: big >> (56 - 8 * $0)) }
        }
    }
}

/// A part of a segment that is published before the segment is whole (EXT-X-PART).
public struct PartialSegment: Sendable, Hashable {
    /// Where it lies.
    public let address: StreamAddress
    /// The part of the file; nil: all of it.
    public let range: ByteRange?
    /// The length in ticks of its index's time scale.
    public let duration: Int64
    /// Begins with a key frame.
    public let isIndependent: Bool
    /// Is not there.
    public let isGap: Bool

    /// A part.
    public init(address: StreamAddress, range: ByteRange?, duration: Int64, isIndependent: Bool, isGap: Bool) {
        self.address = address
        self.range = range
        self.duration = duration
        self.isIndependent = isIndependent
        self.isGap = isGap
    }
}

/// A stretch of the presentation's axis to which a segment belongs: its period.
public struct SegmentBounds: Sendable, Hashable {
    /// Frames before it are not shown.
    public let start: Ticks
    /// Frames from here on are not shown; nil where the period has no known end.
    public let end: Ticks?

    /// A stretch.
    public init(start: Ticks, end: Ticks?) {
        self.start = start
        self.end = end
    }

    /// The hash of times that are equal in other scales is the same, too.
    public func hash(into hasher: inout Hasher) { hasher.combine(start.span) }
}

/// One segment of a rendition.
public struct Segment: Sendable, Equatable {
    /// Its number in the rendition: the media sequence number; for DASH, $Number$ in the first period, and counted on from there.
    public internal(set) var number: Int64
    /// The stretch of one clock and one form to which it belongs: HLS's discontinuity sequence number, DASH's period.
    public internal(set) var continuity: Int64
    /// Its place on the presentation's axis, as its manifest has it.
    public internal(set) var start: Ticks
    /// Its length, as its manifest has it.
    public internal(set) var duration: Ticks
    /// Where it lies.
    public internal(set) var address: StreamAddress
    /// The part of the file; nil: all of it.
    public internal(set) var range: ByteRange?
    /// The init section before it.
    public internal(set) var map: InitSection?
    /// Its encryption.
    public internal(set) var encryption: SegmentEncryption?
    /// A whole file with its own header, whose index is not known: a demuxer may go about in it.
    public internal(set) var isWholeFile = false
    /// Is not there (EXT-X-GAP): nothing is asked for.
    public internal(set) var isGap = false
    /// The first of its continuity: clock, size or codec may change here.
    public internal(set) var isDiscontinuity = false
    /// The moment of its first frame in nanoseconds since 1970; nil where the manifest does not say.
    public internal(set) var wallClock: Int64?
    /// Brings a time stamp of the media to the presentation's axis: for DASH, the period's start less presentationTimeOffset, exact. nil
    /// where the manifest has no offset, as in HLS: then the time stamps themselves tell.
    public internal(set) var mediaOffset: Ticks?
    /// The period of the segment, within which `start` and `end` stay: frames outside are not shown. nil for HLS.
    public internal(set) var bounds: SegmentBounds?
    /// The manifest's bit rate, in bits a second.
    public internal(set) var bitRate: Int64?
    /// The parts in which it came.
    public internal(set) var parts: [PartialSegment] = []
    /// The segment is still being made: further parts will come, and its length is that of the parts so far.
    public internal(set) var isOpen = false

    /// Behind its last frame.
    public var end: Ticks { start + duration }

    /// The same without an init section.
    public var bare: Segment {
        var segment = self
        segment.map = nil
        return segment
    }
}
