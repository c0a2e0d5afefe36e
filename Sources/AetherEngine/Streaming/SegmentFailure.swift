import AetherCore
import AetherFormats
import AetherMedia
import Glibc

/// The reason why the bytes of a run end before the run does.
struct SegmentFailure: Sendable {
    /// Of the segment.
    let number: Int64
    let error: IOReaderError

    /// For people.
    var words: String { Self.words(error) }

    /// The error in words for a person. On the first bytes of all it says that the source cannot be played; later, that the source broke
    /// off.
    func error(of source: String, isFirst: Bool) -> MediaError {
        var cause: Int32?
        if case .network(let fault) = error { cause = MediaError.cause(fault) }
        if isFirst { return MediaError(.cannotOpen, "play", subject: source, cause: cause, reason: words) }
        return MediaError(
            .readFailed, "play all of", subject: source, cause: cause, reason: translated("the source broke off: \(words)"))
    }

    static func words(_ error: IOReaderError) -> String {
        switch error {
        case .network(let fault): fault.sentence
        case .posix(EXDEV): StreamFault(.refusedAddress(.outside)).description
        case .posix(let number): String(cString: strerror(number))
        default: "\(error)"
        }
    }
}
