import AetherCore
import AetherEngine
import AetherLibrary
import AetherSources

/// The player's memory from one run to the next: where each file was left, what was chosen for it, and the volume. Lives on the
/// main thread; the history itself has a thread of its own.
final class Memory {
    private let ledger: HistoryLedger?
    private var watch: PlayedFile?
    private var asked: HistorySource?
    /// An answer that has not come yet is for the file that plays now.
    private var isWaiting = false
    /// The choices for the file, until it is open.
    private var pending: HistoryChoices?
    /// The resume position of a file that was found late, once it is open.
    private var pendingStart: TimeSpan?
    /// The volume of the last run, that was found late.
    private var pendingVolume: Double?
    private var notices: [Notice] = []
    private var keptVolume: Double?
    private var lastVolume: Double?
    /// The bits a second of the link to the present file's server.
    private var link: (source: HistorySource, rate: Double)?
    /// The parts of the answer that count; the command line has stated the rest.
    private var wishes = Wishes()
    private let time: any TimeSource

    /// A notice for the person.
    enum Notice: Sendable, Equatable {
        /// From the start of the file.
        case resumed(at: TimeSpan)
        case text(String)

        /// `startKey`: what goes to the start.
        func words(startKey: String?) -> String {
            switch self {
            case .text(let text): text
            case .resumed(let place):
                translated("Resumed at \(Timecode.text(place))") + (startKey.map { translated(" · \($0): start") } ?? "")
            }
        }
    }

    /// The settings that the person leaves to the history.
    struct Wishes {
        var resumes = true
        var settings = Set(Setting.allCases)
        /// False where the command line names files of audio or of subtitles, which are meant to be heard and seen.
        var audio = true, subtitles = true

        /// The choices that count.
        func of(_ choices: HistoryChoices) -> HistoryChoices {
            var choices = choices
            if !audio { choices.audioTrack = nil }
            if !subtitles { choices.subtitles = nil }
            choices.settings = choices.settings.filter { settings.contains($0.key) }
            return choices
        }
    }

    /// The settings of the last run that the present file was given: what a person has in force is carried from file to file, what one file
    /// was left with is not.
    private var loan: SettingsLoan?

    /// 50 ms: the database answers within 10 ms where the disk is awake. What comes later is a seek.
    static let patience = TimeSpan.milliseconds(50)
    private let patience: TimeSpan

    /// `path`: the database; nil: nothing is remembered. `patience`: how long an answer is waited for.
    init(path: String?, wake: WakeHandle, time: any TimeSource = SystemTime(), patience: TimeSpan = Memory.patience) {
        ledger = path.map { HistoryLedger(path: $0, wake: wake) }
        self.patience = patience
        self.time = time
    }

    /// Asks early for the file that will be played first.
    func expect(_ item: Playlist.Item) {
        guard let ledger, let source = Memory.source(of: item) else { return }
        asked = source
        ledger.look(for: source)
    }

    /// Asks for the files that were played last.
    func expectRecent() { ledger?.lookForRecent(limit: Browser.recentLimit + 1) }

    /// The recent files, once, where they are known by now; waits for `patience` at most.
    func takeRecent(within patience: TimeSpan = .zero) -> [RecentFile]? {
        guard let ledger else { return nil }
        let records = patience > .zero ? ledger.recent(until: time.now() + patience) : ledger.takeRecent()
        return records?.map { RecentFile(location: $0.identity.location, title: $0.progress.title) }
    }

    /// Asks for the channels that are favourites.
    func expectFavourites() { ledger?.lookForFavourites() }

    /// The favourites, once.
    func takeFavourites() -> [String]? { ledger?.takeFavourites() }

    /// Remembers a channel as a favourite, or forgets it.
    func keep(favourite key: String, _ isOn: Bool) { ledger?.keep(favourite: key, isOn) }

    /// The choices for the screen, as far as they are known within the patience of a start.
    func screenChoices() -> ScreenChoices { ledger?.screenChoices(until: time.now() + patience) ?? ScreenChoices() }

    /// Keeps what the person has chosen for the screen.
    func keep(_ choices: ScreenChoices) { ledger?.keep(choices) }

    /// Another file is going to be opened: the last one is kept, and the options of this one become what was left. `isFirst`: nothing is
    /// carried over from a file before.
    func begin(_ item: Playlist.Item, _ loading: inout LoadOptions, wishes: Wishes, isFirst: Bool) {
        keep()
        (watch, pending, pendingStart, pendingVolume, isWaiting) = (nil, nil, nil, nil, false)
        giveBack(&loading)
        var wishes = wishes
        if !isFirst { wishes.settings.remove(.volume) }
        // A part of a file, as on a disc image, has its own start.
        wishes.resumes = wishes.resumes && loading.start == nil
        self.wishes = wishes
        guard let ledger, let source = Memory.source(of: item) else { return }
        if asked != source { ledger.look(for: source) }
        asked = nil
        watch = PlayedFile(source, endsEarly: loading.end != nil)
        guard let answer = ledger.answer(until: time.now() + patience) else {
            isWaiting = true
            return
        }
        loading.adaptation.expectedRate = answer.linkRate
        let start = take(answer, title: loading.title)
        loading.title = loading.title ?? pending?.title
        if let start { loading.start = .time(start) }
        if wishes.settings.contains(.volume), let volume = answer.volume { loading.settings.apply(.volume(volume)) }
        guard let choices = pending else { return }
        let own = loading.settings
        for change in choices.settings.values { loading.settings.apply(change) }
        loan = SettingsLoan(own: own, lent: loading.settings)
    }

