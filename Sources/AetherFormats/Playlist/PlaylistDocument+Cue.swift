import AetherCore

/// CUE sheets: the tracks of a disc that lies in one file, or in some.
extension PlaylistDocument {
    /// `FILE`, `TRACK`, `TITLE`, `PERFORMER` and `INDEX 01`; a track ends where the next one of its file begins, and is of the file that its `INDEX 01`
    /// stands behind: its pause may lie at the end of the file before. Data tracks are left out.
    mutating func readCue(_ text: String) {
        var file = "", disc = "", found: [CueTrack] = []
        for raw in Self.lines(text) where found.count < Self.entryLimit {
            let words = Self.words(raw)
            guard let command = words.first?.uppercased(), words.count >= 2 else { continue }
            switch command {
            case "FILE": file = Self.nameAndKind(Self.trimmed(raw), words).name
            case "TRACK": found.append(CueTrack(file: file, isAudio: words.count < 3 || words[2].uppercased() == "AUDIO"))
            case "TITLE" where !found.isEmpty: found[found.count - 1].title = words[1]
            case "PERFORMER":
                if found.isEmpty { disc = words[1] } else { found[found.count - 1].performer = words[1] }
            case "INDEX" where words.count >= 3 && !found.isEmpty:
                guard let number = Int(words[1]), let time = Self.discTime(words[2]) else { continue }
                // 00 is the pause before it, which belongs to the track before.
                if number == 1 { (found[found.count - 1].start, found[found.count - 1].file) = (time, file) }
            default: break
            }
        }
        for (index, track) in found.enumerated() where track.isAudio {
            let next = index + 1 < found.count && found[index + 1].file == track.file ? found[index + 1].start : nil
            let performer = track.performer.isEmpty ? disc : track.performer
            let title = performer.isEmpty || track.title.isEmpty ? track.title : performer + " – " + track.title
            let start = track.start ?? .zero
            append(
                Entry(
                    location: track.file, title: title, start: start > .zero ? start : nil,
                    end: next.flatMap { $0 > start ? $0 : nil }))
        }
    }

    private struct CueTrack {
        var file: String
        let isAudio: Bool
        var title = "", performer = ""
        var start: TimeSpan?

        init(file: String, isAudio: Bool) {
            self.file = file
            self.isAudio = isAudio
        }
    }

    /// Words between spaces; those in quotes are one. At most eight of them.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.drop { $0 == " " || $0 == "\t" }
        while !rest.isEmpty, words.count < 8 {
            if rest.first == "\"" {
                let body = rest.dropFirst()
                let end = body.firstIndex(of: "\"") ?? body.endIndex
                words.append(String(body[..<end]))
                rest = end < body.endIndex ? body[body.index(after: end)...] : ""
            } else {
                let end = rest.firstIndex { $0 == " " || $0 == "\t" } ?? rest.endIndex
                words.append(String(rest[..<end]))
                rest = rest[end...]
            }
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }
        return words
    }

    /// Minutes, seconds and frames of 1/75 s.
    private static func discTime(_ text: String) -> TimeSpan? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            (0...99_999).contains(minutes),
            (0...59).contains(seconds), (0...74).contains(frames)
        else { return nil }
        return .seconds(Double(minutes * 60 + seconds) + Double(frames) / 75)
    }

    /// Name and kind of a line `FILE`: the name stands in quotes, or between the command and the kind with whatever spaces it has. The line has none at its
    /// ends, and at least two words.
    static func nameAndKind(_ line: String, _ words: [String]) -> (name: String, kind: String) {
        guard words.count > 3, !line.contains("\""), let end = line.lastIndex(where: { $0 == " " || $0 == "\t" }) else {
            return (words[1], words.count > 2 ? words[2] : "BINARY")
        }
        return (trimmed(line[..<end].dropFirst(4)), String(line[line.index(after: end)...]))
    }
}
