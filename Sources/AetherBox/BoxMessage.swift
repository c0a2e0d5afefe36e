/// A message between player and worker: a head of eight bytes, kind and length, and its bytes.
public struct BoxMessage: Sendable, Equatable {
    /// The kinds of message. Wishes go to the worker and answers come back, in turn; in between a worker asks for bytes of the source.
    public enum Kind: UInt32, Sendable {
        // Wishes
        case state = 1
        case openSource, readPacket, select, seekTime, seekByte, keysAround, keyFrames, streamCode, isCut, follow, report
        case openVideo, openAudio, sendPacket, receiveFrame, flush, apply, needsReopening, takePool
        case openSubtitles, decodeSubtitles, flushSubtitles, closeSubtitles
        case openScript, drawScript
        case guessCharacterSet
        case scaleFrame
        case openFilters, filterFrame, finishFilters
        /// With it goes the descriptor of a `SharedTray`.
        case takeTray
        /// Only a program of the tests knows what that is.
        case trial
        // Answers
        case value = 100
        case failure
        /// A copy of a program that makes workers is there; with it goes a descriptor of its process.
        case born
        // The worker's own wishes, and their answers
        case sourceRead = 200
        case sourceSeek, sourceSize
        /// So many bytes of the source lie in the tray.
        case sourceLying
        case sourceNumber, sourceFailure
    }

    /// The kind.
    public let kind: Kind
    /// The contents of the message.
    public let bytes: [UInt8]
    /// Bytes of a head.
    static let headBytes = 8
    /// The most bytes of one: a packet of 8K at its worst takes 50 MB.
    public static let limit = 160 << 20

    /// A message.
    public init(_ kind: Kind, _ bytes: [UInt8] = []) { (self.kind, self.bytes) = (kind, bytes) }
}