    /// Takes the settings of the last file back: they are not the next one's.
    func giveBack(_ loading: inout LoadOptions) {
        if let loan { loading.settings = loan.back(loading.settings) }
        loan = nil
    }

    /// The engine has gone on to this by itself, without a gap: the last one was heard to its end.
    func goOn(to item: Playlist.Item) {
        if let watch, var progress = watch.progress {
            (progress.isFinished, progress.position) = (true, progress.duration ?? progress.position)
            ledger?.keep(progress, of: watch.source)
        }
        (pending, pendingStart, isWaiting) = (nil, nil, false)
        keepLink()
        // The same again keeps what was chosen for it.
        let former = watch
        watch = Memory.source(of: item).map { source in
            let isSame = former?.source == source
            return PlayedFile(source, prior: isSame ? former?.progress?.choices ?? HistoryChoices() : HistoryChoices())
        }
    }

    /// Takes the answer on the file; returns where it resumes, which of a disc holds for the title that was played and no other.
    private func take(_ answer: HistoryLedger.Answer, title wanted: Int? = nil) -> TimeSpan? {
        if let notice = answer.notice { notices.append(.text(notice)) }
        guard let progress = answer.record?.progress else { return nil }
        watch?.learn(progress.choices)
        guard wishes.resumes else { return nil }
        pending = wishes.of(progress.choices)
        if let wanted, let left = progress.choices.title, wanted != left {
            pending?.title = nil
            return nil
        }
        guard let start = ResumePolicy().position(left: progress.position, of: progress.duration, isFinished: progress.isFinished)
        else { return nil }
        notices.append(.resumed(at: start))
        return start
    }

    /// Takes in how the file stands; returns what the engine is to be told so that it is as it was left.
    func follow(_ snapshot: EngineSnapshot, title: String, now: HostTime) -> [PlayerCommand] {
        if isWaiting, let answer = ledger?.takeAnswer() {
            isWaiting = false
            pendingStart = take(answer)
            // Unless the person has chosen one meanwhile.
            if wishes.settings.contains(.volume), keptVolume == nil { pendingVolume = answer.volume }
        }
        switch snapshot.phase {
        case .idle, .loading, .error: return []
        case .playing, .paused, .seeking, .rebuffering, .stalled, .ended: break
        }
        var commands: [PlayerCommand] = []
        if let start = pendingStart {
            pendingStart = nil
            // A person who has watched for longer wants to be here; in another title the point means nothing.
            let isThere = pending?.title.map { $0 == snapshot.discTitle } ?? true
            if isThere, snapshot.position - snapshot.startTime < .seconds(5) {
                commands.append(.seek(to: snapshot.startTime + start, .exact))
            }
        }
        if let volume = pendingVolume {
            pendingVolume = nil
            commands.append(.set(.volume(volume)))
        }
        if let choices = pending {
            pending = nil
            commands += choices.commands(for: snapshot)
        }
        if let progress = watch?.follow(snapshot, title: title, now: now), let source = watch?.source {
            ledger?.keep(progress, of: source)
        }
        if let source = watch?.source, let rate = snapshot.telemetry?.linkEstimateMbps { link = (source, rate * 1e6) }
        remember(volume: snapshot.volume)
        return commands
    }

    /// Remembers a volume that the person set while playing; command line and settings file state theirs again anyway.
    private func remember(volume: Double) {
        if let lastVolume, lastVolume != volume { keptVolume = volume }
        lastVolume = volume
    }

    /// The person has chosen a volume: the engine may not have heard of it when the player ends.
    func choose(volume: Double) { keptVolume = volume }

    /// The next time at which `follow` has something to do.
    var nextWake: HostTime? { watch?.nextWake }

    /// Sentences for the person, once.
    func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    private func keep() {
        guard let ledger else { return }
        if let watch, let progress = watch.progress { ledger.keep(progress, of: watch.source) }
        if let keptVolume { ledger.keep(volume: keptVolume) }
        keptVolume = nil
        keepLink()
    }

    private func keepLink() {
        if let link { ledger?.keep(linkRate: link.rate, of: link.source) }
        link = nil
    }

    /// Keeps what there is and lets the database go: milliseconds, and on a disk that is asleep or busy a second at most.
    func close() {
        keep()
        watch = nil
        ledger?.close(within: .seconds(1))
    }

    /// nil for what has no place to come back to: standard input, and a part of a file.
    private static func source(of item: Playlist.Item) -> HistorySource? {
        guard item.start == nil, item.end == nil else { return nil }
        return switch item.location {
        case .file(let path): .file(path)
        case .url(let url): .url(url)
        case .standardInput: nil
        }
    }
}
