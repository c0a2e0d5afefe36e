import AetherCore

/// One request, as the thread `net` makes it.
struct TransferOrder: Sendable {
    let address: WebAddress
    /// The first byte that is wanted; nil: all of them, without a word about parts.
    var offset: Int64?
    /// Behind the last byte that is wanted; nil: to the file's end.
    var end: Int64?
    /// The part is wanted only if the file is still this one.
    var validator: String?
    /// The file is wanted only if it is not this one.
    var condition: String?
    /// Goes to the origin of the address that was opened: it may get a name and a password of `~/.netrc`.
    var isTrusted = true
    /// Whether a private address may answer.
    var permitsPrivate = true
    /// Name and password are proved by a digest, as the server wants it, and not sent.
    var usesDigest = false
    /// The request goes over a connection of its own: on those that are kept the rest of another answer may lie.
    var isFresh = false
    /// The server may compress the file; it comes unpacked.
    var unpacks = false
    var user: String?
    var password: String?
    var options: HTTPOptions

    /// The options as they count for this address.
    var applied: HTTPOptions { options.applied(to: address.origin, isTrusted: isTrusted) }

    /// The proxy that it goes through; nil: the server is asked itself.
    var proxy: String? { options.proxies.proxy(for: address.origin, stated: applied.proxy) }

    /// The lines of the head that libcurl does not write by itself. A line break inside of one would forge further ones.
    var lines: [String] {
        var lines: [String] = []
        if let offset { lines.append("Range: bytes=\(offset)-\(end.map { String($0 - 1) } ?? "")") }
        if let offset, offset > 0, let validator { lines.append("If-Range: \(TransferOrder.clean(validator))") }
        if let condition {
            let name = condition.hasPrefix("\"") ? "If-None-Match" : "If-Modified-Since"
            lines.append("\(name): \(TransferOrder.clean(condition))")
        }
        if options.asksForSongs { lines.append("Icy-MetaData: 1") }
        if case .post = options.method { lines.append("Content-Type: application/json") }
        for (name, value) in applied.headers.sorted(by: { $0.key < $1.key }) {
            let name = TransferOrder.clean(name).filter { $0 != ":" && $0 != " " }
            let value = TransferOrder.clean(value)
            // libcurl takes "Name:" for a wish to leave the line out; "Name;" is one without a value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    private static func clean(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }.prefix(8000), as: UTF8.self)
    }
}

/// How a transfer has ended.
enum TransferEnd: Sendable, Equatable {
    /// All that the server announced has come; where it announced nothing, it closed.
    case complete
    case failed(NetworkFault)
}

/// Takes what the thread `net` receives, on that thread; must not block.
protocol TransferSink: Sendable {
    /// The request has come so far.
    func reached(_ step: ConnectionStep, of transfer: Int)

    /// The head of the answer, once.
    func take(_ head: HTTPHead, from peer: TransferPeer, of transfer: Int)

    /// Bytes of the body, in order.
    func take(_ bytes: UnsafeRawBufferPointer, of transfer: Int) -> TransferReceipt

    /// The bytes that had come by now were all handed over: a waiting reader may be woken, once for all of them.
    func settled(_ transfer: Int)

    /// Nothing more will come.
    func end(_ end: TransferEnd, of transfer: Int)
}

extension TransferSink {
    /// For sinks that wake a reader at each piece, or none.
    func settled(_ transfer: Int) {}
}

/// The other end of a transfer.
struct TransferPeer: Sendable, Equatable {
    /// A private, local or loopback address has answered.
    var isPrivate: Bool
    /// Connections that were made for this transfer: 0 for one that was there.
    var connections: Int
}

/// The outcome for bytes that were handed over.
enum TransferReceipt: Sendable {
    case taken
    /// The bytes are wanted again when the transfer is resumed.
    case later
    case stop
}
