import AetherCore
import AetherEngine
import AetherTerminal

/// The upper row of the bar, laid out: the title and the present chapter at the left; at the right what the file is (badges), what is
/// selected, and the volume. What there is no room for is left out, the least telling first; a title is cut only when nothing else is left
/// to go but what is selected.
struct TitleRow {
    /// A word of the right side, and what a click on it does.
    struct Word {
        /// A lower rank stays longer when room is short.
        let rank: Int
        var text: String
        let action: PlayerAction?
        /// On a ground of its own, a cell wider than its text on both sides.
        var isBadge = false
        var column = 0
    }

    let title: String
    let role: ThemeRole
    /// Behind the title, where all of it fits.
    let chapter: (text: String, column: Int)?
    let words: [Word]

    private static let gap = 2
    /// From this rank on a word gives way to the title and the chapter.
    private static let badge = 5

    /// The row of a bar of so many columns.
    init(_ scene: Scene, columns: Int) {
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let room = columns - 2
        let message = scene.message
        let text = message.map { glyphs.shown($0.text) } ?? Self.titleText(scene, glyphs)
        role = message.map { $0.isNotice ? .barNotice : .barMessage } ?? .barTitle
        let wanted = ChromeText.columns(of: text)
        // A notice is worth more than the details, a title gives way down to a third of the bar.
        let reserved = message == nil ? min(wanted, max(16, room / 3)) : min(wanted, room)
        let shown = Self.words(scene).map { word in
            // Without colours a badge has no ground: it is a word like others.
            let isBadge = word.rank >= Self.badge && scene.capabilities.hasColor, text = glyphs.shown(word.text)
            return Word(rank: word.rank, text: isBadge ? " \(text) " : text, action: word.action, isBadge: isBadge)
        }
        var kept = Self.fitting(shown.filter { $0.rank < Self.badge }, into: room - reserved - Self.gap)
        let chapterText = message == nil ? Self.chapterText(scene, glyphs) : ""
        let chapterColumns = ChromeText.columns(of: chapterText)
        let free = room - wanted - Self.gap - Self.columns(kept)
        let hasChapter = chapterColumns > 0 && chapterColumns + Self.gap <= free
        // Badges only beside a whole title, for they say nothing that the panes do not say better.
        if kept.count == shown.count(where: { $0.rank < Self.badge }) {
            let widest = Self.fitting(shown, into: room - wanted - Self.gap - (hasChapter ? chapterColumns + Self.gap : 0))
            if widest.count > kept.count { kept = widest }
        }
        let left = kept.isEmpty ? room : room - Self.columns(kept) - Self.gap
        title = glyphs.line(text, to: left)
        chapter = hasChapter ? (glyphs.line(chapterText, to: chapterColumns), 1 + wanted + Self.gap) : nil
        words = Self.placed(kept, end: columns - 1)
    }

    /// The action of a click on a column.
    func action(at column: Int) -> PlayerAction? {
        if let chapter, (chapter.column..<chapter.column + ChromeText.columns(of: chapter.text)).contains(column) {
            return .showMenu(.chapters)
        }
        if (1..<1 + ChromeText.columns(of: title)).contains(column) { return .showMenu(.player) }
        guard role == .barTitle else { return nil }
        return words.first { ($0.column..<$0.column + ChromeText.columns(of: $0.text)).contains(column) }?.action
    }

    // MARK: What is said

    private static func titleText(_ scene: Scene, _ glyphs: Glyphs) -> String {
        let title = glyphs.shown(scene.idleHint ?? scene.title)
        return scene.playlist.count > 1 ? "\(scene.playlist.index + 1)/\(scene.playlist.count)  \(title)" : title
    }

    private static func chapterText(_ scene: Scene, _ glyphs: Glyphs) -> String {
        let chapters = scene.snapshot.chapters
        return glyphs.shown(ChapterStep.index(at: scene.shownPosition, chapters: chapters).map { chapters[$0].name } ?? "")
    }

