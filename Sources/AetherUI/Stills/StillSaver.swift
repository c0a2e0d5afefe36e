import AetherCore
import AetherEngine
import AetherRender
import AetherSources

/// Saves frames as files, on threads of its own: a decoder and a disk take their time. The outcome is a sentence.
final class StillSaver: Sendable {
    /// The parts of a still's name.
    struct Scene: Sendable {
        let source: String
        /// From the start of the file.
        let offset: TimeSpan
        let directory: String
    }

    private typealias Work = @Sendable () throws(MediaError) -> String

    private let requests: Requests<Work, Never>
    private let say: @Sendable (String) -> Void
    /// A key that is held must not fill the memory: a still of 4K takes 60 MB on its way.
    private static let limit = 3

    /// `say` is told where each still lies, or why it does not; from any thread, and it must not block.
    init(say: @escaping @Sendable (String) -> Void) {
        self.say = say
        requests = Requests(name: "still", urgency: .bulk, order: .each(limit: Self.limit), threads: Self.limit) {
            { work, _ in
                do throws(MediaError) {
                    say(translated("Saved \(try work())"))
                } catch {
                    say("\(error)")
                }
                return nil
            }
        }
    }

    /// Saves the still of the source at a point of its axis. Never blocks.
    func saveStill(of engine: AetherEngine, at point: MediaTime, withSubtitles: Bool, _ scene: Scene) {
        work { () throws(MediaError) -> String in
            guard let extractor = engine.makeFrameExtractor() else {
                throw MediaError(.unsupported, "save the still", reason: "nothing is open")
            }
            defer { extractor.shutDown() }
            let still = try extractor.waitForStill(at: point, isExact: true, width: FrameExtractor.maximumWidth)
            let image = withSubtitles ? engine.withSubtitles(still) : still.image
            return try StillFile.write(PNGImage.bytes(image), into: scene.directory, source: scene.source, at: scene.offset)
        }
    }

    /// Saves a still that is there. Never blocks.
    func save(_ image: RasterImage, _ scene: Scene) {
        work { () throws(MediaError) -> String in
            try StillFile.write(
                PNGImage.bytes(image), into: scene.directory, source: scene.source, mark: "-screen", at: scene.offset)
        }
    }

    /// Saves a playlist as a new file. Never blocks.
    func saveList(_ text: String, into directory: String) {
        work { () throws(MediaError) -> String in
            try StillFile.write(Array(text.utf8), into: directory) { number in
                "playlist\(number == 0 ? "" : "-\(number)").m3u8"
            }
        }
    }

    private func work(_ work: @escaping Work) {
        if requests.ask(work) == nil { say(translated("The previous stills are still being saved")) }
    }
}
