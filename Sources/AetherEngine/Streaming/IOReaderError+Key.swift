import AetherCore

extension IOReaderError {
    /// The same about a key: the sentence says so.
    var ofKey: IOReaderError {
        switch self {
        case .network(let fault):
            let detail = fault.detail.isEmpty ? Self.words : "\(Self.words): \(fault.detail)"
            return .network(NetworkFault(fault.kind, detail: detail, retryAfter: fault.retryAfter))
        case .posix: return .network(NetworkFault(.invalidAddress, detail: "\(Self.words): \(SegmentFailure.words(self))"))
        default: return self
        }
    }

    private static let words = "the key that decrypts the media"
}
