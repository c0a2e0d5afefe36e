import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import Synchronization

/// The folders of web servers that were listed, so that the subtitles beside a video there are known without asking for every name they could
/// have. Shared by listing and playing; the oldest are forgotten.
final class WebFolders: Sendable {
    private struct Folder: Sendable {
        let index: WebIndex
        let provenance: Provenance?
    }
    private struct State {
        var folders: [String: Folder] = [:]
        /// The oldest first.
        var order: [String] = []
    }
    private let state = Mutex(State())

    /// More than a person looks into between two videos.
    private static let limit = 32

    /// Keeps what a page says of a folder, which is known by its address with a slash at the end.
    func note(_ address: String, _ index: WebIndex, _ provenance: Provenance?) {
        let key = RemotePath.withoutUser(address)
        state.withLock { state in
            state.order.removeAll { $0 == key }
            state.order.append(key)
            state.folders[key] = Folder(index: index, provenance: provenance)
            if state.order.count > Self.limit { state.folders[state.order.removeFirst()] = nil }
        }
    }

    /// How a file of a listed folder is asked for, and the subtitles beside it. Anything else stays as it is.
    func attend(to location: MediaLocation, _ loading: inout LoadOptions) {
        guard case .url(let url) = location, let (address, reference) = RemotePath.parts(of: url),
            let folder = state.withLock({ $0.folders[RemotePath.withoutUser(address)] }),
            let entry = folder.index.entries.first(where: { $0.reference == reference })
        else { return }
        loading.http = loading.http.named(by: folder.provenance)
        let files = folder.index.entries.filter { !$0.isFolder }
        let references = Dictionary(files.map { ($0.name, $0.reference) }) { first, _ in first }
        loading.sidecars = ExternalSubtitleTrack.sidecars(of: entry.name, among: files.map(\.name)) { name in
            references[name].map { .url(address + $0) }
        }
    }
}
