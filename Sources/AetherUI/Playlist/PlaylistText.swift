import AetherCore
import AetherFormats
import AetherSources

/// A queue as an extended M3U playlist. Pure.
enum PlaylistText {
    /// The document: each file with its name and the part of it that is meant, relative paths meant from a directory made absolute. A path that would
    /// end a line, or is no text, is written as a file URL.
    static func document(_ playlist: Playlist, in directory: String) -> String {
        let lines = zip(playlist.items, playlist.names).map { item, name in
            "#EXTINF:-1,\(DisplayText.singleLine(name, limit: 300))\n" + part(item.start, PlaylistDocument.startOption)
                + part(item.end, PlaylistDocument.endOption) + "\(location(item, directory))\n"
        }
        return "#EXTM3U\n" + lines.joined()
    }

    private static func part(_ time: TimeSpan?, _ option: String) -> String { time.map { "\(option)\($0.seconds)\n" } ?? "" }

    private static func location(_ item: Playlist.Item, _ directory: String) -> String {
        switch item.location {
        case .url(let url): return url.filter { !$0.isNewline }
        case .standardInput: return "-"
        case .file(let path):
            let whole = path.hasPrefix("/") ? path : (directory.hasSuffix("/") ? directory : directory + "/") + path
            let bytes = PathText.cString(whole).dropLast().map { UInt8(bitPattern: $0) }
            let isPlain = !whole.contains { $0.isNewline || $0 == "\0" } && whole.first == "/"
            if isPlain, bytes.elementsEqual(whole.utf8) { return whole }
            return "file://"
                + bytes.map { byte in
                    let isSafe = byte == UInt8(ascii: "/") || byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
                    return isSafe
                        ? String(Character(Unicode.Scalar(byte))) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
        }
    }
}
