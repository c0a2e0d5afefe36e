import AetherCore
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
    init(wake: WakeHandle) {
        looks = Requests(name: "browse", threads: 4, wake: { wake.wake() }) { { wish, _ in Self.find(wish) } }
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
        case .directory(let request): return .directory(DirectoryAnswer(request: request, listing: listing(of: request.path)))
        case .list(let location):
            do throws(MediaError) {
                return .items(try Playlist(arguments: [location]).items, .instead)
            } catch {
                return .failed(error)
            }
        }
    }

    private static func listing(of path: String) -> DirectoryAnswer.Listing {
        do throws(IOReaderError) {
            let contents = try DirectoryContents(of: path) {
                DirectoryListing.isMediaName($0) || PlaylistDocument.Format(fileName: $0) != nil
            }
            return .read(contents.entries.map(entry), isCut: contents.isCut)
        } catch {
            let name = DisplayText.singleLine(path, limit: 200)
            guard case .posix(let number) = error else { return .failed("cannot read \(name)") }
            return .failed("cannot read \(name): \(SystemText.error(number))")
        }
    }

    static func entry(_ entry: DirectoryContents.Entry) -> Browser.Entry {
        let isList = PlaylistDocument.Format(fileName: entry.name) != nil
        return Browser.Entry(
            entry.isDirectory ? .directory : isList ? .playlist : .media, name: entry.name, bytes: entry.bytes,
            changed: entry.changed)
    }
}
