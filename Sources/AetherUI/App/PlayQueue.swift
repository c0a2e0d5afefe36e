import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import AetherTerminal
import ArgumentParser

/// The queue of files that are played: the list, the settings that fit the present file, what was asked about it where it is a page, and what
/// the engine was told to go on to. The same with a screen and without.
struct PlayQueue {
    /// The step after a file that has ended or failed.
    enum Turn: Sendable, Equatable {
        /// The location may be a list, or a page with a video: that is being asked.
        case asks
        /// The list has gone on; its present file is to be opened.
        case next
        case over
    }

    /// The settings of the present file.
    private(set) var options: PlayerOptions
    var playlist: Playlist
    let player: App.Player
    let probe: ProbeEnvironment
    let engine: AetherEngine
    let surroundings: Surroundings
    private let pages: PageDesk
    private let lists: ListDesk
    /// The channels of a list, their names and their guide.
    let channels: TelevisionDesk
    /// The list of channels that is open.
    var book: ChannelBook?
    /// The channels that the engine reads along.
    var ready: [Int] = []
    /// The downloads of this run.
    let downloads: DownloadShelf
    /// The failure of an address that may be a list.
    private var unlisted: MediaError?
    let isPlain: Bool
    /// The media of the page that the list's present file is; nil: the present file is no page.
    private var page: PageDesk.Page?
    /// The list's present file is a page whose media is played.
    var isOfPage: Bool { page != nil }
    /// Once for each file.
    private(set) var hasAsked = false
    /// The ends of the files that were played.
    var tally = PlayTally()
    /// The places of the engine's loads in the list.
    var places = PlayedPlaces()
    /// The answer about a page was that nothing plays there: not told yet.
    var pageFailure: MediaError?
    /// The file that plays again where one that came in its place cannot be played.
    var fallback: Fallback?
    /// The settings that profiles for some files have lent to the present one.
    private var loans = ProfileLoans()
    /// The number of times that the engine has gone on by itself since the last load.
    private(set) var knownAdvances = 0
    private var complaints: [String] = []
    /// The servers whose logins were looked for in the keyring.
    var searchedServers: Set<String> = []

    /// The message while it is looked whether an address is a list.
    static var listingWords: String { translated("Not a media file: checking whether it is a playlist") }
    /// The message while a page is asked about.
    static var askingWords: String { translated("This is a page: yt-dlp is asked what plays there") }

