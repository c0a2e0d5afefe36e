import AetherCore
import FoundationEssentials
import Glibc
import Synchronization

/// The cover of a song as a file that a desktop can show, in XDG_RUNTIME_DIR. Written on a thread of its own, removed with its owner.
final class CoverFile: Sendable {
    private struct Wish: Sendable {
        let data: [UInt8]
        let suffix: String
    }
    private let requests: Requests<Wish, String>
    /// The path of the present cover.
    private let path = Mutex<String?>(nil)

    /// 16 MB: a scan of a record's sleeve takes a tenth of it.
    private static let sizeLimit = 16 << 20

    /// nil where there is no place for it. `wake` is signalled when a cover is there.
    init?(_ environment: [String: String], wake: WakeHandle) {
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        requests = Requests(name: "cover-file", urgency: .bulk, threads: 2, wake: { wake.wake() }) {
            { wish, turn in Self.write(wish, to: "\(folder)/aether-tui-\(getpid())-\(turn.number).\(wish.suffix)", turn) }
        }
    }

    deinit { remove() }

    /// The URL of the present cover; nil: there is none, or it is not written yet.
    var url: String? {
        path.withLock { path in
            if let written = requests.take() { path = written }
            return path.map { URL(fileURLWithPath: $0).absoluteString }
        }
    }

    /// Another file plays; nil: it has no cover. Never blocks.
    func show(_ data: [UInt8]?) {
        remove()
        guard let data, data.count <= Self.sizeLimit, let suffix = Self.suffix(data) else { return }
        requests.ask(Wish(data: data, suffix: suffix))
    }

    /// Removes the file; the directory lies in memory, so this is at once.
    func remove() {
        let present = path.withLock { path -> String? in
            defer { path = nil }
            return path
        }
        for path in requests.drop() + [present].compactMap(\.self) { unlink(path) }
    }

    /// Blocks on the file system. A cover that is dropped on the way leaves no file.
    private static func write(_ wish: Wish, to path: String, _ turn: RequestTurn) -> String? {
        turn.onDrop { unlink(path) }
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(wish.data), attributes: attributes) else { return nil }
        guard turn.isWanted else {
            unlink(path)
            return nil
        }
        return path
    }

    /// By the first bytes; nil for what no desktop shows.
    static func suffix(_ data: [UInt8]) -> String? {
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if data.starts(with: Array("GIF8".utf8)) { return "gif" }
        return data.count > 12 && data.starts(with: Array("RIFF".utf8)) && data[8..<12].elementsEqual("WEBP".utf8) ? "webp" : nil
    }
}
