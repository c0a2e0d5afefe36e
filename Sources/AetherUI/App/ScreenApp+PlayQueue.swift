import AetherCore
import AetherEngine
import AetherSources

/// The way from file to file: what the person, the end of a file and wishes from outside make of the list.
extension ScreenApp {
    /// Other files in place of the list.
    mutating func play(_ items: [Playlist.Item], from index: Int) {
        guard !items.isEmpty else { return }
        let isFirst = queue.playlist.isEmpty
        queue.keepFallback(comesFirst: true)
        queue.playlist = Playlist(items: items, repeats: queue.playlist.repeats, from: index)
        update(.files(queue.playlist.names))
        openCurrent(carrying: isFirst ? nil : model.snapshot)
    }

    /// Another file of the list was asked for, and there is one or not. `stays`: what is paused stays so.
    mutating func leaf(_ isThere: Bool, stays: Bool = false) {
        guard isThere else { return update(.notice(translated("The list ends here"))) }
        openCurrent(carrying: model.snapshot, pauses: stays && model.snapshot.isPaused)
    }

    /// `carried` is what the person changed so far.
    private mutating func openCurrent(carrying former: EngineSnapshot?, pauses: Bool = false) {
        var carried = former
        // The channels beside it end with it. Its own sound comes back.
        if model.layers[Mosaic.self] != nil {
            update(.action(.toggleMosaic))
            carried = former == nil ? nil : model.snapshot
        }
        queue.open(carrying: carried, pauses: pauses)
        begun()
    }

    /// Another file of the list is played.
    mutating func begun() {
        let playlist = queue.playlist
        model.subtitles.afterSkipBack = .seconds(queue.options.subtitlesAfterSkipBack)
        update(.playlist(playlist.position))
        frames.begin(playlist.current, cache: Self.thumbnails(queue.options, player))
        recorder?.forget()
        lyrics.look(beside: playlist.current)
        queue.announceNext(carrying: model.snapshot)
    }

    /// More files for the list. Where nothing plays any more the first of them does.
    mutating func add(_ items: [Playlist.Item], _ place: Playlist.Place) {
        guard let first = items.first else { return }
        let isOver = model.snapshot.phase == .ended, count = queue.playlist.items.count
        if queue.playlist.take(items, place) {
            update(.files(queue.playlist.names))
            return openCurrent(carrying: nil)
        }
        followList()
        if isOver { return leaf(queue.playlist.go(to: place == .next ? queue.playlist.index + 1 : count)) }
        let name = first.title.isEmpty ? first.location.displayName : first.title
        let what =
            items.count == 1 ? name : translated(one: "\(items.count) file", other: "\(items.count) files", count: items.count)
        update(.answer(place == .next ? translated("Up next: \(what)") : translated("At the end of the list: \(what)")))
    }

    /// Another channel of a list, or what it showed.
    mutating func obey(_ request: TelevisionRequest) {
        switch request {
        case .playBeside(let channels):
            // A frame that stands is asked for once more, for its tile.
            refreshAt = time.now()
            return mosaic.open(channels.map { queue.beside($0, carrying: model.snapshot) })
        case .hear(let tile, let isMuted): return mosaic.hear(tile, isMuted: isMuted)
        case .logo(let channel): return logos.look(at: channel.flatMap { queue.logo(of: $0) })
        case .play, .playPast, .keep: break
        }
        switch queue.carryOut(request) {
        case .opened:
            update(.files([]))
            openCurrent(carrying: model.snapshot)
        case .refused(let reason): update(.notice(reason))
        case nil: break
        }
    }

    /// The engines beside the player's own end when the layer has gone, and say what becomes of them while it is there.
    mutating func followMosaic() {
        guard mosaic.isOpen else { return }
        guard let layer = model.layers[Mosaic.self] else {
            mosaic.close()
            // A frame that stands was made for a tile.
            refreshAt = time.now()
            return
        }
        let states = mosaic.states
        if states != layer.states { update(.mosaic(states)) }
    }

