import AetherCore

/// Bytes of a list as text: UTF-8, else in the letters that they are likely to be in.
enum ChannelText {
    static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        if let text = String(validating: part, as: UTF8.self) { return text }
        return ListLetters(part).text(part)
    }
}

/// The lines of one channel, as places in the bytes of its list.
struct ChannelBlock {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Its `#EXTINF` line; without words where it has none.
    private(set) var line: ChannelLine
    /// Its other lines with a tag.
    private(set) var tags: [Range<Int>] = []
    private let place: Range<Int>

    /// Lines about one channel.
    private static let tagLimit = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ entry: ChannelList.Entry) {
        self.bytes = bytes
        line = ChannelLine(bytes, 0..<0, hasDuration: false)
        var begin = Int(entry.start), address = begin..<begin
        let end = Int(entry.end)
        while begin < end {
            var stop = begin
            while stop < end, bytes[stop] != 0x0A, bytes[stop] != 0x0D { stop += 1 }
            let part = ChannelLine.trimmed(bytes, begin..<stop)
            begin = stop + 1
            guard let first = part.first else { continue }
            if bytes[first] != UInt8(ascii: "#") {
                address = part
            } else if ChannelLine.hasPrefix(bytes, part, "#EXTINF:") {
                line = ChannelLine(bytes, first + 8..<part.upperBound, hasDuration: true)
            } else if tags.count < Self.tagLimit {
                tags.append(part)
            }
        }
        place = address
    }

    func text(_ range: Range<Int>) -> String { ChannelText.text(bytes, ChannelLine.trimmed(bytes, range)) }

    /// The value of a word of its `#EXTINF` line.
    func value(_ key: StaticString) -> Range<Int>? { line.value(key, in: bytes) }

    /// The text of such a word; "" where it is not there.
    func word(_ key: StaticString) -> String { value(key).map { text($0) } ?? "" }

    /// The address, and the headers that stand behind it: `http://host/1|User-Agent=x&Referer=y`.
    var address: (text: String, suffix: String) {
        let whole = text(place)
        guard let bar = whole.firstIndex(of: "|"), whole[whole.index(after: bar)...].contains("=") else { return (whole, "") }
        return (String(whole[..<bar]), String(whole[whole.index(after: bar)...]))
    }

    /// The name: what stands behind the comma, else `tvg-name`, else the address.
    var shownName: String {
        for candidate in [line.name, value("tvg-name") ?? 0..<0, value("tvg-id") ?? 0..<0] where !candidate.isEmpty {
            let name = DisplayText.singleLine(text(candidate), limit: 200)
            if !name.isEmpty { return Redaction.text(name) }
        }
        let name = DisplayText.singleLine(Redaction.shown(address.text), limit: 200)
        return name.isEmpty ? "(no name)" : name
    }
}
