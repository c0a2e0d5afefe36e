/// An error of a source, its decoding or a device: a code to decide by, and a sentence for people.
public struct MediaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of trouble that lead to different decisions.
    public enum Code: String, Sendable {
        /// No such file, no permission, connection refused.
        case cannotOpen
        /// The server asks for a name and a password, or refuses those that it was given.
        case loginRefused
        /// Opened, but not media, or its header is broken.
        case notMedia
        /// Media without a stream that can be decoded.
        case noDecodableStream
        /// The source broke off or gave garbage while playing.
        case readFailed
        /// The decoder refuses the stream.
        case decodeFailed
        /// The source cannot go there.
        case seekFailed
        /// No audio device, or it was lost.
        case audioDevice
        /// The caller interrupted the operation (seek, stop): not a fault.
        case interrupted
        /// End of the media: not a fault.
        case endOfMedia
        /// No decoder, protocol or format of this build can do it.
        case unsupported
        /// A fault of the player.
        case internalFailure
    }

    /// The kind of the error, which decides the exit status and what can be tried next.
    public let code: Code
    /// The operation that failed, in words: "open", "read packet".
    public let operation: String
    /// The C library's error number (AVERROR, -errno) where there is one.
    public let cause: Int32?
    /// The subject of the error (path, URL, codec, device), safe to display and to keep.
    public let subject: String
    /// The reason, in the words of the system or library; "" when unknown.
    public let reason: String

    /// An error. Texts are made safe to display, and URLs in them lose their passwords and tokens.
    public init(_ code: Code, _ operation: String, subject: String = "", cause: Int32? = nil, reason: String = "") {
        self.code = code
        self.operation = operation
        self.cause = cause
        self.subject = DisplayText.singleLine(Redaction.shown(subject))
        self.reason = DisplayText.singleLine(Redaction.text(reason))
    }

    /// One sentence in the language of the person: "cannot open ‘x.mkv’: No such file or directory".
    public var description: String {
        // libavformat's reason for what is no media says no more than the sentence.
        let saysMore = !reason.isEmpty && !(code == .notMedia && reason.hasPrefix("Invalid data found"))
        return saysMore ? translated("\(sentence): \(translated(Phrase(stringLiteral: reason)))") : sentence
    }

    private var sentence: String {
        switch (code, subject.isEmpty) {
        case (.notMedia, true): return translated("input is not a playable media file")
        case (.notMedia, false): return translated("‘\(subject)’ is not a playable media file")
        case (.noDecodableStream, true): return translated("input has no stream that can be decoded")
        case (.noDecodableStream, false): return translated("‘\(subject)’ has no stream that can be decoded")
        default:
            let operation = translated(Phrase(stringLiteral: operation), context: "operation")
            return subject.isEmpty ? translated("cannot \(operation)") : translated("cannot \(operation) ‘\(subject)’")
        }
    }
}
