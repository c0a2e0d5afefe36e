import AetherCore

/// The meaning of an answer's head for the bytes behind it. Pure.
enum HTTPAnswer: Sendable, Equatable {
    /// The file's bytes from an offset on.
    case bytes(from: Int64, size: Int64?, isSeekable: Bool, validator: String?)
    /// There are none there: the file is so long.
    case end(size: Int64)
    /// The file is the one that is held already.
    case unchanged
    case redirect(String)
    /// The body is compressed, which was not asked for: parts of it are no use.
    case packed
    case fault(NetworkFault)

    /// Reads the answer to a request for the bytes from `asked` on (nil: for all, without saying so), of a file that is known already or not.
    /// `unpacks`: a compressed answer was asked for, and comes unpacked.
    init(_ head: HTTPHead, asked: Int64?, known: WebFile?, unpacks: Bool = false) {
        switch head.status {
        case 301, 302, 303, 307, 308:
            self = head.fields["location"].map { .redirect($0) } ?? .fault(NetworkFault(.status(head.status)))
        case 304: self = .unchanged
        case 200..<300 where head.isPacked && !unpacks: self = .packed
        case 206: self = HTTPAnswer.part(head, asked: asked, known: known)
        // 207: a folder's list.
        case 200, 203, 207: self = HTTPAnswer.whole(head, asked: asked, known: known)
        case 416:
            let total = head.contentRange?.total
            // Longer or shorter than it was, unless the length that was stated before was a lie: all came up to here, and no part reached further.
            let isLie = total == asked && known?.partEnd ?? total == total
            if HTTPAnswer.isOther(head, size: isLie ? nil : total, than: known) {
                self = .fault(NetworkFault(.changed))
            } else if let total, total <= asked ?? 0 {
                self = .end(size: total)
            } else {
                self = .fault(NetworkFault(.status(416)))
            }
        default: self = .fault(NetworkFault(.status(head.status), retryAfter: head.retryAfter))
        }
    }

    private static func part(_ head: HTTPHead, asked: Int64?, known: WebFile?) -> HTTPAnswer {
        guard let asked, let range = head.contentRange, let bounds = range.bounds, bounds.lowerBound == asked else {
            return .fault(NetworkFault(.badAnswer, detail: "another part of the file than was asked for"))
        }
        // A length that is too short ends the transfer early, which goes on; one that is too long is no harm at the file's end.
        if let length = head.contentLength, length > bounds.upperBound - bounds.lowerBound + 1,
            range.total != bounds.upperBound + 1
        {
            return .fault(NetworkFault(.badAnswer, detail: "its lengths contradict each other"))
        }
        if isOther(head, size: range.total, than: known) { return .fault(NetworkFault(.changed)) }
        return .bytes(
            from: asked, size: range.total ?? known?.size, isSeekable: true, validator: known?.validator ?? head.validator)
    }

    /// To a request for a part this means: another file, or a server that knows of no parts.
    private static func whole(_ head: HTTPHead, asked: Int64?, known: WebFile?) -> HTTPAnswer {
        let length = head.isPacked ? nil : head.contentLength
        if let known {
            // Without anything to go by it may be any file.
            let isTold =
                known.size != nil && length != nil || known.validator != nil && head.validator != nil
                || known.weakTag != nil && head.weakTag != nil
            if !isTold || isOther(head, size: length, than: known) { return .fault(NetworkFault(.changed)) }
        }
        return .bytes(
            from: 0, size: length ?? known?.size,
            isSeekable: known?.isSeekable ?? (head.acceptsRanges && asked != nil),
            validator: known?.validator ?? head.validator)
    }

    private static func isOther(_ head: HTTPHead, size: Int64?, than known: WebFile?) -> Bool {
        guard let known else { return false }
        if let size, let before = known.size, size != before { return true }
        guard let now = head.validator, let before = known.validator, now.hasPrefix("\"") == before.hasPrefix("\"") else {
            guard let now = head.weakTag, let before = known.weakTag else { return false }
            return now != before
        }
        return now != before
    }
}

/// Which redirections are followed. Pure.
enum RedirectPolicy {
    /// As many as a chain of shorteners and mirrors has; a loop has more.
    static let limit = 5

    /// The address that a server sends to.
    static func next(from address: WebAddress, to reference: String, hops: Int) -> Result<WebAddress, NetworkFault> {
        guard hops < limit else { return .failure(NetworkFault(.redirection, detail: "after \(limit) others")) }
        guard let next = address.resolved(reference) else {
            return .failure(NetworkFault(.redirection, detail: "it is not a web address"))
        }
        if address.origin.scheme == "https", next.origin.scheme == "http" {
            return .failure(NetworkFault(.redirection, detail: "from https to http"))
        }
        return .success(next)
    }
}
