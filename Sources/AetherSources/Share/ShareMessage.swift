/// The sizes of reads from a share.
package enum SharePiece {
    /// Bytes that one read asks for at most: libsmbclient takes them in parts, all under way at once.
    package static let limit = 8 << 20
}

/// A message of the player to `aether-share`, the program that speaks with servers of shares.
package enum ShareRequest: Sendable, Equatable {
    /// Opens a file. The first message, and the only one with a password beside `list`.
    case open(ShareAddress)
    /// Lists a folder, or the shares of a server.
    case list(ShareAddress)
    /// Bytes from an offset on, at most `SharePiece.limit`, to a place in the `ShareMemory`.
    case read(number: UInt32, offset: UInt64, count: UInt32, place: UInt32)
    /// Reads with lower numbers are of no use any more.
    case forget(before: UInt32)

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .open(let address): return Self.frame(1, address)
        case .list(let address): return Self.frame(4, address)
        case .read(let number, let offset, let count, let place):
            var writer = WireWriter(2, number: number)
            writer.add(offset)
            writer.add(count)
            writer.add(place)
            return writer.frame()
        case .forget(let number): return WireWriter(3, number: number).frame()
        }
    }

    private static func frame(_ kind: UInt8, _ address: ShareAddress) -> [UInt8] {
        var writer = WireWriter(kind, number: 0)
        writer.add(UInt32(address.port ?? 0))
        for text in [
            address.scheme.rawValue, address.host, address.share, address.path, address.domain, address.user ?? "",
            address.password ?? "",
        ] {
            writer.add(text)
        }
        return writer.frame()
    }

    private static func address(_ fields: inout WireFields) -> ShareAddress? {
        guard let port = fields.number(UInt32.self), port < 65536 else { return nil }
        var texts: [String] = []
        while texts.count < 7 {
            guard let text = fields.text(limit: ShareAddress.lengthLimit) else { return nil }
            texts.append(text)
        }
        guard let scheme = ShareScheme(rawValue: texts[0]) else { return nil }
        return ShareAddress(
            scheme, host: texts[1], port: port == 0 ? nil : Int(port), share: texts[2], path: texts[3], domain: texts[4],
            user: texts[5].isEmpty ? nil : texts[5], password: texts[6].isEmpty ? nil : texts[6])
    }

    /// Reads a frame; nil for what is no request.
    package init?(_ frame: WireFrames.Frame) {
        var fields = WireFields(frame.fields)
        switch frame.kind {
        case 1, 4:
            guard let address = Self.address(&fields) else { return nil }
            self = frame.kind == 1 ? .open(address) : .list(address)
        case 2:
            guard let offset = fields.number(UInt64.self), let count = fields.number(UInt32.self),
                let place = fields.number(UInt32.self), offset <= UInt64(Int64.max), count > 0, count <= UInt32(SharePiece.limit),
                Int(place) + Int(count) <= ShareMemory.size
            else { return nil }
            self = .read(number: frame.number, offset: offset, count: count, place: place)
        case 3: self = .forget(before: frame.number)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }
}
