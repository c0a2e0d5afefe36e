import AetherCore

/// A source that is kept ready, and what it has told meanwhile.
struct Standby {
    /// The consequence of an event.
    enum Turn: Equatable {
        case goOn
        /// It cannot be kept ready: it is opened when it is wanted.
        case giveUp
    }
    /// Each costs a connection and some megabytes.
    static let limit = 4

    let location: MediaLocation
    let options: LoadOptions
    let session: PlaybackSession
    /// As it is by now; nil until it is open.
    private(set) var description: SourceDescription?
    /// News to be told again once it is played: of a radio station, the last title alone.
    private var song: String?
    private var programmes: [Int: NowNext] = [:]

    init(_ location: MediaLocation, _ options: LoadOptions, _ session: PlaybackSession) {
        (self.location, self.options, self.session) = (location, options, session)
    }

    /// Whether a load is of this source, and asks for nothing that was to be known when it was opened.
    func serves(_ source: MediaSource, _ options: LoadOptions) -> Bool {
        guard case .location(let location) = source, location == self.location else { return false }
        let isWhole = options.start == nil && options.end == nil && options.part == nil && options.recording == nil
        return isWhole && options.http == self.options.http && options.title == self.options.title
            && options.liveJoinProfile == self.options.liveJoinProfile && options.audioOutput == self.options.audioOutput
            && options.audioLanguages == self.options.audioLanguages && options.isAudioPreferred == self.options.isAudioPreferred
            && options.externalAudio.isEmpty && options.externalSubtitles.isEmpty
    }

    /// Takes what the source tells while it is not played.
    mutating func take(_ event: StageEvent) -> Turn {
        switch event {
        case .opened(let opened):
            description = opened
            session.stand(by: opened)
        case .described(let described):
            let window = description?.window
            description = described
            if let window { description?.window = window }
        case .window(let window):
            description?.window = window
            session.stand(in: window)
        case .song(let title): song = title
        case .programmes(let news): programmes.merge(news) { $1 }
        // A broadcast that was not read for long, that has ended, or that is none.
        case .expired, .openFailed, .brokeOff, .readToEnd: return .giveUp
        default: break
        }
        return .goOn
    }

    /// The events that the control has to hear once the source is played from a point on.
    func news(from start: MediaTime?) -> [StageEvent] {
        guard var description else { return [] }
        if let start { description.start = start }
        return [.opened(description)] + (song.map { [.song($0)] } ?? []) + (programmes.isEmpty ? [] : [.programmes(programmes)])
    }
}
