import AetherCore
import AetherFormats
import AetherSources
import Foundation
import Synchronization

/// Finds the lyrics that lie beside a sound file: `song.lrc` for `song.flac`. Reads on a thread of its own, for the file system may
/// not answer; what it found is taken by the main thread after a wake.
final class LyricsFile: Sendable {
    private struct State {
        var number = 0
        var found: Lyrics?
    }
    private let state = Mutex(State())
    private let wake: WakeHandle

    /// `wake` is signalled when something was found.
    init(wake: WakeHandle) { self.wake = wake }

    /// Looks for the lyrics of another source; what is still being looked for is forgotten. Never blocks.
    func look(beside location: MediaLocation) {
        let number = state.withLock { state in
            state.number += 1
            state.found = nil
            return state.number
        }
        guard case .file(let path) = location else { return }
        _ = WorkerThread(name: "lyrics", urgency: .bulk) { [self] in
            guard let lyrics = LyricsFile.read(beside: path) else { return }
            let isWanted = state.withLock { state in
                if state.number == number { state.found = lyrics }
                return state.number == number
            }
            if isWanted { wake.wake() }
        }
    }

    /// What was found since; once.
    func take() -> Lyrics? {
        state.withLock { state in
            defer { state.found = nil }
            return state.found
        }
    }

    /// Reads the file beside a path; nil where there is none or nothing in it. Blocks on the file system.
    static func read(beside path: String) -> Lyrics? {
        let url = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("lrc")
        guard url.path != path, FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            let bytes = try handle.read(upToCount: Lyrics.sizeLimit) ?? Data()
            let lyrics = Lyrics(text(bytes))
            return lyrics.isEmpty ? nil : lyrics
        } catch {
            Log.module("lyrics").warning("\(url.path): \(error.localizedDescription)")
            return nil
        }
    }

    /// UTF-16 with a mark, UTF-8, else what Windows wrote in Western Europe.
    static func text(_ bytes: Data) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]), let text = String(data: bytes, encoding: .utf16)
        {
            return text
        }
        // A file cut at the limit may end within a character.
        for cut in 0...(bytes.count >= Lyrics.sizeLimit ? 3 : 0) {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return String(data: bytes, encoding: .windowsCP1252) ?? String(decoding: bytes, as: UTF8.self)
    }
}