    /// Takes the news of the channels.
    mutating func takeChannels() {
        while let news = queue.takeNews() {
            update(.television(news))
            if case .list = news {
                model.scene.television?.awaitsGuide = queue.hasGuide
                model.setClock(time.now(), SystemText.wallClock)
            }
        }
    }

    /// The list has another order or other files; what plays goes on.
    mutating func followList() {
        model.playlist = queue.playlist.position
        update(.files(queue.playlist.names))
        queue.announceNext(carrying: model.snapshot)
    }

    /// The present file once more, as something has changed that kept it from opening.
    mutating func reopen() { openCurrent(carrying: model.snapshot) }

    /// The present file is over, or has failed. `isAsked`: the person was asked for a login already, and gave none.
    mutating func goOn(after failure: MediaError?, isAsked: Bool = false) {
        if !isAsked, let failure, let question = queue.loginQuestion(after: failure) { return obey(.find(question)) }
        if let turn = queue.takePageTurn() { surroundings.tell(turn) }
        switch queue.turn(after: failure) {
        case .asks: update(.waiting(PlayQueue.listingWords + translated("  Esc: cancel")))
        case .next:
            if queue.fallback != nil { update(.files(queue.playlist.names)) }
            openCurrent(carrying: model.snapshot)
            if let failure { update(.notice(failure.description)) }
        case .over:
            if staysForChannels(failure) || staysForBrowser(failure) { return }
            hasEnded = true
            outcome = .exit(queue.tally.status)
        }
    }

    /// A channel that ends or fails leaves the others: they are listed. false: none is open.
    private mutating func staysForChannels(_ failure: MediaError?) -> Bool {
        guard model.scene.television?.present != nil, queue.playlist.currentItem.channel != nil else { return false }
        if model.layers[Channels.self] == nil { update(.action(.toggleChannels)) }
        if let failure { update(.notice(failure.description)) }
        queue.tally = PlayTally()
        return true
    }

    /// The list is over. A person who looks for the next video, or began by looking for one, stays; false: the program ends.
    private mutating func staysForBrowser(_ failure: MediaError?) -> Bool {
        if beganInBrowser, model.browser == nil { update(.action(.browse)) }
        guard model.browser != nil else { return false }
        if let failure { update(.notice(failure.description)) }
        // A person who was told and chooses on has dealt with it.
        queue.tally = PlayTally()
        return true
    }

    /// A quality of the present page is loaded in place of another; false: it is none of a page's.
    mutating func changes(to quality: MediaVariant.ID?) -> Bool {
        guard let position = queue.change(to: quality, carrying: model.snapshot) else { return false }
        queue.announceNext(carrying: model.snapshot)
        update(.playlist(position))
        return true
    }

    /// Takes the outcome of a question about a page.
    mutating func takePage() {
        switch queue.takePage(carrying: model.snapshot) {
        case .opened(let position):
            update(.waiting(nil))
            begun()
            update(.playlist(position))
        case .failed(let text):
            update(.notice(text))
            goOn(after: MediaError(.notMedia, "play the page", reason: text))
        case .asking: update(.waiting(PlayQueue.askingWords + translated("  Esc: cancel")))
        case .listed:
            update(.waiting(nil))
            update(.files(queue.playlist.names))
            openCurrent(carrying: model.snapshot)
        case .folders:
            update(.waiting(nil))
            update(.playlist(queue.playlist.position))
            update(.files([]))
            beganInBrowser = true
            update(.noFile)
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
                snapshot: model.snapshot, playlist: queue.playlist, title: model.title, television: model.scene.television)
            if let order = surroundings.order(wish, properties, isPage: queue.isPage) { carryOut(order) }
        }
    }

    private mutating func carryOut(_ order: RemoteOrder) {
        switch queue.carryOut(order) {
        case .open:
            update(.files(queue.playlist.names))
            openCurrent(carrying: model.snapshot)
        case .end: leaf(false)
        case .listed: followList()
        case .tell(let messages): for message in messages { update(message) }
        case .act(let action): update(.action(action))
        case .say(let text): update(.notice(text))
        case .quit: outcome = .exit(queue.tally.status)
        }
        takeSnapshot()
    }
}
