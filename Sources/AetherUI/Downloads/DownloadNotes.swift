import AetherCore
import AetherEngine
import Synchronization

/// The sentences of the downloads' threads for the main thread, which is woken by each, and by the end of a download.
final class DownloadNotes: Sendable {
    private let wake: WakeHandle
    private let sentences = Mutex<[String]>([])
    private static let limit = 100

    init(wake: WakeHandle) { self.wake = wake }

    /// Any thread; never blocks.
    func take(_ news: AssetDownloadNews) {
        switch news {
        case .note(let text): sentences.withLock { if $0.count < Self.limit { $0.append(text) } }
        case .ended: break
        case .opened, .rendition, .progress, .muxing, .muxed: return
        }
        wake.wake()
    }

    /// The sentences that were not told yet.
    func takeAll() -> [String] {
        sentences.withLock { sentences in
            defer { sentences = [] }
            return sentences
        }
    }
}
