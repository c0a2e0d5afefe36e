import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// Looks whether an address that is no media is a list: a playlist, or a folder of a plain web server or of a share. One question at a time; the answer is
/// taken by the main thread after a wake.
final class ListDesk: Sendable {
    private struct Wish: Sendable {
        let url: String
        let item: Playlist.Item
        let http: HTTPOptions
    }

    enum Answer: Sendable, Equatable {
        /// The items in place of the one that was asked about.
        case items([Playlist.Item])
        /// The document is a list of channels; the first of them that can be opened.
        case channels(ChannelBook, Playlist.Item)
        /// The address is a folder of folders; the error where nobody can look around in it.
        case folders(MediaError)
        /// The document is no list.
        case nothing
        /// The document is a list from which nothing can be played.
        case failure(MediaError)
    }

    private struct State {
        var deadline: HostTime?
        var isGivenUp = false
    }

    private let requests: Requests<Wish, Answer>
    private let state = Monitor(State())
    private let time: any TimeSource

    /// 30 s, as for a page.
    static let patience = TimeSpan.seconds(30)
    /// Lists in lists.
    static let depthLimit = 8

    /// `wake` is signalled with each answer; folders that were listed are noted.
    init(folders: WebFolders, logins: LoginBook = LoginBook(), wake: WakeHandle, time: any TimeSource = SystemTime()) {
        self.time = time
        requests = Requests(name: "web-list", threads: 4, wake: { wake.wake() }) {
            { wish, turn in
                Self.answer(wish.url, logins.completed(wish.url), wish.item, wish.http, folders, turn)
            }
        }
    }

    /// Asks about an item's address; an earlier question is given up. Never blocks.
    func ask(_ url: String, _ item: Playlist.Item, http: HTTPOptions) {
        state.update { $0.deadline = time.now() + Self.patience }
        requests.ask(Wish(url: url, item: item, http: http.named(by: item.document)))
    }

    /// An answer is waited for.
    var isAsking: Bool { deadline != nil }

    /// The deadline of the question; nil while there is none.
    var deadline: HostTime? { state.read { $0.deadline } }

    /// The answer, once.
    func take() -> Answer? {
        let (deadline, isGivenUp) = state.read { ($0.deadline, $0.isGivenUp) }
        guard let deadline else { return nil }
        if isGivenUp {
            cancel()
            return .failure(MediaError(.cannotOpen, "play", reason: "the search for its kind was cancelled"))
        }
        let answer = requests.take() ?? (time.now() >= deadline ? .nothing : nil)
        if answer != nil { cancel() }
        return answer
    }

    /// Gives the question up, and says so in place of its answer.
    func giveUp() {
        guard isAsking else { return }
        requests.drop()
        state.update { $0.isGivenUp = true }
    }

    /// The answer is not wanted any more.
    func cancel() {
        state.update { ($0.deadline, $0.isGivenUp) = (nil, false) }
        requests.drop()
    }

    // MARK: - On a thread

    /// `address`: the one that was asked about, with name and password: nothing of that goes into the items.
    private static func answer(
        _ url: String, _ address: String, _ item: Playlist.Item, _ http: HTTPOptions, _ folders: WebFolders, _ turn: RequestTurn
    ) -> Answer {
        if ShareReader.opens(url) { return shared(url, address, item, turn) }
        let found: WebListReading.Find?
        do throws(IOReaderError) {
            found = try WebListReading(http: http, turn: turn).read(address)
        } catch {
            // Why it cannot be had was said when it was opened.
            Log.module("web-list").warning("\(Redaction.shown(url)): \(error)")
            return .nothing
        }
        guard let found else { return .nothing }
        guard item.depth < depthLimit else { return refusal(url, translated("lists in lists have no end there")) }
        if case .channels(let list) = found.list {
            let book = ChannelBook(
                list, source: found.address, document: found.provenance, allowsOther: found.allowsOther)
            guard let first = (0..<list.count).lazy.compactMap({ book.item($0) }).first else {
                return refusal(url, translated("no channel of the list can be opened from there"))
            }
            return .channels(book, first)
        }
        let items = items(found, asked: url, depth: item.depth + 1)
        if case .folder(let index, let address) = found.list {
            folders.note(WebFolder.Listing(index, at: address, found.provenance))
        }
        guard items.isEmpty else { return .items(items) }
        if case .folder(let index, _) = found.list { return refusal(url, of: index.entries.filter(\.isFolder).map(\.name)) }
        return refusal(url, nothingIn(found.list))
    }

