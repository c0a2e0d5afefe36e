import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

/// Channels: what opens their panes, what they are told, and the numbers that are typed.
extension AppModel {
    /// News of the channels; returns what is to be done.
    mutating func take(_ news: TelevisionNews, _ now: HostTime) {
        switch news {
        case .list(let book):
            let former = scene.television
            var opened = Television(book)
            (opened.favourites, opened.clock) = (former?.favourites ?? [], former?.clock ?? opened.clock)
            opened.play(playlist.channel)
            scene.television = opened
            layers[GuideList.self] = nil
            if browser?.purpose == .play { browser = nil }
            layers[Channels.self] = Channels(opened)
        case .names(let names, let book):
            if scene.television?.book == book { scene.television?.names = names }
        case .guide(let guide, let book):
            guard scene.television?.book == book else { return }
            scene.television?.guide = guide
            scene.television?.awaitsGuide = false
        case .failed(let reason):
            scene.television?.awaitsGuide = false
            notify(reason.prefix(1).uppercased() + reason.dropFirst(), now)
        case .favourites(let keys): scene.television?.favourites = Set(keys)
        }
        refreshChannels()
    }

    /// The open panes follow what is known.
    private mutating func refreshChannels() {
        guard let television = scene.television else { return }
        layers[Channels.self]?.refresh(television)
        layers[GuideList.self]?.refresh(television)
        settle(Channels.self)
        settle(GuideList.self)
    }

    /// The clock of the wall, by which the guide goes.
    mutating func setClock(_ host: HostTime, _ wall: (unix: Int64, east: Int64)) {
        scene.bar.unix = wall.unix
        guard let former = scene.television?.clock else { return }
        scene.television?.clock = (host, wall.unix, wall.east)
        // The present programmes change with the minute.
        if former.unix / 60 != wall.unix / 60 { refreshChannels() }
    }

    // MARK: - Actions

    mutating func perform(channel action: PlayerAction, _ now: HostTime) -> [AppEffect] {
        guard let television = scene.television else {
            say(translated("No list of channels is open"), now)
            return []
        }
        switch action {
        case .toggleChannels:
            if !toggle(Channels(television)) { return [] }
            layers[GuideList.self] = nil
            settle(Channels.self)
        case .toggleGuide:
            guard layers[GuideList.self] == nil else {
                layers[GuideList.self] = nil
                return []
            }
            guard let channel = layers[Channels.self]?.channel ?? television.present ?? television.last else {
                say(translated("No channel plays"), now)
                return []
            }
            openGuide(channel)
        case .stepChannel(let count): return television.step(count).map { zap(to: $0, now) } ?? []
        case .lastChannel:
            guard let last = television.last else {
                say(translated("No channel was watched before"), now)
                return []
            }
            return zap(to: last, now)
        case .toggleMosaic: return toggleMosaic(television, now)
        case .toggleFavourite:
            if let channel = layers[Channels.self]?.channel ?? television.present { return toggleFavourite(channel, now) }
        default: break
        }
        return []
    }

    mutating func openGuide(_ channel: Int) {
        guard let television = scene.television else { return }
        layers[GuideList.self] = GuideList(channel, television)
        settle(GuideList.self)
    }

    /// Plays a channel, and says which.
    mutating func zap(to channel: Int, _ now: HostTime) -> [AppEffect] {
        guard let television = scene.television, channel >= 0, channel < television.book.list.count else { return [] }
        scene.television?.dropNumber()
        say(television.label(channel), now)
        layers[Channels.self]?.stand(on: channel)
        settle(Channels.self)
        return [.television(.play(channel))]
    }

    /// Plays the channel of a number.
    mutating func zap(toNumber number: Int, _ now: HostTime) -> [AppEffect] {
        guard let channel = scene.television?.book.list.index(ofNumber: number) else {
            say(translated("No channel \(number)"), now)
            return []
        }
        return zap(to: channel, now)
    }

    mutating func toggleFavourite(_ channel: Int, _ now: HostTime) -> [AppEffect] {
        guard let television = scene.television else { return [] }
        let key = television.book.memoryKey(channel), isOn = !television.isFavourite(channel)
        if isOn { scene.television?.favourites.insert(key) } else { scene.television?.favourites.remove(key) }
        let name = television.book.list.name(channel);
        say(isOn ? translated("\(name): a favourite") : translated("\(name): no favourite any more"), now)
        refreshChannels()
        return [.television(.keep(key, isOn))]
    }

    // MARK: - Numbers

    /// Whether a key belongs to a channel's number: a digit while a channel plays, or its pane is open, and what ends one.
    func takesNumber(_ stroke: KeyStroke) -> Bool {
        guard let television = scene.television else { return false }
        let isOpen = layers[Channels.self].map { !$0.isFinding } ?? false
        guard isOpen || layers.top(.list) == nil && television.present != nil && television.past == nil else { return false }
        if !television.typed.isEmpty, [.enter, .escape].contains(stroke.key) { return true }
        guard case .character(let digit) = stroke.key else { return false }
        return stroke.modifiers.isEmpty && digit.isASCII && digit.isNumber
    }

    /// Takes a key of a channel's number; nil: the key is another one's.
    mutating func typeNumber(_ stroke: KeyStroke, _ now: HostTime) -> [AppEffect]? {
        guard takesNumber(stroke), let television = scene.television else { return nil }
        if !television.typed.isEmpty {
            switch stroke.key {
            case .enter:
                return scene.television?.takeNumber(at: now, isDone: true).map { zap(toNumber: $0, now) } ?? []
            case .escape:
                scene.television?.dropNumber()
                message = nil
                return []
            default: break
            }
        }
        guard case .character(let digit) = stroke.key else { return nil }
        scene.television?.type(digit, now: now)
        say(translated("Channel \(scene.television?.typed ?? "")_"), stay: Television.typingPause, now)
        return []
    }

    /// The number counts when nothing more is typed.
    mutating func finishNumber(_ now: HostTime) -> [AppEffect] {
        guard let number = scene.television?.takeNumber(at: now) else { return [] }
        if layers[Channels.self] != nil { layers[Channels.self] = nil }
        return zap(toNumber: number, now) + [.redraw]
    }
}
