import AetherCore
import AetherEngine

/// The items of the menus, from what the engine knows.
enum MenuContent {
    /// The items of a menu; empty when there is nothing to choose. `position` is where the video is shown to be.
    /// `unfolds`: ALSA's plug-ins are listed one by one.
    static func items(_ kind: MenuKind, _ snapshot: EngineSnapshot, position: MediaTime, unfolds: Bool = false) -> [MenuItem] {
        switch kind {
        case .audio: audio(snapshot)
        case .video: video(snapshot)
        case .subtitles: subtitles(snapshot)
        case .chapters: chapters(snapshot, position)
        case .titles: titles(snapshot)
        case .devices: DeviceItems.items(snapshot, unfolds: unfolds)
        case .files, .themes, .player, .renderers, .actions: []
        }
    }

    /// The files of the list; of a very long one the part around the present one. So many behind that are the next ones by wish.
    static func files(_ names: [String], present: Int, queued: Int = 0) -> [MenuItem] {
        let first = max(0, min(present - Menu.limit / 2, names.count - Menu.limit))
        return names.indices.dropFirst(first).prefix(Menu.limit).map { index in
            let isQueued = (present + 1..<present + 1 + queued).contains(index)
            return MenuItem(
                names[index], detail: (isQueued ? translated("up next ") : "") + "\(index + 1)", isPresent: index == present,
                choice: .file(index))
        }
    }

    /// The renderers of this terminal.
    static func renderers(_ offer: RendererOffer) -> [MenuItem] {
        offer.names.map { name in
            MenuItem(RendererOffer.label(name), detail: name, isPresent: name == offer.present, choice: .renderer(name))
        }
    }

    /// The entries of the main menu, with the keys that do the same.
    static func player(_ keymap: Keymap, unicode: Bool, recording: RecordingProgress? = nil) -> [MenuItem] {
        let record =
            recording.flatMap { $0.isRunning ? translated("End the recording (\(RecordingWords.progress($0)))") : nil }
            ?? translated("Record")
        let groups: [[(String, PlayerAction)]] = [
            [
                (translated("Files"), .browse), (translated("Playlist"), .showMenu(.files)),
                (translated("Chapters"), .showMenu(.chapters)),
                (translated("Titles"), .showMenu(.titles)), (translated("Channels"), .toggleChannels),
                (translated("Guide"), .toggleGuide),
                (translated("Repeat"), .nextRepeat), (translated("Shuffle"), .toggleShuffle),
                (translated("Save the playlist"), .savePlaylist),
            ],
            [
                (translated("Audio"), .showMenu(.audio)), (translated("Subtitles"), .showMenu(.subtitles)),
                (translated("Video"), .showMenu(.video)),
                (translated("Audio devices"), .showMenu(.devices)), (translated("Equaliser"), .toggleEqualizer),
                (translated("Crossfeed"), .cycle("crossfeed")), (translated("Rotate"), .cycle("rotate")),
                (translated("Mirror"), .cycle("flip")),
            ],
            [
                (translated("Subtitle list"), .toggleCueList), (translated("Search in subtitles"), .searchSubtitles),
                (translated("Save a still"), .saveStill), (record, .toggleRecording),
                (translated("Download what plays"), .keepSource), (translated("Downloads"), .toggleDownloads),
            ],
            [
                (translated("Information"), .showInfo), (translated("Renderers"), .showMenu(.renderers)),
                (translated("Themes"), .nextTheme),
                (translated("Telemetry"), .toggleTelemetry),
                (translated("Notices and errors"), .toggleNotices), (translated("Inside the file"), .toggleInspector),
                (translated("Command palette"), .palette), (translated("All keys"), .toggleHelp), (translated("Quit"), .quit),
            ],
        ]
        let lists = groups.map { group in
            group.map { label, action in
                MenuItem(label, detail: keymap.label(of: action, unicode: unicode) ?? "", choice: .action(action))
            }
        }
        let sections = Keymap.Section.allCases.map { section in
            MenuItem(section.title, detail: unicode ? "▸" : ">", choice: .action(.showMenu(.actions(section))))
        }
        return Array((lists + [[.heading(translated("All actions"))] + sections]).joined(separator: [.separator]))
    }

    /// Every action of a section with its keys: those that keys are bound to, then all others.
    static func actions(_ section: Keymap.Section, _ keymap: Keymap, unicode: Bool) -> [MenuItem] {
        let bindings = keymap.entries.flatMap { entry in entry.bindings.map { (entry, $0) } }
        let others = (Keymap.standard.entries.flatMap(\.bindings).map(\.action) + ActionName.listed).map {
            (nil as Keymap.Entry?, Keymap.Binding(action: $0, strokes: []))
        }
        var listed: Set<PlayerAction> = []
        return (bindings.map { ($0.0 as Keymap.Entry?, $0.1) } + others).compactMap { entry, binding in
            guard binding.action.section == section, listed.insert(binding.action).inserted else { return nil }
            let keys = binding.strokes.map { $0.label(unicode: unicode) }.joined(separator: " ")
            return MenuItem(
                ActionSentence.text(binding.action), detail: keys.isEmpty ? entry?.keysLabel(unicode: unicode) ?? "" : keys,
                choice: .action(binding.action))
        }
    }

    /// The sentence in place of an empty menu.
    static func absence(_ kind: MenuKind) -> String {
        switch kind {
        case .audio: translated("No audio track")
        case .video: translated("No video track")
        case .subtitles: translated("No subtitles")
        case .chapters: translated("No chapters")
        case .files: translated("There is only one file")
        case .themes: translated("No themes")
        case .titles: translated("There is only one title")
        case .devices: translated("No audio device")
        case .renderers: translated("No renderer")
        case .player, .actions: translated("No menu")
        }
    }

