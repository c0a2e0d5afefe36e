import AetherCore
import AetherEngine

/// The browser: what opens it, what it is told.
extension AppModel {
    /// 6 s: three keys are read twice.
    private static let hintStay = TimeSpan.seconds(6)

    /// The first screen of a player that was started without a file.
    mutating func openFirst(_ now: HostTime) -> [AppEffect] {
        teaches = true
        let effects = toggleBrowser(now)
        // No key asked for it, so no answer is due.
        message = nil
        return effects
    }

    mutating func toggleBrowser(_ now: HostTime) -> [AppEffect] {
        if browser != nil {
            self.browser = nil
            touchBar(now)
            if scene.idleHint == nil { say(translated("Files: off"), now) }
            return []
        }
        let place = filePlace
        let opened = Browser(
            place.directory, recent: recentOthers, standingOn: place.name, habit: browserHabit)
        browser = opened
        return (scrub == nil ? [] : endScrub(now)) + carryOut(opened.request, now)
    }

    /// Lets a file be chosen whose audio is played with the source.
    mutating func browseForAudio(_ now: HostTime) -> [AppEffect] {
        say(translated("Choose an audio file"), now)
        let place = filePlace
        let opened = Browser(
            place.directory, purpose: .addAudio, standingOn: place.name, habit: browserHabit)
        browser = opened
        return (scrub == nil ? [] : endScrub(now)) + carryOut(opened.request, now)
    }

    /// The directory of the video that plays, and its name there.
    private var filePlace: (directory: String, name: String?) { Browser.place(of: playlist.path, in: scene.workingDirectory) }

    /// The files that were played before, without the one that plays now.
    private var recentOthers: [RecentFile] {
        let place = filePlace
        let playing = place.name.map { Browser.join(place.directory, $0) }
        return recent.filter { $0.location != playing }
    }

    /// Takes a listing in.
    mutating func take(_ answer: DirectoryAnswer) -> [AppEffect] {
        let isAwaited = browser?.awaited == answer.request
        browser?.take(answer)
        settle(Browser.self)
        guard isAwaited, case .loginRefused = answer.listing else { return [] }
        return [
            .login(
                .find(
                    LoginQuestion(
                        address: answer.request.path, server: RemotePath.server(of: answer.request.path) ?? "",
                        purpose: .directory)))
        ]
    }

    /// Opens the fields for a login.
    mutating func ask(_ question: LoginQuestion, user: String, _ now: HostTime) {
        let prompt = LoginPrompt(question, user: user)
        layers[LoginPrompt.self] = prompt
        say(prompt.words, limit: 200, now)
    }

    /// A directory is read once more, with the login that is known by now.
    mutating func reread(_ question: LoginQuestion, _ now: HostTime) -> [AppEffect] {
        guard
            let request = change(
                Browser.self,
                { browser, _ in
                    browser.enter(question.address)
                    return browser.request
                })
        else { return [] }
        return carryOut(request, now)
    }

    /// Takes in what was played before.
    mutating func take(recent: [RecentFile]) {
        self.recent = recent
        guard browser?.purpose == .play else { return }
        let others = recentOthers
        browser?.take(recent: others)
        settle(Browser.self)
    }

    /// Takes in what is known of files, by their paths.
    mutating func take(facts: [String: FileFacts]) {
        browser?.take(facts)
        settle(Browser.self)
    }

    /// The files that the browser shows and of which nothing is known yet.
    var unknownFiles: [String] {
        guard let browser = layers.top(.list) as? Browser else { return [] }
        return browser.unknownFiles(rows: browser.pageRows(in: scene))
    }

    /// The files of the list that its menu shows, by their places; nil while it is closed.
    var listedFiles: ClosedRange<Int>? {
        guard let menu, menu.kind == .files else { return nil }
        let places = menu.items[menu.window(rows: menu.pageRows(in: scene))].compactMap { item -> Int? in
            if case .file(let place) = item.choice { place } else { nil }
        }
        return places.min().flatMap { first in places.max().map { first...$0 } }
    }

    // MARK: - The still of the selected file

    /// The file of which a still would be shown.
    private var fileToGlanceAt: String? {
        guard let browser = layers.top(.list) as? Browser, let entry = browser.selected,
            BrowserPane(browser, scene)?.hasRoomForImage == true
        else { return nil }
        switch entry.kind {
        // A still of a server's file costs requests that were not asked for.
        case .media: return RemotePath.isRemote(browser.path) ? nil : Browser.join(browser.path, entry.name)
        case .recent: return entry.name.hasPrefix("/") ? entry.name : nil
        case .directory, .parent, .playlist: return nil
        }
    }

    /// The request that follows from a message.
    mutating func glanceAtSelection(after message: AppMessage, _ now: HostTime) -> [AppEffect] {
        if let browser { browserHabit = browser.habit }
        let channels = layers.top(.list) as? Channels
        guard browser != nil || channels != nil || glance.path != nil else { return [] }
        let isTouched =
            switch message {
            case .key, .mouse: true
            default: false
            }
        let former = glance.path
        switch glance.follow(fileToGlanceAt ?? channels.flatMap { logoToGlanceAt($0) }, isTouched: isTouched, now: now) {
        case .nothing: return []
        case .look(let path):
            let isLogo = (path ?? former).map(RemotePath.isWeb) ?? false
            return [isLogo ? .television(.logo(path.flatMap { _ in channels?.channel })) : .browse(.look(path))]
        }
    }

    /// The address of the logo that would be shown.
    private func logoToGlanceAt(_ channels: Channels) -> String? {
        guard let channel = channels.channel, ChannelsPane(channels, scene)?.hasRoomForLogo == true else { return nil }
        return scene.television?.book.logo(channel)
    }

    // MARK: - The first video

    /// Three keys, with the first frames that a person sees who named no file.
    mutating func teach(_ now: HostTime) {
        guard teaches, snapshot.phase == .playing, browser == nil else { return }
        teaches = false
        let lessons: [(PlayerAction, String)] = [
            (.togglePause, translated("pause")), (.browse, translated("files")), (.toggleHelp, translated("all keys")),
        ]
        let words = lessons.compactMap { action, word in
            keymap.label(of: action, unicode: capabilities.isUnicode).map { "\($0) \(word)" }
        }
        guard !words.isEmpty else { return }
        let presets = keymap.isStandard && recent.isEmpty ? [translated("--keys mpv or vim: theirs")] : []
        message = FlashMessage(text: (words + presets).joined(separator: "   "), until: now + AppModel.hintStay, isNotice: false)
    }
}
