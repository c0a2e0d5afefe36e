import AetherCore
import AetherEngine
import AetherRender
import AetherSources
import AetherTerminal

/// Requests whose answers come later: directories, frames out of videos, what is heard.
extension ScreenApp {
    // MARK: - Audio alone

    /// A song's cover leaves room for its words and its spectrum.
    mutating func placeCover() {
        if face.putCover(into: model.coverArea), model.isAudioOnly { engine.send(.redrawCover) }
    }

    /// Listens from the first source without video on; before that it costs nothing.
    mutating func hearIfDue() {
        let now = time.now()
        guard let due = model.spectrumDue(after: now), due <= now else { return }
        if recorder == nil {
            let recorder = TapRecorder(), stream = engine.installAudioTap()
            self.recorder = recorder
            Task { for await buffer in stream { recorder.take(buffer) } }
        }
        let samples = recorder?.samples(Spectrum.transform.count, endingAt: model.snapshot.position.seconds)
        update(.heard(samples))
    }

    /// The taps are listened to while the Debug face's Audio tab is open, and not a moment longer.
    mutating func followMeters() {
        guard model.isMetered != (scope != nil) else { return }
        if let scope {
            for task in scope.tasks { task.cancel() }
            self.scope = nil
        } else {
            let meters = AudioScope(), audio = engine.installChannelTap(), clock = engine.clockReadings()
            scope = (
                meters,
                [
                    Task { for await buffer in audio { meters.take(buffer) } },
                    Task { for await reading in clock { meters.take(reading) } },
                ]
            )
        }
    }

    /// Asks for the requests to servers while they are shown.
    mutating func followRequests() {
        if model.showsRequests { update(.requests(engine.networkRequests())) }
    }

    /// Reads the meters for what is heard now.
    mutating func meterIfDue() {
        let now = time.now()
        guard let scope, let due = model.metersDue(after: now), due <= now else { return }
        update(.metered(scope.meters.view(at: model.snapshot.position.seconds)))
    }

    // MARK: - Frames

    /// Another renderer from here on. A frame that stands is asked for once more, in its raster.
    mutating func draw(by name: String) {
        guard face.turn(to: name) else { return }
        model.renderers = face.renderers
        refreshAt = time.now()
    }

    /// A frame that stands is asked for anew where it has the raster of before: cells took the place of pixels, as the link asked for, or the
    /// window got another size just before the pause.
    mutating func followRaster(_ snapshot: EngineSnapshot) {
        let former = model.snapshot, now = time.now()
        let names = [former.telemetry?.renderer, snapshot.telemetry?.renderer].compactMap { $0 }
        let stands = snapshot.phase == .paused && former.phase != .paused && now < refreshUntil
        guard stands || names.count == 2 && names[0] != names[1] else { return }
        refreshAt = now
        if stands { refreshUntil = now }
    }

    /// The folder of thumbnail strips; nil for none.
    static func thumbnails(_ options: PlayerOptions, _ player: App.Player) -> String? {
        options.noThumbnailCache ? nil : FrameFolders.thumbnails(player.environment)
    }

    mutating func takeMail() {
        let letters = frames.take()
        if let ready = letters.ready { update(.previewsReady(ready)) }
        if let still = letters.still { update(.preview(still)) }
        for answer in letters.answers { update(.answer(answer)) }
    }

    private func scene(at point: MediaTime) -> StillSaver.Scene {
        StillSaver.Scene(
            source: queue.playlist.current.displayName, offset: point - model.snapshot.startTime,
            directory: FrameFolders.stills(queue.options.screenshotDir, player.environment))
    }

    /// The frame that is on screen, not the one that is due now.
    func saveStill() {
        let shown = face.lastShown?.pts
        frames.saveStill(
            at: shown, withSubtitles: queue.options.screenshotSubtitles, scene(at: shown ?? model.snapshot.position))
    }

    func saveScreen() {
        face.capture(frames.screenSaver(scene(at: face.lastShown?.pts ?? model.snapshot.position)))
    }

    /// Beside the stills that were asked for, else in the present directory.
    func savePlaylist() {
        let text = PlaylistText.document(queue.playlist, in: model.scene.workingDirectory)
        frames.saveList(
            text, into: FrameFolders.stills(queue.options.screenshotDir, player.environment.filter { $0.key == "HOME" }))
    }

    // MARK: - Downloads

    mutating func obey(_ request: DownloadRequest) {
        for sentence in queue.carryOut(request, title: model.title, engine.snapshot()) { update(.notice(sentence)) }
        followDownloads()
    }

    /// Tells how far the downloads are, where that is another place than before.
    mutating func followDownloads() {
        for sentence in queue.downloads.takeSentences() { update(.notice(sentence)) }
        let entries = queue.downloads.entries
        if entries != model.scene.downloads { update(.downloads(entries)) }
    }

    // MARK: - Browsing

    mutating func obey(_ request: BrowserRequest) {
        switch request {
        case .read(let directory):
            surroundings.expectRecent()
            directories.read(.directory(directory))
        case .look(let path): selectedVideo.look(at: path)
        case .open(let path): directories.read(.list(path))
        case .add(let path, let isNext): directories.add(path, isNext ? .next : .atEnd)
        case .play(let paths, let index): play(paths.map { Playlist.Item(chosen: $0) }, from: index)
        }
    }

    /// Asks for the facts of what a list shows now.
    mutating func followLists() {
        let places = model.listedFiles.map { $0.clamped(to: 0...max(0, queue.playlist.items.count - 1)) }
        let wanted = places.map { queue.playlist.untold($0) } ?? model.unknownFiles
        // Facts that come in make the list shorter: a request is made for new files only.
        guard wanted != surveyed, !Set(wanted).isSubset(of: surveyed) || wanted.isEmpty else { return }
        surveyed = wanted
        survey.read(wanted)
    }

    mutating func takeFind() {
        if let recent = surroundings.takeRecent() { update(.recent(recent)) }
        while let find = inspections.take() { update(.inspected(find)) }
        let facts = survey.take()
        if !facts.isEmpty {
            if queue.playlist.note(facts) { update(.files(queue.playlist.names)) }
            update(.facts(facts))
        }
        if let found = selectedVideo.take() { update(.glance(found.path, found.still)) }
        if let found = logos.take() { update(.glance(found.address, found.still)) }
        while let find = directories.take() {
            switch find {
            case .directory(let answer): update(.directory(answer))
            case .items(let items, .instead): play(items, from: 0)
            case .items(let items, let place): add(items, place)
            case .failed(let error):
                // Where nothing plays there is nothing else to do than to choose again.
                if queue.playlist.isEmpty, model.browser == nil { update(.action(.browse)) }
                update(.notice(error.description))
            }
        }
    }
}
