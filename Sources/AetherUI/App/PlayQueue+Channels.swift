import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources

/// Channels of a list: one of them is the list's present file.
extension PlayQueue {
    /// A list of channels was opened.
    mutating func open(_ book: ChannelBook) {
        self.book = book
        surroundings.expectFavourites()
        channels.begin(book, guide: options.epg.map { HomePath.expanded($0) }, http: HTTPOptions(options.network))
    }

    /// The next news of the channels; each once.
    func takeNews() -> TelevisionNews? {
        if let favourites = surroundings.takeFavourites() { return .favourites(favourites) }
        return channels.take()
    }

    /// Whether a guide is to be expected.
    var hasGuide: Bool { channels.hasGuide }

    /// Carries out a request; nil: nothing else is to be played. A sentence says why a channel cannot be.
    mutating func carryOut(_ request: TelevisionRequest) -> ChannelTurn? {
        guard let book else { return nil }
        switch request {
        case .playBeside, .hear, .logo: return nil
        case .keep(let key, let isOn):
            surroundings.keep(favourite: key, isOn)
            return nil
        case .play(let channel): return turn(to: book.item(channel), book.list.name(channel))
        case .playPast(let channel, let queue):
            let now = SystemText.wallClock.unix
            if let catchup = book.list.channel(channel).catchup, !catchup.reaches(queue.start, now: now) {
                return .refused(translated("\(book.list.name(channel)) keeps nothing from so long ago"))
            }
            guard let item = book.pastItem(channel, queue, now: now) else {
                return .refused(translated("\(book.list.name(channel)) cannot be seen again: the list says nothing of its past"))
            }
            return turn(to: item, book.list.name(channel))
        }
    }

    /// A channel that is played beside the present one, with its settings and unheard; nil where its address may not be opened. It is small and
    /// only looked at: nothing of its past is kept, and one thread decodes it.
    func beside(_ channel: Int, carrying present: EngineSnapshot) -> (MediaLocation, LoadOptions)? {
        guard let item = book?.item(channel) else { return nil }
        var loading = LoadOptions(options, isPlain: false, item: item, carried: present)
        (loading.start, loading.end, loading.leastWindow, loading.recording) = (nil, nil, nil, nil)
        (loading.timeShift, loading.cacheBytes, loading.decoderThreads) = (TimeShiftOptions(), 0, 1)
        (loading.externalSubtitles, loading.externalAudio) = ([], [])
        (loading.findsSubtitleFiles, loading.surveysSubtitles, loading.recognisesImages) = (false, false, false)
        loading.settings.apply(.muted(true))
        return (item.location, loading)
    }

    /// Has the engine read along the channels that are likely next, once the present one plays.
    mutating func keepReady(beside television: Television?, _ snapshot: EngineSnapshot) {
        guard options.readyChannels > 0 || !ready.isEmpty else { return }
        let likely = television?.likelyNext(options.readyChannels) ?? []
        // What is to be seen first has the link for itself.
        guard likely != ready, likely.isEmpty || snapshot.phase == .playing else { return }
        ready = likely
        engine.keepReady(likely.compactMap { book?.item($0) }.map { (.location($0.location), loading($0, carrying: snapshot)) })
    }

    /// The options that a channel of the list would be loaded with.
    private mutating func loading(_ item: Playlist.Item, carrying snapshot: EngineSnapshot) -> LoadOptions {
        do {
            let options = try player.settings.options(for: item.location, probe)
            return LoadOptions(options, isPlain: isPlain, item: item, carried: snapshot)
        } catch {
            // The error is told when the channel is played.
            return LoadOptions(options, isPlain: isPlain, item: item, carried: snapshot)
        }
    }

    /// The address of a channel's logo, with the options by which it is fetched; nil for none.
    func logo(of channel: Int) -> ChannelLogos.Wish? {
        guard let book, let address = book.logo(channel) else { return nil }
        return ChannelLogos.Wish(address: address, http: HTTPOptions(options.network).named(by: book.document))
    }

    private mutating func turn(to item: Playlist.Item?, _ name: String) -> ChannelTurn {
        guard let item else { return .refused(translated("\(name) leads to an address that this list may not name")) }
        playlist = Playlist(items: [item], repeats: playlist.repeats)
        return .opened
    }

    /// The outcome of a request for another channel.
    enum ChannelTurn: Sendable, Equatable {
        /// The channel is the list's present file: to be opened.
        case opened
        /// A sentence for the person.
        case refused(String)
    }
}
