import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import Synchronization

/// The folders of web servers that were listed, so that subtitles and covers beside a file there are known without asking for every name they could
/// have. Shared by listing and playing; the oldest are forgotten.
final class WebFolders: Sendable {
    private struct State {
        var folders: [String: WebFolder.Listing] = [:]
        /// The oldest first.
        var order: [String] = []
    }
    private let state = Mutex(State())

    /// More than a person looks into between two videos.
    private static let limit = 32

    /// Keeps what a page says of a folder, which is known by its address with a slash at the end.
    func note(_ listing: WebFolder.Listing) {
        let key = RemotePath.withoutUser(listing.address.text)
        state.withLock { state in
            state.order.removeAll { $0 == key }
            state.order.append(key)
            state.folders[key] = listing
            if state.order.count > Self.limit { state.folders[state.order.removeFirst()] = nil }
        }
    }

    /// How a file of a listed folder is asked for, and the folder for what lies beside it. Anything else stays as it is.
    func attend(to location: MediaLocation, _ loading: inout LoadOptions) {
        guard case .url(let url) = location, let (address, reference) = RemotePath.parts(of: url),
            let listing = state.withLock({ $0.folders[RemotePath.withoutUser(address)] }),
            listing.index.entries.contains(where: { $0.reference == reference })
        else { return }
        loading.http = loading.http.named(by: listing.provenance)
        loading.folder = WebFolder(address, http: loading.http, known: listing)
    }
}
