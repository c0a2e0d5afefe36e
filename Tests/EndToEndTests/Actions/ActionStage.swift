import AetherCore
import AetherDesktop
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// A player on a pty with a remote control at its side, and what can be seen of it.
final class ActionStage {
    /// How an action is asked for.
    enum Way: String, CaseIterable, Sendable { case key, remote }

    private let folder: TemporaryFolder
    private let session: Session
    private var remote: RemoteConnection
    private var screen: VTScreen
    private var fed = 0
    private var time = SystemTime()

    /// Nobody is at the other end of the socket.
    private struct Gone: Error {}

    /// The state before a step.
    private struct Before {
        var values: [String: JSON] = [:]
        var pixels: [UInt32] = []
        var rows: [String] = []
        var stills = 0
        /// The screen then, and how much of the output it had taken in.
        var screen: VTScreen
        var fed: Int
    }

    init() throws {
        let folder = try TemporaryFolder(), size = Pty.Size(100, 40)
        self.folder = folder
        let film = try ActionStage.film(folder)
        session = try Session(
            [
                "--no-config", "--no-mpris", "--no-resume", "--ipc", folder.path("s"), "--screenshot-dir", folder.path("stills"),
                "--record-dir", folder.path("recordings"), "--no-thumbnail-cache", "--no-audio", film, folder.path("other.mkv"),
            ], size: size)
        screen = VTScreen(columns: Int(size.columns), rows: Int(size.rows))
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        remote = try RemoteConnection(path: folder.path("s"))
        _ = try ask(.set("paused", .bool(true)))
        try #require(becomes("state") { $0 == .string("paused") })
    }

