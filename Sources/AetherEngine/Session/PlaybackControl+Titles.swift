import AetherCore
import AetherMedia

extension PlaybackControl {
    /// Another program or edition of the source is played from now on: what can be chosen is its own. Files of subtitles stay.
    mutating func enter(_ id: Int) {
        guard let session, let info = session.info, let title = info.titles.first(where: { $0.id == id }) else { return }
        switch title.kind {
        case .program: break
        case .edition: return enter(edition: title)
        case .disc: return open(discTitle: title)
        }
        let choice = session.choice(of: title, in: info)
        let video = machine.shape.hasVideo ? choice.video : nil
        session.select(title, of: info, video: video)
        if video == nil { sink.clear() }
        let external = subtitleTracks.filter { $0.id.origin == .external }
        subtitleTracks = info.tracks(.subtitle, of: title) + external
        let tracks = subtitleTracks
        publish { state in
            state.snapshot.enter(title, of: info)
            state.snapshot.subtitleTracks = tracks
            state.snapshot.show(video, of: info)
            state.snapshot.activeAudioTrack = choice.audio
        }
        showOnAir()
        let isKept = activeSubtitle.map { active in external.contains { $0.id == active } } ?? hasChosenSubtitle
        if !isKept { perform(.selectSubtitle(ownChoice(session.options))) }
        perform(.selectSecondarySubtitle(nil))
    }

    /// Of an edition only the chapters are its own, and what is played when.
    private mutating func enter(edition title: TitleInfo) {
        publish { state in
            state.snapshot.activeTitle = title.id
            state.snapshot.chapters = title.chapters ?? []
        }
        tellOfLinks(title)
    }

    /// The source anew, for another title: nothing that was chosen of the former one's streams is kept.
    private mutating func open(discTitle title: TitleInfo) {
        if playsByMenu(title: title.id) { return }
        guard var (source, options) = origin else { return }
        if case .custom(let reader, let name) = source {
            guard let own = reader.makeIndependentReader() else {
                return notice(translated("this source cannot be read once more"))
            }
            source = .custom(own, name: name)
        }
        (options.title, options.start, options.end, options.part) = (title.id, nil, nil, nil)
        (options.autoplay, options.settings) = (machine.wantsToPlay, machine.settings)
        let following = next
        load(loadNumber, source, options)
        next = following
    }

    /// Parts that lie in other files are named once, where an edition that wants it begins to play.
    mutating func tellOfLinks(_ title: TitleInfo?) {
        guard let count = title?.linkedCount, count > 0 else { return }
        notice(
            count == 1
                ? "a part of this edition is in another file: left out"
                : "\(count) parts of this edition are in other files: left out")
    }
}
