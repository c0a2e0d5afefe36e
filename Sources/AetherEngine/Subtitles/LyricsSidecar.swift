import AetherCore
public import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// The lyrics that lie beside an audio file: `song.lrc` for `song.flac`.
public enum LyricsSidecar {
    /// Reads the lyrics, in whatever character set they are written; nil where the file is missing or empty. Blocks on the file system.
    public static func read(beside path: String) -> Lyrics? {
        let sidecar = String(withoutExtension(path)) + ".lrc"
        guard sidecar != path else { return nil }
        do throws(IOReaderError) {
            let reader = try FileReader(path: sidecar)
            defer { reader.close() }
            let lyrics = Lyrics(text(try reader.bytes(limit: Lyrics.sizeLimit)))
            return lyrics.isEmpty ? nil : lyrics
        } catch {
            if error != .posix(ENOENT) { Log.module("lyrics").warning("\(sidecar): \(error)") }
            return nil
        }
    }

    private static func withoutExtension(_ path: String) -> Substring {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path[...] }
        return path[..<dot]
    }

    static func text(_ bytes: [UInt8]) -> String {
        // One that was cut at the limit may end within a character: whole lines are whole.
        let end = bytes.count >= Lyrics.sizeLimit ? bytes.lastIndex(of: 0x0A) ?? bytes.count : bytes.count
        return String(decoding: TextEncoding.utf8(Array(bytes[..<end])), as: UTF8.self)
    }
}
