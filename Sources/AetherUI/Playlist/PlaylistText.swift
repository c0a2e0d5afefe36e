import AetherCore
import AetherFormats
import AetherSources

/// A queue as an extended M3U playlist. Pure.
enum PlaylistText {
    /// The document: each file with its name, relative paths meant from a directory made absolute. A path that would end a line is written as a
    /// file URL.
    static func document(_ playlist: Playlist, in directory: String) -> String {
        let lines = zip(playlist.items, playlist.names).map { item, name in
            "#EXTINF:-1,\(DisplayText.singleLine(name, limit: 300))\n\(location(item, directory))\n"
        }
        return "#EXTM3U\n" + lines.joined()
    }

    private static func location(_ item: Playlist.Item, _ directory: String) -> String {
        switch item.location {
        case .url(let url): return url.filter { !$0.isNewline }
        case .standardInput: return "-"
        case .file(let path):
            let whole = path.hasPrefix("/") ? path : (directory.hasSuffix("/") ? directory : directory + "/") + path
            let isPlain = !whole.contains { $0.isNewline || $0 == "\0" } && whole.first == "/"
            if isPlain { return whole }
            return "file://"
                + whole.utf8.map { byte in
                    let isSafe = byte == UInt8(ascii: "/") || byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
                    return isSafe
                        ? String(Character(Unicode.Scalar(byte))) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
        }
    }
}
