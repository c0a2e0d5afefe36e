import AetherCore
import AetherEngine
import AetherSources
import Glibc

/// The places of the engine's sources in the list. A source that was replaced may still send news.
struct PlayedPlaces: Sendable {
    private struct Place: Sendable {
        let load: Int
        let advance: Int
        let index: Int
    }
    private var places: [Place] = []

    /// A load has a number of the engine's.
    mutating func note(load: Int, advance: Int, index: Int) {
        places = places.suffix(7) + [Place(load: load, advance: advance, index: index)]
    }

    /// The engine has gone on by itself.
    mutating func goOn(advance: Int, index: Int) { note(load: places.last?.load ?? 1, advance: advance, index: index) }

    /// Whether the news are of what was loaded last.
    func isLatest(_ news: PlaybackNews) -> Bool {
        places.last.map { ($0.load, $0.advance) == (news.load, news.advance) } ?? true
    }

    /// The place of what the news are of, from 0. The latest is where the list stands, which may have been sorted since.
    func index(of news: PlaybackNews, present: Int) -> Int {
        if isLatest(news) { return present }
        return places.last { ($0.load, $0.advance) == (news.load, news.advance) }?.index ?? present
    }
}

/// The outcome of playing the files.
extension PlayQueue {
    /// The place to go back to when a file that was chosen in the browser, or that the remote control loaded, cannot be played.
    struct Fallback: Sendable {
        let playlist: Playlist
        /// nil: a source that cannot be gone into begins where it is by now.
        var position: TimeSpan?
        var wantsToPlay: Bool
        let tally: PlayTally
        /// Before the next file of the new list is tried: a person chose that one file, and has not asked for the others.
        let comesFirst: Bool
        /// The player is going back to that place.
        var isTaken = false

        func apply(to loading: inout LoadOptions) {
            if let position { loading.start = .time(position) }
            loading.autoplay = wantsToPlay
        }
    }

    /// The turns of files since the last call, in the engine's order. To be followed by `follow` of a snapshot that is taken later.
    mutating func turns(of news: [PlaybackNews]) -> [PlayedTurn] {
        var turns: [PlayedTurn] = []
        for item in news {
            // Of a page it is not known yet whether something plays there.
            if case .failed(let error, _) = item.turn, wouldAsk(after: error) { continue }
            if item.turn == .began, places.isLatest(item) { fallback = nil }
            let index = places.index(of: item, present: playlist.index)
            turns.append(turn(item.turn, index: index, title: item.title))
        }
        return turns
    }

    /// The outcome of a page that was asked about, where that is not told yet.
    mutating func takePageTurn() -> PlayedTurn? {
        guard let failure = pageFailure else { return nil }
        pageFailure = nil
        // What played before goes on: a page that was none is no failure of the run.
        let kept = fallback?.isTaken == true ? tally : nil
        defer { if let kept { tally = kept } }
        return turn(.failed(failure, midway: false), index: playlist.index, title: "")
    }

    private mutating func turn(_ turn: PlaybackNews.Turn, index: Int, title: String) -> PlayedTurn {
        tally.note(turn)
        var name = title
        if playlist.items.indices.contains(index) {
            let item = playlist.items[index]
            name = !item.title.isEmpty ? item.title : title.isEmpty ? item.location.displayName : title
        }
        return PlayedTurn(number: index + 1, title: name, turn: turn)
    }

    /// A file that was not in the list is going to be played: the present one is kept in mind until that has begun.
    mutating func keepFallback(comesFirst: Bool = false) {
        let snapshot = engine.snapshot()
        switch snapshot.phase {
        case .playing, .paused, .seeking, .rebuffering, .stalled:
            let position = (snapshot.seekTarget ?? snapshot.position) - snapshot.startTime
            fallback = Fallback(
                playlist: playlist, position: snapshot.isSeekable ? max(.zero, position) : nil, wantsToPlay: snapshot.wantsToPlay,
                tally: tally, comesFirst: comesFirst)
        // A file that still waits for its turn leaves the fallback as it is.
        case .idle, .loading, .ended, .error: break
        }
    }

    /// Back to the file before one that cannot be played; false where there is nothing to go back to.
    mutating func fallBack() -> Bool {
        guard var fallback, !fallback.isTaken else { return false }
        (playlist, tally) = (fallback.playlist, fallback.tally)
        // A seek that was sent just before the load is in no snapshot of then.
        if let left = engine.snapshot().left { (fallback.position, fallback.wantsToPlay) = (left.position, left.wantsToPlay) }
        fallback.isTaken = true
        self.fallback = fallback
        return true
    }

    // MARK: - Pages

    /// Whether a failure says no more than that a page is to be asked about.
    func wouldAsk(after failure: MediaError) -> Bool {
        !hasAsked && Self.listed(playlist.current, after: failure) != nil
    }

    /// The address that may be a list: one that is no media, whatever WebDAV and shares do not give, for their folders have no bytes, or a folder
    /// of the web that gives no page.
    static func listed(_ location: MediaLocation, after failure: MediaError) -> String? {
        // A folder of a share or of a server of files has no bytes that are media either, and the server itself is no file.
        if case .url(let url) = location,
            ShareReader.opens(url) || !HTTPReader.reads(url) && HTTPReader.opens(url) && url.hasSuffix("/"),
            [.cannotOpen, .notMedia].contains(failure.code)
        {
            return url
        }
        // Its server may have pages of folders for people, too.
        if case .url(let url) = location, HTTPReader.isDAV(url), [.cannotOpen, .notMedia].contains(failure.code) { return url }
        if case .url(let url) = location, PageDesk.isAddress(url), failure.code == .cannotOpen, failure.cause == -EACCES,
            url.prefix(while: { $0 != "?" && $0 != "#" }).hasSuffix("/")
        {
            return url
        }
        return PageDesk.page(location, after: failure)
    }

    /// Whether what cannot be opened would be asked about when its turn comes.
    func isPage(_ location: MediaLocation, _ failure: MediaError) -> Bool {
        // Without yt-dlp, too: it may be a list.
        Self.listed(location, after: failure) != nil
    }
}