    /// The answer about an address on a share.
    private static func shared(_ url: String, _ address: String, _ item: Playlist.Item, _ turn: RequestTurn) -> Answer {
        guard item.depth < depthLimit else { return refusal(url, translated("lists in lists have no end there")) }
        let items: [Playlist.Item]
        do throws(IOReaderError) {
            switch try ShareListReading(turn: turn).read(url, at: address) {
            case .folder(let files, let folders):
                if files.isEmpty { return refusal(url, of: folders) }
                items = files
            case .playlist(let entries):
                if entries.isEmpty { return refusal(url, translated("the playlist lists nothing that can be opened from there")) }
                items = entries
            case .channels(let list):
                let book = ChannelBook(list, source: url, document: nil, allowsOther: true)
                guard let first = (0..<list.count).lazy.compactMap({ book.item($0) }).first else {
                    return refusal(url, translated("no channel of the list can be opened from there"))
                }
                return .channels(book, first)
            case nil: return .nothing
            }
        } catch {
            Log.module("web-list").warning("\(Redaction.shown(url)): \(error)")
            return .nothing
        }
        return .items(
            items.map {
                var next = $0
                (next.depth, next.isInListedFolder) = (item.depth + 1, true)
                return next
            })
    }

    private static func refusal(_ url: String, _ reason: String) -> Answer {
        .failure(MediaError(.cannotOpen, "play", subject: url, reason: reason))
    }

    /// A folder without media files. Five names of the folders in it fit a line of a terminal.
    private static func refusal(_ url: String, of folders: [String]) -> Answer {
        guard !folders.isEmpty else { return refusal(url, nothing) }
        let names = folders.prefix(5).map { DisplayText.singleLine($0, limit: 40) }.joined(separator: ", ")
        let reason =
            folders.count > 5
            ? translated("\(nothing), but folders: \(names) and \(folders.count - 5) more")
            : translated("\(nothing), but folders: \(names)")
        return .folders(MediaError(.cannotOpen, "play", subject: url, reason: reason))
    }

    private static var nothing: String { translated("the directory holds no media files") }

    private static func nothingIn(_ list: WebList) -> String {
        switch list {
        case .playlist: translated("the playlist lists nothing that can be opened from there")
        case .channels: translated("no channel of the list can be opened from there")
        case .folder: nothing
        }
    }

    /// The items of a list. Pure.
    static func items(_ found: WebListReading.Find, asked url: String, depth: Int) -> [Playlist.Item] {
        switch found.list {
        case .channels: return []
        case .playlist(let entries):
            return entries.map { entry in
                var item = Playlist.item(entry, in: "")
                (item.document, item.depth) = (found.provenance, depth)
                return item
            }
        case .folder(let index, let address):
            let files = index.entries.filter { !$0.isFolder && DirectoryListing.isMediaName($0.name) }
            let folder = RemotePath.withUser(of: url, address.text)
            if let list = DiscLayout.list(among: index.entries.map { ($0.name, $0.isFolder) }) {
                let way = folder + list.map(ShareFolder.reference).joined(separator: "/")
                var disc = Playlist.Item(location: .url(way), title: MediaLocation.url(String(folder.dropLast())).displayName)
                (disc.document, disc.depth) = (found.provenance, depth)
                return [disc]
            }
            return NaturalOrder.order(of: files.map(\.name)).map { place in
                var item = Playlist.Item(location: .url(folder + files[place].reference), title: "")
                (item.document, item.depth, item.isInListedFolder) = (found.provenance, depth, true)
                return item
            }
        }
    }
}
