/// An answer of `aether-share`.
package enum ShareAnswer: Sendable, Equatable {
    /// The file is open: its size, and when it was changed, in seconds since 1970.
    case opened(size: UInt64, modified: UInt64)
    /// A read is done: so many bytes lie at its place, and the server took so long for them.
    case filled(number: UInt32, count: UInt32, microseconds: UInt64)
    /// A request has failed; its number is 0 where it was to open or to list.
    case failure(number: UInt32, ShareRefusal, text: String)
    /// Entries of a folder, in the server's order, at most `entryLimit`; none: that was all.
    case entries([ShareEntry])

    /// Entries in one answer: with names of 255 letters of four bytes each they keep to the length of a frame.
    package static let entryLimit = 500

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .opened(let size, let modified):
            var writer = WireWriter(1, number: 0)
            writer.add(size)
            writer.add(modified)
            return writer.frame()
        case .filled(let number, let count, let microseconds):
            var writer = WireWriter(2, number: number)
            writer.add(count)
            writer.add(microseconds)
            return writer.frame()
        case .failure(let number, let refusal, let text):
            var writer = WireWriter(3, number: number)
            writer.add(refusal.rawValue)
            writer.add(String(text.prefix(100)))
            return writer.frame()
        case .entries(let entries):
            var writer = WireWriter(4, number: 0)
            for entry in entries { entry.write(to: &writer) }
            return writer.frame()
        }
    }

    /// Reads a frame; nil for what is no answer.
    package init?(_ frame: WireFrames.Frame) {
        var fields = WireFields(frame.fields)
        switch frame.kind {
        case 1:
            guard let size = fields.number(UInt64.self), let modified = fields.number(UInt64.self), size <= UInt64(Int64.max)
            else { return nil }
            self = .opened(size: size, modified: modified)
        case 2:
            guard let count = fields.number(UInt32.self), let microseconds = fields.number(UInt64.self),
                count <= UInt32(SharePiece.limit)
            else { return nil }
            self = .filled(number: frame.number, count: count, microseconds: microseconds)
        case 3:
            guard let code = fields.number(UInt8.self), let refusal = ShareRefusal(rawValue: code),
                let text = fields.text(limit: 800)
            else { return nil }
            self = .failure(number: frame.number, refusal, text: text)
        case 4:
            var entries: [ShareEntry] = []
            while !fields.isEmpty {
                guard let entry = ShareEntry(&fields), entries.count < Self.entryLimit else { return nil }
                entries.append(entry)
            }
            self = .entries(entries)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }
}
