import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources
import FoundationEssentials

/// The player as the desktop knows it: on the session bus, with its cover, and holding the machine awake. Lives on the main thread; each
/// part has a thread of its own. Where there is no desktop it does nothing.
final class DesktopPresence {
    private let environment: [String: String]
    private let wake: WakeHandle
    private let isOnBus: Bool
    private var service: MediaPlayerService?
    private let inhibitor = SleepInhibitor()
    private let cover: CoverFile?
    private var told = PlayerStatus()
    private var track = 0
    private var shownCover: [UInt8]?
    private var halt = Halt()

    /// A stop from outside: the video stands at the start, which no snapshot tells from a pause.
    struct Halt: Equatable {
        private enum State { case none, asked, known }
        private var state = State.none

        /// Whether it is stopped, or about to be.
        var isOn: Bool { state != .none }

        /// A stop is asked for.
        mutating func ask() { state = .asked }

        /// The engine has heard of it once it no longer wants to play: what it says before that is from before.
        mutating func follow(wantsToPlay: Bool) {
            switch state {
            case .asked: if !wantsToPlay { state = .known }
            case .known: if wantsToPlay { state = .none }
            case .none: break
            }
        }
    }

    init(_ environment: [String: String], isOnBus: Bool, wake: WakeHandle) {
        self.environment = environment
        self.wake = wake
        self.isOnBus = isOnBus && MediaPlayerService.isPossible(environment)
        cover = self.isOnBus ? CoverFile(environment, wake: wake) : nil
    }

    /// Another file is opened.
    func beginFile() {
        track += 1
        shownCover = nil
        cover?.remove()
    }

    /// The player was stopped from outside.
    func stop() { halt.ask() }

    /// Takes in how it stands.
    func follow(_ snapshot: EngineSnapshot, _ playlist: Playlist, title: String, now: HostTime) {
        inhibitor.set(snapshot.phase == .playing && snapshot.wantsToPlay)
        guard isOnBus, snapshot.phase != .idle, snapshot.phase != .loading else { return }
        halt.follow(wantsToPlay: snapshot.wantsToPlay)
        // That of a page comes while its audio plays.
        if snapshot.metadata.artworkData != shownCover {
            shownCover = snapshot.metadata.artworkData
            cover?.show(shownCover)
        }
        let status = status(snapshot, playlist, title: title, now: now)
        if let service {
            guard !status.isExpected(after: told) else { return }
            service.publish(status)
        } else {
            service = MediaPlayerService(status, wake: wake) { DesktopPresence.refusal(of: $0) }
        }
        told = status
    }

    /// The desktop's requests since the last call.
    func takeRequests() -> [DesktopRequest] { service?.takeRequests() ?? [] }

    /// Leaves the bus and gives the lock back.
    func close() {
        service?.stop()
        inhibitor.set(false)
        cover?.remove()
    }

    private func status(_ snapshot: EngineSnapshot, _ playlist: Playlist, title: String, now: HostTime) -> PlayerStatus {
        var status = PlayerStatus()
        status.transport = snapshot.wantsToPlay ? .playing : halt.isOn ? .stopped : .paused
        status.track = track
        status.seeks = Int(truncatingIfNeeded: snapshot.epoch.number)
        let tagged = DisplayText.singleLine(snapshot.metadata.title ?? "", limit: 200)
        status.title = tagged.isEmpty ? title : tagged
        status.artist = DisplayText.singleLine(snapshot.metadata.artist ?? "", limit: 200)
        status.album = DisplayText.singleLine(snapshot.metadata.album ?? "", limit: 200)
        status.url = DesktopPresence.url(playlist.current)
        status.artURL = cover?.url
        status.duration = snapshot.duration
        status.position = max(.zero, (snapshot.seekTarget ?? snapshot.position) - snapshot.startTime)
        status.positionAt = now
        status.isMoving = snapshot.phase == .playing && snapshot.wantsToPlay
        status.rate = snapshot.rate
        status.volume = snapshot.isMuted ? 0 : snapshot.volume
        status.repeats = playlist.repeats
        status.shuffles = playlist.isShuffled
        status.canGoNext = playlist.canStep(1)
        status.canGoPrevious = playlist.canStep(-1)
        status.canSeek = snapshot.isSeekable
        return status
    }

    /// The reason why an address cannot be played, as far as that is known soon: the bus waits. What comes over a network is tried later.
    static func refusal(of address: String) -> String? {
        let location = address == "-" ? MediaLocation.file(address) : .parse(address)
        if case .url(let url) = location, ["http:", "https:"].contains(where: { url.lowercased().hasPrefix($0) }) { return nil }
        return SourceTrial.refusal(of: location)?.description
    }

    /// The address for the bus; nil for what has none.
    static func url(_ location: MediaLocation) -> String? {
        switch location {
        case .standardInput: nil
        case .file(let path): URL(fileURLWithPath: path).absoluteString
        case .url(let text): DisplayText.singleLine(Redaction.shown(text), limit: 4000)
        }
    }
}
