import AetherCore
import Foundation
import Synchronization

/// The cover of a song as a file that a desktop can show, in XDG_RUNTIME_DIR. Written on a thread of its own, removed with its owner.
final class CoverFile: Sendable {
    private struct State {
        var number = 0
        var url: String?
        var path: String?
    }
    private let state = Mutex(State())
    private let folder: String
    private let wake: WakeHandle

    /// 16 MB: a scan of a record's sleeve takes a tenth of it.
    private static let sizeLimit = 16 << 20

    /// nil where there is no place for it.
    init?(_ environment: [String: String], wake: WakeHandle) {
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        self.folder = folder
        self.wake = wake
    }

    deinit { remove() }

    /// The URL of the present cover; nil: there is none, or it is not written yet.
    var url: String? { state.withLock { $0.url } }

    /// Another file plays; nil: it has no cover. `wake` is signalled when the cover is there. Never blocks.
    func show(_ data: [UInt8]?) {
        remove()
        guard let data, data.count <= CoverFile.sizeLimit, let suffix = CoverFile.suffix(data) else { return }
        let number = state.withLock { $0.number }
        let path = "\(folder)/aether-tui-\(getpid())-\(number).\(suffix)"
        _ = WorkerThread(name: "cover-file", urgency: .bulk) { [self] in
            guard FileManager.default.createFile(atPath: path, contents: Data(data), attributes: [.posixPermissions: 0o600])
            else {
                return
            }
            let isWanted = state.withLock { state in
                guard state.number == number else { return false }
                (state.path, state.url) = (path, URL(fileURLWithPath: path).absoluteString)
                return true
            }
            if isWanted { wake.wake() } else { unlink(path) }
        }
    }

    /// Takes the file away; it lies in memory, so this is at once.
    func remove() {
        let path = state.withLock { state in
            defer { (state.path, state.url, state.number) = (nil, nil, state.number + 1) }
            return state.path
        }
        if let path { unlink(path) }
    }

    /// By the first bytes; nil for what no desktop shows.
    static func suffix(_ data: [UInt8]) -> String? {
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if data.starts(with: Array("GIF8".utf8)) { return "gif" }
        return data.count > 12 && data.starts(with: Array("RIFF".utf8)) && data[8..<12].elementsEqual("WEBP".utf8) ? "webp" : nil
    }
}
