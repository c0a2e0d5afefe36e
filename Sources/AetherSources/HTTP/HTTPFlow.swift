import AetherCore

extension HTTPReading {
    /// A transfer and what has come of it.
    struct Flow {
        let number: Int
        /// The request's first byte.
        let asked: Int64
        /// The request named it.
        var isPart: Bool
        /// The request did not, because the server is known to send whole files.
        var isSpared = false
        let ring: ByteRing
        var head: (HTTPHead, isPrivate: Bool)?
        /// Bytes that belong to the file, by the answer to a request for a part; nil: all that come.
        var length: Int64?
        /// Where in the file the transfer's first byte lies; nil until the head was judged.
        var base: Int64?
        var end: TransferEnd?
        /// libcurl holds bytes back.
        var isPaused = false
        /// Another one is read: nothing is taken for the moment.
        var isParked = false
        /// When the request was made.
        let askedAt: HostTime
        /// When the last byte came, or the request was made.
        var heard: HostTime
        /// The bytes that came since the flow was settled last: its first piece and the moment of that, and all of it.
        var freshFirst = 0, freshSince = HostTime(nanoseconds: 0), fresh = 0

        /// Behind the last byte that has come.
        var high: Int64? { base.map { $0 + ring.high } }
    }

    /// Bytes that came at one stroke: the first piece, and the others until no more were at hand.
    struct Arrival: Sendable, Equatable {
        let first: Int
        let since: HostTime
        let rest: Int
    }
}
