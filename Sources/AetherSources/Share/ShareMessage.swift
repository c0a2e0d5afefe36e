/// The sizes of reads from a share.
package enum SharePiece {
    /// Bytes that one read asks for at most.
    package static let limit = 1 << 20
}

/// A message of the player to `aether-share`, the program that speaks with servers of shares.
package enum ShareRequest: Sendable, Equatable {
    /// Opens a file. The first message, and the only one with a password.
    case open(ShareAddress)
    /// Bytes from an offset on, at most `SharePiece.limit`.
    case read(number: UInt32, offset: UInt64, count: UInt32)
    /// Reads with lower numbers are of no use any more.
    case forget(before: UInt32)

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .open(let address):
            var writer = ShareWriter(1, number: 0)
            writer.add(UInt32(address.port ?? 0))
            for text in [address.host, address.share, address.path, address.domain, address.user ?? "", address.password ?? ""] {
                writer.add(text)
            }
            return writer.frame()
        case .read(let number, let offset, let count):
            var writer = ShareWriter(2, number: number)
            writer.add(offset)
            writer.add(count)
            return writer.frame()
        case .forget(let number): return ShareWriter(3, number: number).frame()
        }
    }

    /// Reads a frame; nil for what is no request.
    package init?(_ frame: ShareFrames.Frame) {
        var fields = ShareFields(frame.fields)
        switch frame.kind {
        case 1:
            guard let port = fields.number(UInt32.self), port < 65536 else { return nil }
            var texts: [String] = []
            while texts.count < 6 {
                guard let text = fields.text(limit: ShareAddress.lengthLimit) else { return nil }
                texts.append(text)
            }
            self = .open(
                ShareAddress(
                    host: texts[0], port: port == 0 ? nil : Int(port), share: texts[1], path: texts[2], domain: texts[3],
                    user: texts[4].isEmpty ? nil : texts[4], password: texts[5].isEmpty ? nil : texts[5]))
        case 2:
            guard let offset = fields.number(UInt64.self), let count = fields.number(UInt32.self), offset <= UInt64(Int64.max),
                count > 0, count <= UInt32(SharePiece.limit)
            else { return nil }
            self = .read(number: frame.number, offset: offset, count: count)
        case 3: self = .forget(before: frame.number)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }
}

/// An answer of `aether-share`.
package enum ShareAnswer: Sendable, Equatable {
    /// The file is open: its size, and when it was changed, in seconds since 1970.
    case opened(size: UInt64, modified: UInt64)
    /// The bytes that a read has found; none: the end.
    case data(number: UInt32, bytes: ArraySlice<UInt8>)
    /// A request has failed; its number is 0 where it was to open.
    case failure(number: UInt32, ShareRefusal, text: String)

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .opened(let size, let modified):
            var writer = ShareWriter(1, number: 0)
            writer.add(size)
            writer.add(modified)
            return writer.frame()
        case .data(let number, let bytes):
            var writer = ShareWriter(2, number: number, room: bytes.count)
            bytes.withUnsafeBytes { writer.add($0) }
            return writer.frame()
        case .failure(let number, let refusal, let text):
            var writer = ShareWriter(3, number: number)
            writer.add(refusal.rawValue)
            writer.add(String(text.prefix(100)))
            return writer.frame()
        }
    }

    /// Reads a frame; nil for what is no answer.
    package init?(_ frame: ShareFrames.Frame) {
        var fields = ShareFields(frame.fields)
        switch frame.kind {
        case 1:
            guard let size = fields.number(UInt64.self), let modified = fields.number(UInt64.self), size <= UInt64(Int64.max)
            else { return nil }
            self = .opened(size: size, modified: modified)
        case 2: self = .data(number: frame.number, bytes: fields.remaining())
        case 3:
            guard let code = fields.number(UInt8.self), let refusal = ShareRefusal(rawValue: code),
                let text = fields.text(limit: 800)
            else { return nil }
            self = .failure(number: frame.number, refusal, text: text)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }
}
