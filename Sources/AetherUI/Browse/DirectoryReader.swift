import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// Reads directories and playlists for the browser, on threads of its own: a file system may not answer. What was found is taken by the
/// main thread after a wake.
final class DirectoryReader: Sendable {
    /// A directory or a list that is to be read.
    enum Wish: Sendable {
        case directory(DirectoryRequest)
        /// A playlist, or whatever the command line would take.
        case list(String)
    }
    /// The answer to a wish.
    enum Find: Sendable {
        case directory(DirectoryAnswer)
        case items([Playlist.Item], Playlist.Place)
        case failed(MediaError)
    }
    private struct Addition: Sendable {
        let location: String
        let place: Playlist.Place
    }

    /// The directories that the person looks at. Four threads: with three that hang on dead servers, the person can still go elsewhere.
    private let looks: Requests<Wish, Find>
    /// Items for the list, one after the other: none of them takes another one's place.
    private let additions: Requests<Addition, Find>

    /// More than a person adds by hand while one list is read.
    private static let additionLimit = 1000

    /// `wake` is signalled when something was found.
    /// `http`: how web servers are spoken to; folders of theirs that were listed are noted in `folders`. `logins`: the servers that the person
    /// has written down, and who the person is there.
    init(
        wake: WakeHandle, http: HTTPOptions = HTTPOptions(), folders: WebFolders = WebFolders(), logins: LoginBook = LoginBook()
    ) {
        looks = Requests(name: "browse", threads: 4, wake: { wake.wake() }) {
            { wish, turn in
                guard case .directory(let request) = wish, RemotePath.isRemote(request.path) else { return Self.find(wish) }
                var listing: DirectoryAnswer.Listing
                if request.path == RemotePath.shares {
                    listing = .read(logins.shares.map(Self.entry), isCut: false)
                } else if ShareReader.opens(request.path) {
                    listing = Self.listing(ofShare: request, logins.completed(request.path), turn)
                } else {
                    listing = Self.listing(of: request.path, logins.completed(request.path), http, folders, turn)
                }
                return .directory(DirectoryAnswer(request: request, listing: listing))
            }
        }
        additions = Requests(name: "browse", order: .each(limit: Self.additionLimit), wake: { wake.wake() }) {
            { addition, _ in
                let find = Self.find(.list(addition.location))
                if case .items(let items, _) = find { return .items(items, addition.place) }
                return find
            }
        }
    }

    /// Reads what is wished for; the wish before is forgotten. Never blocks.
    func read(_ wish: Wish) { looks.ask(wish) }

    /// Reads items for the list; all of them are added, in the order of the wishes. Never blocks.
    func add(_ location: String, _ place: Playlist.Place) { additions.ask(Addition(location: location, place: place)) }

    /// The next answer; each once.
    func take() -> Find? { additions.take() ?? looks.take() }

    /// Blocks on the file system.
    static func find(_ wish: Wish) -> Find {
        switch wish {
        case .directory(let request): return .directory(DirectoryAnswer(request: request, listing: listing(of: request)))
        case .list(let location):
            do throws(MediaError) {
                return .items(try Playlist(arguments: [location]).items, .instead)
            } catch {
                return .failed(error)
            }
        }
    }

    /// The page of a web server's folder. Blocks on the network.
    private static func listing(
        of path: String, _ address: String, _ http: HTTPOptions, _ folders: WebFolders, _ turn: RequestTurn
    ) -> DirectoryAnswer.Listing {
        let name = DisplayText.singleLine(RemotePath.readable(path), limit: 200)
        do throws(IOReaderError) {
            let found = try WebListReading(http: http, turn: turn).read(RemotePath.folder(address))
            guard let found, case .folder(let index, let address) = found.list else {
                return .failed(translated("cannot read \(name): the server lists no folder there"))
            }
            folders.note(WebFolder.Listing(index, at: address, found.provenance))
            let wanted = index.entries.filter { $0.isFolder || isListed($0.name) }
            let sorted = NaturalOrder.order(of: wanted.map(\.name)).map { wanted[$0] }
            return .read((sorted.filter(\.isFolder) + sorted.filter { !$0.isFolder }).map(entry), isCut: index.isCut)
        } catch {
            return failed(path, address, error)
        }
    }

    /// A folder of a share, or the shares of a server. Blocks on the server.
    private static func listing(ofShare request: DirectoryRequest, _ address: String, _ turn: RequestTurn)
        -> DirectoryAnswer.Listing
    {
        let folder = ShareFolder(address)
        turn.onDrop { folder.cancel() }
        do throws(IOReaderError) {
            let contents = try folder.contents(
                limit: DirectoryContents.limit, includesHidden: request.showsHidden, where: isListed)
            return .read(contents.entries.map { entry($0, name: ShareFolder.reference($0.name)) }, isCut: contents.isCut)
        } catch {
            return failed(request.path, address, error)
        }
    }

    private static func failed(_ path: String, _ address: String, _ error: IOReaderError) -> DirectoryAnswer.Listing {
        let name = DisplayText.singleLine(RemotePath.readable(path), limit: 200)
        guard case .network(let fault) = error else { return .failed(translated("cannot read \(name)")) }
        let words = translated("cannot read \(name): \(fault.sentence(asked: address))")
        return fault.asksForLogin ? .loginRefused(words) : .failed(words)
    }

    private static func entry(_ share: SavedShare) -> Browser.Entry {
        Browser.Entry(.directory, name: share.address, label: share.name)
    }

    /// Whether a file is listed: media and playlists; also of names that begin with a point, where such are asked for.
    private static func isListed(_ name: String) -> Bool {
        let seen = String(name.drop { $0 == "." })
        return DirectoryListing.isMediaName(seen) || PlaylistDocument.Format(fileName: seen) != nil || DiscLayout.isList(seen)
    }

    private static func entry(_ entry: WebIndex.Entry) -> Browser.Entry {
        let isList = PlaylistDocument.Format(fileName: entry.name) != nil
        return Browser.Entry(
            entry.isFolder ? .directory : isList ? .playlist : .media, name: entry.reference, label: entry.name,
            bytes: entry.bytes ?? 0, changed: entry.changed.map(FileDate.init))
    }

    private static func listing(of request: DirectoryRequest) -> DirectoryAnswer.Listing {
        let path = request.path
        do throws(IOReaderError) {
            let contents = try DirectoryContents(of: path, includesHidden: request.showsHidden, where: isListed)
            return .read(contents.entries.map { entry($0, name: $0.name) }, isCut: contents.isCut)
        } catch {
            let name = DisplayText.singleLine(path, limit: 200)
            guard case .posix(let number) = error else { return .failed(translated("cannot read \(name)")) }
            return .failed(translated("cannot read \(name): \(SystemText.error(number))"))
        }
    }

    /// `name`: as the path of the entry has it.
    static func entry(_ entry: DirectoryContents.Entry, name: String) -> Browser.Entry {
        let isList = PlaylistDocument.Format(fileName: entry.name) != nil
        return Browser.Entry(
            entry.isDirectory ? .directory : isList ? .playlist : .media, name: name, label: entry.name, bytes: entry.bytes,
            changed: entry.changed)
    }
}
