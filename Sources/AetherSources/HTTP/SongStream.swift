import AetherCore

/// Parts the audio of a radio station from the titles that it puts between (`icy-metaint`): after every so many bytes one byte says how long a text
/// follows, in sixteenths. Pure.
struct SongStream {
    /// Bytes of audio between two texts.
    private let interval: Int
    /// Bytes of audio until the next text.
    private var audioLeft: Int
    /// Bytes of the text that are still to come; nil: its length is.
    private var textLeft: Int?
    private var text: [UInt8] = []

    /// Servers say 8000 to 64000. Nil for what cannot be: below one byte, or above 16 MB.
    init?(interval: Int) {
        guard (1...16 << 20).contains(interval) else { return nil }
        (self.interval, audioLeft) = (interval, interval)
    }

    /// Takes the next bytes of the answer. The audio among them moves to the front of the buffer: so many bytes of it, and the titles that were
    /// among them.
    mutating func take(_ buffer: UnsafeMutableRawBufferPointer) -> (audio: Int, titles: [String]) {
        var place = 0, kept = 0, titles: [String] = []
        while place < buffer.count {
            if audioLeft > 0 {
                let count = min(audioLeft, buffer.count - place)
                if kept != place {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<kept + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<place + count]))
                }
                (place, kept, audioLeft) = (place + count, kept + count, audioLeft - count)
                continue
            }
            guard let left = textLeft else {
                textLeft = Int(buffer[place]) * 16
                place += 1
                if textLeft == 0 { endText() }
                continue
            }
            let count = min(left, buffer.count - place)
            text += buffer[place..<place + count]
            (place, textLeft) = (place + count, left - count)
            guard textLeft == 0 else { continue }
            if let title = Self.title(text) { titles.append(title) }
            endText()
        }
        return (kept, titles)
    }

    private mutating func endText() { (textLeft, audioLeft, text) = (nil, interval, []) }

    /// The title of a text such as `StreamTitle='Artist - Song';StreamUrl='';`, safe to display; nil for one without, "" for an empty one. Titles
    /// may have apostrophes in them.
    static func title(_ bytes: [UInt8]) -> String? {
        let name = Array("StreamTitle='".utf8)
        let bytes = bytes.prefix { $0 != 0 }
        guard
            let start = (0..<max(0, bytes.count - name.count + 1)).first(where: {
                bytes[$0..<$0 + name.count].elementsEqual(name)
            })
        else { return nil }
        let rest = Array(bytes[(start + name.count)...])
        let end = (0..<max(0, rest.count - 1)).first { rest[$0] == UInt8(ascii: "'") && rest[$0 + 1] == UInt8(ascii: ";") }
        let value = rest[..<(end ?? (rest.last == UInt8(ascii: "'") ? rest.count - 1 : rest.count))]
        // Old stations write Latin-1.
        let text = String(validating: value, as: UTF8.self) ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        return DisplayText.singleLine(text, limit: 200)
    }
}