    /// Four minutes with all that the actions are about: chapters, two tracks of sound, two of subtitles, a key frame a second.
    private static func film(_ folder: TemporaryFolder) throws -> String {
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        }
        func subtitles(_ text: String) -> String { "1\n00:01:20,000 --> 00:01:25,000\n\(text)\n" }
        try write(subtitles("Spoken in English"), "en.srt")
        try write(subtitles("Auf Deutsch gesagt"), "de.srt")
        let chapters = [("Begin", 0, 80), ("Middle", 80, 160), ("Last", 160, 240)]
        try write(
            ";FFMETADATA1\n"
                + chapters.map { "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0.1)\nEND=\($0.2)\ntitle=\($0.0)\n" }.joined(), "chapters")
        let made = try Command(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=10:duration=240"]
                + ["-f", "lavfi", "-i", "sine=sample_rate=8000:duration=240", "-i", folder.path("en.srt")]
                + ["-i", folder.path("de.srt"), "-f", "ffmetadata", "-i", folder.path("chapters"), "-map", "0", "-map", "1"]
                + ["-map", "1", "-map", "2", "-map", "3", "-map_chapters", "4", "-c:v", "libx264", "-preset", "ultrafast"]
                + [
                    "-g", "10", "-c:a", "flac", "-c:s", "srt", "-disposition:s", "0", "-metadata:s:s:0", "language=eng",
                    "-metadata:s:s:1",
                ]
                + ["language=ger", folder.path("film.mkv")])
        try #require(made.status == 0, "\(made.standardError)")
        try FileManager.default.copyItem(atPath: folder.path("film.mkv"), toPath: folder.path("other.mkv"))
        return folder.path("film.mkv")
    }

    // MARK: - Doing

    /// Does a step; returns what did not come of it, in words.
    func perform(_ step: ActionScript.Step, _ way: Way) throws -> [String] {
        guard try begins(step) else { return ["the file is \(try value("state").line)"] }
        let before = try look(for: step.effects)
        let action = try #require(try ActionName.action(step.words))
        switch way {
        case .key:
            let strokes = Keymap.standard.entries.flatMap(\.bindings).first { $0.action == action }?.strokes
            if let stroke = strokes?.first {
                session.pty.send(KeyBytes.of(stroke))
                break
            }
            // Nobody has a key for it before keys.toml gives it one.
            fallthrough
        case .remote:
            let answer = try ask(.action(step.words))
            if answer["ok"] != .bool(true) {
                for case .refuses(let words) in step.effects where answer["error"]?.text?.contains(words) == true { return [] }
                return ["refused: \(answer.line)"]
            }
        }
        var missing: [String] = []
        for effect in step.effects where try !comes(effect, before) {
            let now = try before.values.keys.map { "\($0) is \(try value($0).line)" }
            missing.append("\(effect) from \(before.values.mapValues(\.line)): \(now)")
        }
        if let keys = step.leaving {
            session.pty.send(keys)
            // Escape and the next key in one breath would be Alt and that key.
            _ = session.waitForQuiet()
        }
        return missing
    }

    /// A step begins where the file stands and nothing is drawn any more, or, if it says so, while it plays. Another file begins to play by
    /// itself: it is told to stand.
    private func begins(_ step: ActionScript.Step) throws -> Bool {
        let began = try becomes("state") { state in
            if step.whilePlaying { return state == .string("playing") }
            if state == .string("playing") { _ = try ask(.set("paused", .bool(true))) }
            return state == .string("paused") || state == .string("ended")
        }
        if !step.whilePlaying { _ = session.waitForQuiet(of: .milliseconds(60)) }
        return began
    }

    private func look(for effects: [ActionScript.Effect]) throws -> Before {
        _ = wait(within: .zero) { _ in true }
        var before = Before(screen: screen, fed: fed)
        for effect in effects {
            switch effect {
            case .changes(let name), .moves(let name, _, _): before.values[name] = try value(name)
            default: break
            }
        }
        (before.pixels, before.rows, before.stills) = (picture, screen.rows, stills)
        return before
    }

    private func comes(_ effect: ActionScript.Effect, _ before: Before) throws -> Bool {
        switch effect {
        case .property(let name, let wanted): return try becomes(name) { $0 == wanted }
        case .changes(let name): return try becomes(name) { $0 != before.values[name] }
        case .near(let name, let wanted, let within):
            return try becomes(name) { $0.number.map { abs($0 - wanted) <= within } ?? false }
        case .moves(let name, let by, let within):
            let wanted = (before.values[name]?.number ?? .nan) + by
            return try becomes(name) { $0.number.map { abs($0 - wanted) <= within } ?? false }
        case .shows(let text), .refuses(let text):
            return Screen.waitToSee(on: session.pty, after: before.screen, fed: before.fed) { $0.contains(text) }
        case .hides(let text): return wait { !$0.rows.contains { $0.contains(text) } }
        case .sinks(let text, let by):
            let row = before.rows.firstIndex { $0.contains(text) }
            return wait { screen in row != nil && screen.rows.firstIndex { $0.contains(text) } == row.map { $0 + by } }
        case .repaints: return wait { [self] _ in picture != before.pixels }
        case .saves: return wait { [self] _ in stills > before.stills }
        case .ends: return session.pty.waitForEnd() == .exited(0)
        }
    }

    // MARK: - Seeing

    /// The rows of the screen as they are now, for a message.
    var rows: [String] { session.rows }

    /// The picture between what is written at the top and at the bottom.
    private var picture: [UInt32] {
        let picture = screen.pixels(), rows = Int(session.size.rows)
        let perRow = picture.pixels.count / rows
        return Array(picture.pixels[perRow * 16..<perRow * 28])
    }

    private var stills: Int {
        // No folder: nothing was saved yet.
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("stills")).filter { $0.hasSuffix(".png") }.count) ?? 0
    }

    private func wait(within limit: TimeSpan = .seconds(60), _ satisfies: (VTScreen) -> Bool) -> Bool {
        session.pty.waitForOutput(from: 0, within: limit) { bytes in
            screen.feed(Array(bytes[fed...]))
            fed = bytes.endIndex
            return satisfies(screen)
        }
    }

    private func ask(_ verb: RemoteRequest.Verb) throws -> JSON {
        try remote.say(RemoteRequest(verb).line)
        // Events come between: a new file, its end.
        while let line = try remote.nextLine() {
            let said = try JSON(line)
            if said["event"] == nil { return said }
        }
        throw Gone()
    }

    private func value(_ name: String) throws -> JSON { try ask(.get(name))["value"] ?? .null }

    private func becomes(_ name: String, _ satisfies: (JSON) throws -> Bool) throws -> Bool {
        let deadline = time.now() + .seconds(60)
        repeat { if try satisfies(try value(name)) { return true } } while time.now() < deadline
        return false
    }
}
