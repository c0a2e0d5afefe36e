import AetherCore
import AetherEngine
import AetherSources

/// The way from file to file: what the person, the end of a file and wishes from outside make of the list.
extension ScreenApp {
    /// Other files in place of the list.
    mutating func play(_ items: [Playlist.Item], from index: Int) {
        guard !items.isEmpty else { return }
        let isFirst = programme.playlist.isEmpty
        programme.keepFallback(comesFirst: true)
        programme.playlist = Playlist(items: items, repeats: programme.playlist.repeats, from: index)
        update(.files(programme.playlist.names))
        openCurrent(carrying: isFirst ? nil : model.snapshot)
    }

    /// Another file of the list was asked for, and there is one or not. `stays`: what is paused stays so.
    mutating func leaf(_ isThere: Bool, stays: Bool = false) {
        guard isThere else { return update(.notice("The list ends here")) }
        openCurrent(carrying: model.snapshot, pauses: stays && model.snapshot.isPaused)
    }

    /// `carried` is what the person changed so far.
    private mutating func openCurrent(carrying carried: EngineSnapshot?, pauses: Bool = false) {
        programme.open(carrying: carried, pauses: pauses)
        begun()
    }

    /// Another file of the list is played.
    mutating func begun() {
        let playlist = programme.playlist
        model.subtitles.afterSkipBack = .seconds(programme.options.subtitlesAfterSkipBack)
        update(.playlist(playlist.position))
        frames.begin(playlist.current, cache: Self.thumbnails(programme.options, player))
        recorder?.forget()
        lyrics.look(beside: playlist.current)
        programme.announceNext(carrying: model.snapshot)
    }

    /// More files for the list. Where nothing plays any more the first of them does.
    mutating func add(_ items: [Playlist.Item], _ place: Playlist.Place) {
        guard let first = items.first else { return }
        let isOver = model.snapshot.phase == .ended, count = programme.playlist.items.count
        if programme.playlist.take(items, place) {
            update(.files(programme.playlist.names))
            return openCurrent(carrying: nil)
        }
        followList()
        if isOver { return leaf(programme.playlist.go(to: place == .next ? programme.playlist.index + 1 : count)) }
        let name = first.title.isEmpty ? first.location.displayName : first.title
        let what = items.count == 1 ? name : "\(items.count) files"
        update(.answer((place == .next ? "Up next: " : "At the end of the list: ") + what))
    }

    /// Another channel of a list, or what it showed.
    mutating func obey(_ request: TelevisionRequest) {
        switch programme.carryOut(request) {
        case .opened:
            update(.files([]))
            openCurrent(carrying: model.snapshot)
        case .refused(let reason): update(.notice(reason))
        case nil: break
        }
    }

    /// Takes the news of the channels.
    mutating func takeChannels() {
        while let news = programme.takeNews() {
            update(.television(news))
            if case .list = news {
                model.scene.television?.awaitsGuide = programme.hasGuide
                model.setClock(time.now(), SystemText.wallClock)
            }
        }
    }

    /// The list has another order or other files; what plays goes on.
    mutating func followList() {
        model.playlist = programme.playlist.position
        update(.files(programme.playlist.names))
        programme.announceNext(carrying: model.snapshot)
    }

    /// The present file is over, or has failed.
    mutating func goOn(after failure: MediaError?) {
        if let turn = programme.takePageTurn() { surroundings.tell(turn) }
        switch programme.turn(after: failure) {
        case .asks: update(.waiting(Programme.listingWords + "  Esc: cancel"))
        case .next:
            if programme.fallback != nil { update(.files(programme.playlist.names)) }
            openCurrent(carrying: model.snapshot)
            if let failure { update(.notice(failure.description)) }
        case .over:
            if staysForChannels(failure) || staysForBrowser(failure) { return }
            hasEnded = true
            outcome = .exit(programme.tally.status)
        }
    }

    /// A channel that ends or fails leaves the others: they are listed. false: none is open.
    private mutating func staysForChannels(_ failure: MediaError?) -> Bool {
        guard model.scene.television?.present != nil, programme.playlist.currentItem.channel != nil else { return false }
        if model.layers[Channels.self] == nil { update(.action(.toggleChannels)) }
        if let failure { update(.notice(failure.description)) }
        programme.tally = PlayTally()
        return true
    }

    /// The list is over. A person who looks for the next video, or began by looking for one, stays; false: the program ends.
    private mutating func staysForBrowser(_ failure: MediaError?) -> Bool {
        if beganInBrowser, model.browser == nil { update(.action(.browse)) }
        guard model.browser != nil else { return false }
        if let failure { update(.notice(failure.description)) }
        // A person who was told and chooses on has dealt with it.
        programme.tally = PlayTally()
        return true
    }

    /// A quality of the present page is loaded in place of another; false: it is none of a page's.
    mutating func changes(to quality: MediaVariant.ID?) -> Bool {
        guard let position = programme.change(to: quality, carrying: model.snapshot) else { return false }
        programme.announceNext(carrying: model.snapshot)
        update(.playlist(position))
        return true
    }

    /// Takes the outcome of a question about a page.
    mutating func takePage() {
        switch programme.takePage(carrying: model.snapshot) {
        case .opened(let position):
            update(.waiting(nil))
            begun()
            update(.playlist(position))
        case .failed(let text):
            update(.notice(text))
            goOn(after: MediaError(.notMedia, "play the page", reason: text))
        case .asking: update(.waiting(Programme.askingWords + "  Esc: cancel"))
        case .listed:
            update(.waiting(nil))
            update(.files(programme.playlist.names))
            openCurrent(carrying: model.snapshot)
        case .refused(let error):
            update(.waiting(nil))
            goOn(after: error)
        case nil: break
        }
    }

    // MARK: - Wishes from outside

    mutating func obey() {
        for wish in surroundings.takeWishes() {
            let properties = RemoteProperties(
                snapshot: model.snapshot, playlist: programme.playlist, title: model.title, television: model.scene.television)
            if let order = surroundings.order(wish, properties, isPage: programme.isPage) { carryOut(order) }
        }
    }

    private mutating func carryOut(_ order: RemoteOrder) {
        switch programme.carryOut(order) {
        case .open:
            update(.files(programme.playlist.names))
            openCurrent(carrying: model.snapshot)
        case .end: leaf(false)
        case .listed: followList()
        case .tell(let messages): for message in messages { update(message) }
        case .act(let action): update(.action(action))
        case .say(let text): update(.notice(text))
        case .quit: outcome = .exit(programme.tally.status)
        }
        takeSnapshot()
    }
}
