import AetherCore
import AetherEngine
import AetherRender
import AetherSources

/// Stills out of the file beside the one that plays: those that are looked at while scrubbing, and those that are saved. What comes of
/// it is taken by the main thread after a wake.
struct FrameDesk {
    private let engine: AetherEngine
    private let mail: FrameMail
    private let saver: StillSaver
    private var previews: ScrubPreviews
    private var fillPolicy = FillPolicy()

    /// For the video at a location. `cache` is where strips of small stills lie; nil: nowhere.
    init(_ engine: AetherEngine, _ location: MediaLocation, cache: String?, wake: WakeHandle) {
        self.engine = engine
        let mail = FrameMail(wake: wake)
        self.mail = mail
        saver = StillSaver { mail.say($0) }
        previews = mail.previews(of: engine, location, cache: cache)
    }

    /// Another video is opened.
    mutating func begin(_ location: MediaLocation, cache: String?) {
        previews.stop()
        previews = mail.previews(of: engine, location, cache: cache)
        fillPolicy = FillPolicy()
    }

    /// Takes in how it stands: the strip is filled while the player has no trouble.
    mutating func follow(_ snapshot: EngineSnapshot, at now: HostTime) {
        previews.allowFilling(fillPolicy.note(snapshot, at: now))
    }

    /// The strip has gaps.
    var wantsFilling: Bool { previews.wantsFilling }

    /// A still of this place is wanted; the newest wish counts.
    func show(_ point: MediaTime) { previews.show(point) }

    /// None is wanted any more.
    func rest() { previews.rest() }

    /// The stills that have come since; once.
    func take() -> FrameMail.Letters { mail.take() }

    /// Saves the still of the source at a point of its axis; nil: there is none. Never blocks.
    func saveStill(at point: MediaTime?, withSubtitles: Bool, _ scene: StillSaver.Scene) {
        guard let point else { return mail.say(Self.nothing) }
        saver.saveStill(of: engine, at: point, withSubtitles: withSubtitles, scene)
    }

    /// A receiver that saves a still as the terminal shows it. Any thread; never blocks.
    func screenSaver(_ scene: StillSaver.Scene) -> @Sendable (RasterImage?) -> Void {
        { [saver, mail] image in
            if let image { saver.save(image, scene) } else { mail.say(Self.nothing) }
        }
    }

    /// Saves a playlist as a new file. Never blocks.
    func saveList(_ text: String, into directory: String) { saver.saveList(text, into: directory) }

    private static var nothing: String { translated("No frame to save yet") }

    /// Lets go of the file.
    func stop() { previews.stop() }
}