    /// `options` are those of the list's present file. Nothing is loaded yet.
    init(
        _ playlist: Playlist, options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, engine: AetherEngine,
        surroundings: Surroundings, isPlain: Bool
    ) {
        self.playlist = playlist
        self.options = options
        self.player = player
        self.probe = probe
        self.engine = engine
        self.surroundings = surroundings
        self.isPlain = isPlain
        lists = ListDesk(folders: surroundings.webFolders, logins: surroundings.logins, wake: surroundings.wake)
        channels = TelevisionDesk(wake: surroundings.wake)
        downloads = DownloadShelf(wake: surroundings.wake)
        pages = PageDesk(path: player.environment["PATH"] ?? "", wake: surroundings.wake)
        // The first file may be under way by now.
        var loading = LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: nil)
        followLoans(&loading, isFirst: true)
        if let book = playlist.channels { open(book) }
    }

    /// The reasons why a profile cannot be followed; once.
    mutating func takeComplaints() -> [String] {
        defer { complaints = [] }
        return complaints
    }

    // MARK: - Opening

    /// Loads the present file of the list. `carried` is what the person changed so far. `pauses`: at its first frame.
    mutating func open(carrying carried: EngineSnapshot?, pauses: Bool = false) {
        pages.cancel()
        lists.cancel()
        hasAsked = false
        page = nil
        followProfiles()
        var loading = LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: carried)
        surroundings.giveBack(&loading)
        followLoans(&loading, isFirst: carried == nil)
        // Before the history is asked: it resumes a file that has no start yet.
        if let fallback, fallback.isTaken { fallback.apply(to: &loading) }
        surroundings.begin(playlist.currentItem, options, &loading)
        if pauses { loading.autoplay = false }
        let place = surroundings.logins.completed(playlist.current)
        surroundings.webFolders.attend(to: place, &loading)
        knownAdvances = 0
        places.note(load: engine.begin(.location(place), options: loading), advance: 0, index: playlist.index)
    }

    /// Brings what is carried from file to file together with what a profile says of the present one.
    private mutating func followLoans(_ loading: inout LoadOptions, isFirst: Bool) {
        let lent = player.settings.fileSettings(for: playlist.current, probe)
        if isFirst {
            loans = ProfileLoans()
            if !lent.isEmpty, let general { ProfileLoans.reset(&loading, to: general) }
        }
        loans.follow(&loading, lent: lent, options)
    }

    /// The options where no profile for some files counts; nil where they contradict themselves.
    private var general: PlayerOptions? {
        do {
            return try player.settings.options(for: nil, probe)
        } catch {
            return nil
        }
    }

    /// Loads what plays at the page that the list names; returns what the bar says of it.
    private mutating func open(_ page: PageDesk.Page, carrying carried: EngineSnapshot) -> PlaylistPosition {
        self.page = page
        let chosen = PageQuality(page)
        load(chosen, of: page, LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: carried))
        return position(of: page)
    }

    /// The present page's media in another quality, from the same place on; nil where it has no such quality.
    mutating func change(to quality: MediaVariant.ID?, carrying carried: EngineSnapshot) -> PlaylistPosition? {
        guard let page, let chosen = page.formats.qualities.first(where: { $0.variant.id == quality }) else { return nil }
        var loading = LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: carried)
        let place = (carried.seekTarget ?? carried.position) - carried.startTime
        if carried.isSeekable { loading.start = .time(max(.zero, place)) }
        loading.autoplay = carried.wantsToPlay
        load(chosen, of: page, loading)
        return position(of: page)
    }

    private mutating func load(_ quality: PageQuality, of page: PageDesk.Page, _ options: LoadOptions) {
        var loading = options
        loading.http = loading.http.adding(quality.headers)
        if let audio = quality.audio { loading.externalAudio.append(ExternalAudioTrack(.url(audio), name: "")) }
        loading.supplement.chapters = page.chapters
        (loading.supplement.cover, loading.supplement.storyboard) = (page.images.cover, page.images.storyboard)
        loading.supplement.variants = page.formats.qualities.map(\.variant)
        loading.supplement.activeVariant = quality.variant.id
        knownAdvances = 0
        places.note(load: engine.begin(.location(.url(quality.url)), options: loading), advance: 0, index: playlist.index)
    }

    private func position(of page: PageDesk.Page) -> PlaylistPosition {
        var position = playlist.position
        if position.title.isEmpty { position.title = page.title }
        return position
    }

    /// Another file may be another profile's. What was said at the start of the program (renderer, theme) stays.
    private mutating func followProfiles() {
        do {
            options = try player.settings.options(for: playlist.current, probe)
        } catch {
            // Each value was checked alone; together they may contradict each other, as --start and --end do.
            complaints.append(PlayerOptions.message(for: error))
        }
    }

    // MARK: - Going on

    /// Whether the engine has gone on to what was announced: the list has followed.
    mutating func follow(_ snapshot: EngineSnapshot) -> Bool {
        guard snapshot.advances > knownAdvances else { return false }
        knownAdvances = snapshot.advances
        guard playlist.advance(afterFailure: false) else { return false }
        hasAsked = false
        page = nil
        places.goOn(advance: knownAdvances, index: playlist.index)
        surroundings.goOn(to: playlist.currentItem)
        followProfiles()
        var loading = LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: snapshot)
        followLoans(&loading, isFirst: false)
        return true
    }

    /// Tells the engine what follows, so that a song joins the one before it without a gap, and a video that is repeated its own end.
    mutating func announceNext(carrying snapshot: EngineSnapshot?) {
        // A file with a start offset is opened again, because the engine would go to the start of the file; without a screen, too, which
        // says so.
        let isWhole = options.start == nil
        engine.send(.setRepeating(playlist.repeats == .file && isWhole && !isPlain))
        // Another profile's audio needs a beginning of its own: what joins has the volume, the speed and the delay of what it joins.
        guard let next = playlist.following, next.location != .standardInput,
            loans.areKept(by: next.location, player.settings, probe)
        else { return engine.setNext(nil) }
        do {
            let options = try player.settings.options(for: next.location, probe)
            var loading = LoadOptions(options, isPlain: isPlain, item: next, carried: snapshot)
            let place = surroundings.logins.completed(next.location)
            surroundings.webFolders.attend(to: place, &loading)
            engine.setNext(.location(place), options: loading)
        } catch {
            // The error is told when that file is loaded.
            engine.setNext(nil)
        }
    }

    /// A file has come to its end, or has failed.
    mutating func turn(after failure: MediaError?) -> Turn {
        if let failure, asks(after: failure) { return .asks }
        if failure != nil, fallback?.comesFirst ?? false, fallBack() { return .next }
        if playlist.advance(afterFailure: failure != nil) { return .next }
        return failure != nil && fallBack() ? .next : .over
    }

    // MARK: - Pages

    /// Asks whether a location that is no media is a list, and then whether it is a page with some; true: the question is under way.
    private mutating func asks(after failure: MediaError) -> Bool {
        guard wouldAsk(after: failure), let url = Self.listed(playlist.current, after: failure) else { return false }
        hasAsked = true
        unlisted = failure
        lists.ask(url, playlist.currentItem, http: HTTPOptions(options.network))
        return true
    }

    /// The file is no list: is it a page?
    private mutating func askPage() -> PageNews? {
        guard let failure = unlisted else { return nil }
        unlisted = nil
        guard !options.noYtdl, let url = PageDesk.page(playlist.current, after: failure) else {
            pageFailure = failure
            return .refused(failure)
        }
        pages.ask(url, format: options.ytdlFormat ?? PageDesk.usualFormat, http: HTTPOptions(options.network))
        return .asking
    }

    /// The outcome of the question.
    enum PageNews: Sendable, Equatable {
        /// The video is being opened; what the bar says of it.
        case opened(PlaylistPosition)
        /// A sentence for the person.
        case failed(String)
        /// The file is a list, whose items stand in its place: the first of them is to be opened.
        case listed
        /// The file is no list; yt-dlp is being asked.
        case asking
        /// The only thing to play is a folder of folders, to be looked around in.
        case folders(String)
        /// The file is nothing that can be played.
        case refused(MediaError)
    }

    /// The answer about a page, once.
    mutating func takePage(carrying snapshot: EngineSnapshot) -> PageNews? {
        switch lists.take() {
        case .channels(let book, let first):
            playlist.unfold(into: [first])
            open(book)
            return .listed
        case .items(let items):
            playlist.unfold(into: items)
            return .listed
        case .folders(let error):
            if !isPlain, playlist.items.count == 1, fallback == nil, case .url(let url) = playlist.current {
                playlist = Playlist(folder: url, repeats: playlist.repeats)
                return .folders(url)
            }
            pageFailure = error
            return .refused(error)
        case .nothing: return askPage()
        case .failure(let error):
            pageFailure = error
            return .refused(error)
        case nil: break
        }
        switch pages.take() {
        case .page(let page): return .opened(open(page, carrying: snapshot))
        case .failure(let text):
            pageFailure = MediaError(.notMedia, "play the page", reason: text)
            return .failed(text)
        case nil: return nil
        }
    }

    /// The answer is not wanted any more.
    func giveUp() {
        pages.giveUp()
        lists.giveUp()
    }

    /// An address is being asked about.
    var isAsking: Bool { lists.isAsking || pages.isAsking }

    /// The deadline of the question; nil while there is none.
    var deadline: HostTime? { [lists.deadline ?? pages.deadline, channels.deadline].compactMap { $0 }.min() }

    /// Gives up what is asked, and waits until the program that was is gone, for at most so long.
    func close(within span: TimeSpan) {
        lists.cancel()
        downloads.stop()
        pages.close(within: span)
    }
}