    /// The qualities of a source in segments are what there is to choose, where it has several.
    private static func video(_ snapshot: EngineSnapshot) -> [MenuItem] {
        let tracks = snapshot.videoTracks.enumerated().map { index, track in
            item(track, index, isPresent: track.id == snapshot.activeVideoTrack, .videoTrack(track.id))
        }
        guard snapshot.variants.count > 1 else { return tracks }
        let active = snapshot.variants.first { $0.id == snapshot.activeVariant }
        let auto = MenuItem(
            translated("Auto"),
            detail: snapshot.adaptsVariant
                ? active.map { translated("\($0.name) now") } ?? "" : translated("by window, machine and link"),
            isPresent: snapshot.adaptsVariant, choice: .variant(nil))
        let variants = snapshot.variants.prefix(Menu.limit).map { variant in
            let rate = variant.badges.isEmpty ? nil : variant.rate
            return MenuItem(
                variant.name, detail: ([rate] + variant.codecs.map { $0 }).compactMap { $0 }.joined(separator: " · "),
                isPresent: !snapshot.adaptsVariant && variant.id == snapshot.activeVariant, choice: .variant(variant.id))
        }
        return (tracks.count > 1 ? tracks + [.heading(translated("Quality"))] : []) + (snapshot.offersAdaptation ? [auto] : [])
            + variants
    }

    /// Audio can be added to a source that has video, too; to nothing it cannot.
    private static func audio(_ snapshot: EngineSnapshot) -> [MenuItem] {
        guard !snapshot.audioTracks.isEmpty || !snapshot.videoTracks.isEmpty else { return [] }
        let tracks = snapshot.audioTracks.enumerated().map { index, track in
            item(track, index, isPresent: track.id == snapshot.activeAudioTrack, .audioTrack(track.id))
        }
        return tracks + (tracks.isEmpty ? [] : [.separator]) + [MenuItem(translated("Add audio file…"), choice: .audioFile)]
    }

    private static func subtitles(_ snapshot: EngineSnapshot) -> [MenuItem] {
        guard !snapshot.subtitleTracks.isEmpty else { return [] }
        let active = snapshot.activeSubtitleTrack
        return [MenuItem(translated("Off"), isPresent: active == nil, choice: .subtitleTrack(nil)), .separator]
            + snapshot.subtitleTracks.enumerated().map { index, track in
                item(track, index, isPresent: track.id == active, .subtitleTrack(track.id))
            } + teletext(snapshot) + secondSubtitles(snapshot)
    }

    /// The pages that were sent so far; those that are marked as subtitles are shown without being chosen.
    private static func teletext(_ snapshot: EngineSnapshot) -> [MenuItem] {
        guard !snapshot.teletextPages.isEmpty, snapshot.subtitleTracks.contains(where: \.isTeletext) else { return [] }
        let page = snapshot.teletextPage
        return [
            .heading(translated("Teletext")),
            MenuItem(translated("Pages for subtitles"), isPresent: page == nil, choice: .teletextPage(nil)),
        ]
            + snapshot.teletextPages.prefix(Menu.limit).map {
                MenuItem(
                    translated("Teletext page \($0.number)"), detail: $0.isSubtitle ? translated("subtitles") : "",
                    isPresent: page == $0.number, choice: .teletextPage($0.number))
            }
    }

    /// A track stands at the bottom or at the top, not at both.
    private static func secondSubtitles(_ snapshot: EngineSnapshot) -> [MenuItem] {
        let others = snapshot.subtitleTracks.enumerated().filter { $0.element.id != snapshot.activeSubtitleTrack }
        let active = snapshot.activeSecondarySubtitleTrack
        guard snapshot.subtitleTracks.count > 1 else { return [] }
        return [
            .heading(translated("Second subtitles")),
            MenuItem(translated("Off"), isPresent: active == nil, choice: .secondSubtitleTrack(nil)),
        ]
            + others.map { index, track in item(track, index, isPresent: track.id == active, .secondSubtitleTrack(track.id)) }
    }

    private static func chapters(_ snapshot: EngineSnapshot, _ position: MediaTime) -> [MenuItem] {
        let present = ChapterStep.index(at: position, chapters: snapshot.chapters)
        return snapshot.chapters.prefix(Menu.limit).enumerated().map { index, chapter in
            MenuItem(
                chapter.name.isEmpty ? translated("Chapter \(index + 1)") : chapter.name,
                detail: Timecode.text(chapter.start - snapshot.startTime), isPresent: index == present, choice: .chapter(index))
        }
    }

    private static func titles(_ snapshot: EngineSnapshot) -> [MenuItem] {
        snapshot.titles.map { title in
            MenuItem(
                title.name.isEmpty ? "\(title.kind.word) \(title.id)" : title.name,
                detail: [title.isHidden ? translated("hidden") : "", title.playingTime.map { Timecode.text($0) } ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: ", "),
                isPresent: title.id == snapshot.activeTitle, choice: .title(title.id))
        }
    }

    private static func item(_ track: TrackInfo, _ index: Int, isPresent: Bool, _ choice: MenuChoice) -> MenuItem {
        let name = TrackLabel.name(track)
        return MenuItem(
            name.isEmpty ? translated("Track \(index + 1)") : name, detail: TrackLabel.traits(track), isPresent: isPresent,
            choice: choice)
    }
}
