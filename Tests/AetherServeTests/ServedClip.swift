import AetherEngine
import AetherTestSupport
import Foundation

@testable import AetherServe

/// A source that is served while a test looks at it, by clients of their own.
final class ServedClip {
    let source: ServedSource, server: LoopbackServer

    init(
        _ media: MediaSource, bridge: AudioBridge = .surroundCompat, transcodes: Bool = false, hasVariants: Bool = false
    ) throws {
        let wishes = ServedWishes(audio: bridge, transcodes: transcodes, hasVariants: hasVariants)
        source = ServedSource(media, name: "clip", wishes: wishes)
        _ = try source.waitUntilOpened()
        server = try LoopbackServer(source)
    }

    convenience init(_ path: String, bridge: AudioBridge = .surroundCompat, transcodes: Bool = false) throws {
        try self.init(.location(.file(path)), bridge: bridge, transcodes: transcodes)
    }

    deinit {
        source.stop()
        server.stop()
    }

    var master: String { server.address + "master.m3u8" }

    func bytes(_ path: String) throws -> Data {
        let result = try Fixtures.run("curl", ["-sf", "--path-as-is", server.address + path])
        guard result.status == 0 else { throw Fixtures.Failure(description: "\(path): \(result.status)") }
        return result.output
    }

    func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    func lines(_ path: String) throws -> [Substring] { try text(path).split(separator: "\n") }

    func status(_ arguments: [String]) throws -> String {
        String(
            decoding: try Fixtures.run("curl", ["-s", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}"] + arguments)
                .output, as: UTF8.self)
    }

    /// The words of ffprobe on a segment behind its init section: one line for each stream, then one for each packet's time.
    func probe(_ track: Int, _ number: Int, init version: Int, _ entries: String) throws -> [Substring] {
        let folder = try TemporaryFolder(), path = folder.path("segment.mp4")
        try (bytes("\(track)/init\(version).mp4") + bytes("\(track)/\(number).m4s")).write(to: URL(fileURLWithPath: path))
        let result = try Fixtures.run("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    }
}