    private static func words(_ scene: Scene) -> [Word] {
        let snapshot = scene.snapshot
        var words = BarBadges(snapshot, scheme: scene.playlist.scheme).words.map {
            Word(rank: badge + $0.rank, text: $0.text, action: $0.action)
        }
        if snapshot.isBroadcast {
            words.append(
                Word(rank: 1, text: snapshot.isAtLiveEdge ? translated("LIVE") : translated("Go live"), action: .seekToEnd))
        }
        if let recording = snapshot.recording, recording.isRunning {
            words.append(Word(rank: 0, text: "REC \(RecordingWords.progress(recording))", action: .toggleRecording))
        }
        if snapshot.loopEnd != nil { words.append(Word(rank: 1, text: translated("Loop"), action: .markLoop)) }
        if scene.playlist.repeats != .off {
            words.append(
                Word(
                    rank: 4, text: scene.playlist.repeats == .file ? translated("Repeat file") : translated("Repeat"),
                    action: .nextRepeat))
        }
        if scene.playlist.isShuffled { words.append(Word(rank: 4, text: translated("Shuffle"), action: .toggleShuffle)) }
        if snapshot.rate != 1 {
            words.append(Word(rank: 1, text: Figures.decimal(snapshot.rate, places: 2) + "×", action: .normalSpeed))
        }
        if snapshot.sourceVideoFormat != .sdr {
            words.append(Word(rank: 4, text: "\(snapshot.sourceVideoFormat.name) → SDR", action: .nextToneMapping))
        }
        if let title = snapshot.titles.firstIndex(where: { $0.id == snapshot.activeTitle }) {
            words.append(
                Word(
                    rank: 4, text: snapshot.titles.label(at: title),
                    action: .showMenu(.titles)))
        }
        if let label = trackLabel(translated("Audio"), snapshot.activeAudioTrack, snapshot.audioTracks) {
            words.append(Word(rank: 3, text: label, action: .showMenu(.audio)))
        }
        if let label = trackLabel(translated("Sub"), snapshot.activeSubtitleTrack, snapshot.subtitleTracks) {
            words.append(Word(rank: 2, text: label, action: .showMenu(.subtitles)))
        }
        if let device = snapshot.audioDevice, device != "default", !snapshot.isSilent {
            words.append(Word(rank: 4, text: "→ \(DisplayText.singleLine(device, limit: 20))", action: .showMenu(.devices)))
        }
        if let text = SourceActivity.text(snapshot) { words.append(Word(rank: 0, text: text, action: nil)) }
        words.append(Word(rank: 0, text: volume(snapshot), action: snapshot.isSilent ? .showMenu(.devices) : .toggleMute))
        return words
    }

    private static func volume(_ snapshot: EngineSnapshot) -> String {
        if snapshot.isSilent { return translated("No audio") }
        return snapshot.isMuted ? translated("Muted") : translated("Vol \(Figures.percent(snapshot.volume))")
    }

    private static func trackLabel(_ kind: String, _ id: TrackID?, _ tracks: [TrackInfo]) -> String? {
        guard let id, let track = tracks.first(where: { $0.id == id }) else { return nil }
        let ordinal = tracks.count > 1 ? (TrackLabel.ordinal(of: id, in: tracks).map { " " + $0 } ?? "") : ""
        return "\(kind)\(ordinal) \(TrackLabel.short(track))"
    }

    // MARK: Where it lies

    private static func columns(_ words: [Word]) -> Int {
        words.indices.reduce(0) { columns, index in
            let space = index + 1 < words.count ? gap(words[index], words[index + 1]) : 0
            return columns + ChromeText.columns(of: words[index].text) + space
        }
    }

    /// Badges have their margins in themselves.
    private static func gap(_ left: Word, _ right: Word) -> Int { left.isBadge && right.isBadge ? 1 : gap }

    private static func placed(_ words: [Word], end: Int) -> [Word] {
        var placed = words, end = end
        for index in words.indices.reversed() {
            placed[index].column = end - ChromeText.columns(of: words[index].text)
            end = placed[index].column - (index > 0 ? gap(words[index - 1], words[index]) : 0)
        }
        return placed
    }

    private static func fitting(_ words: [Word], into room: Int) -> [Word] {
        var kept = words
        while !kept.isEmpty {
            if columns(kept) <= room { return kept }
            let last = kept.map(\.rank).max()
            kept.removeAll { $0.rank == last }
        }
        return []
    }
}
