import AetherCore
import AetherFormats
import AetherSources
import Synchronization

/// Reads directories and playlists for the browser, on threads of its own: a file system may not answer. What was found is taken by the
/// main thread after a wake; only the newest wish is answered.
final class DirectoryReader: Sendable {
    /// What was asked for.
    enum Wish: Sendable {
        case directory(DirectoryRequest)
        /// A playlist, or whatever the command line would take.
        case list(String)
    }
    /// What came of it.
    enum Find: Sendable {
        case directory(DirectoryAnswer)
        case items([Playlist.Item], Playlist.Place)
        case failed(MediaError)
    }
    private struct State {
        var number = 0
        var running = 0
        var waiting: Wish?
        var find: Find?
        /// What is to go into the list, one after the other: none of it takes another one's place.
        var additions: [(location: String, place: Playlist.Place)] = []
        var isAdding = false
        var added: [Find] = []
    }
    private let state = Mutex(State())
    private let wake: WakeHandle

    /// Four: with three that hang on dead servers, the person can still go elsewhere.
    private static let threads = 4

    /// `wake` is signalled when something was found.
    init(wake: WakeHandle) { self.wake = wake }

    /// Reads what is wished for; what was wished before is forgotten. Never blocks.
    func read(_ wish: Wish) {
        let number = state.withLock { state -> Int? in
            state.number += 1
            state.find = nil
            guard state.running < Self.threads else {
                state.waiting = wish
                return nil
            }
            state.running += 1
            state.waiting = nil
            return state.number
        }
        guard let number else { return }
        _ = WorkerThread(name: "browse", urgency: .ordinary) { [self] in work(wish, number) }
    }

    /// Reads what is to go into the list; all of it is, in the order in which it was wished for. Never blocks.
    func add(_ location: String, _ place: Playlist.Place) {
        let begins = state.withLock { state in
            state.additions.append((location, place))
            defer { state.isAdding = true }
            return !state.isAdding
        }
        guard begins else { return }
        _ = WorkerThread(name: "browse", urgency: .ordinary) { [self] in
            while let (location, place) = nextAddition() {
                var find = Self.find(.list(location))
                if case .items(let items, _) = find { find = .items(items, place) }
                state.withLock { $0.added.append(find) }
                wake.wake()
            }
        }
    }

    private func nextAddition() -> (String, Playlist.Place)? {
        state.withLock { state in
            if state.additions.isEmpty {
                state.isAdding = false
                return nil
            }
            return state.additions.removeFirst()
        }
    }

    /// What was found since; each once.
    func take() -> Find? {
        state.withLock { state in
            if !state.added.isEmpty { return state.added.removeFirst() }
            defer { state.find = nil }
            return state.find
        }
    }

    /// On the thread: the wish, and then the one that came when no thread was free.
    private func work(_ first: Wish, _ number: Int) {
        var next: (wish: Wish, number: Int)? = (first, number)
        while let (wish, number) = next {
            let find = Self.find(wish)
            let isWanted = state.withLock { state in
                next = state.waiting.map { ($0, state.number) }
                state.waiting = nil
                if next == nil { state.running -= 1 }
                guard state.number == number else { return false }
                state.find = find
                return true
            }
            if isWanted { wake.wake() }
        }
    }

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
