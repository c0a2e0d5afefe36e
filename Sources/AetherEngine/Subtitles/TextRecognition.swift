import AetherCore
import AetherMedia
import Glibc

/// Makes text of image subtitles, for surfaces on which they would be illegible. Thread `ocr`, which sleeps until something is
/// wanted; without the program it ends at once.
final class TextRecognition: Sendable {
    private struct State {
        /// The newest last, which is read first: it is what is about to be seen.
        var waiting: [SubtitleCue] = []
        /// The cue that is read.
        var present: Int?
        /// By cue; nil where there is no text in it.
        var bodies: [Int: SubtitleCue.Body?] = [:]
        var languages: [TrackID: String] = [:]
        var isOver = false
    }
    /// Frames under so many lines show letters of 1080 lines with less than ten.
    static let heightLimit = 240
    private static let waitingLimit = 16, knownLimit = 4096
    private let state = Monitor(State())
    private let program = Monitor<Tesseract?>(nil)
    private let demand: @Sendable () -> RasterDemand
    private let changed: @Sendable () -> Void
    private static let log = Log.module("subtitles")

    /// `demand` is the surface's; `changed` is called on the thread `ocr` when a text was found. `former` has read the same source's
    /// bitmaps.
    init(
        former: TextRecognition? = nil, demand: @escaping @Sendable () -> RasterDemand, changed: @escaping @Sendable () -> Void
    ) {
        self.demand = demand
        self.changed = changed
        guard let known = former?.state.read({ $0.bodies }) else { return }
        state.update { $0.bodies = known }
    }

    /// Whether bitmaps are better read than seen on the surface.
    var isWanted: Bool {
        let demand = demand()
        guard demand.burning == .images, let box = demand.box else { return false }
        return box.height < Self.heightLimit && !state.read { $0.isOver }
    }

    /// Says what a track is written in.
    func note(_ tracks: [TrackInfo]) {
        state.update { state in
            for track in tracks { state.languages[track.id] = track.language.map { LanguageCode.canonical($0) } }
        }
    }

    /// A bitmap will be seen soon. Any thread; never blocks.
    func want(_ cue: SubtitleCue) {
        guard case .image = cue.body, isWanted else { return }
        state.update { state in
            guard state.bodies[cue.id] == nil, state.present != cue.id, !state.waiting.contains(where: { $0.id == cue.id }) else {
                return
            }
            state.waiting.append(cue)
            if state.waiting.count > Self.waitingLimit { state.waiting.removeFirst() }
        }
    }

    /// The text of a bitmap; nil while there is none, and where the bitmap is the better.
    func text(of cue: SubtitleCue) -> SubtitleCue? {
        guard case .image(let image) = cue.body, isWanted, let known = state.read({ $0.bodies[cue.id] }), let body = known else {
            return nil
        }
        return SubtitleCue(
            id: cue.id, track: cue.track, start: cue.start, end: cue.end, body: body, placement: Self.placement(image))
    }

    /// The third of the canvas that it stands in.
    static func placement(_ image: SubtitleImage) -> SubtitleTextPlacement? {
        let middle = (image.y + image.height / 2) * 3, height = max(1, image.canvasSize.height)
        return middle < height
            ? SubtitleTextPlacement(alignment: 8) : middle < height * 3 / 2 ? SubtitleTextPlacement(alignment: 5) : nil
    }

    /// The program's output as lines that are safe to display. It takes a lone I for a bar.
    static func body(_ text: String) -> SubtitleCue.Body? {
        let lines = DisplayText.lines(text.replacing("|", with: "I"), lineLimit: 6)
        return lines.isEmpty ? nil : .text(lines.joined(separator: "\n"))
    }

    // MARK: - The thread

    /// Runs until `stop`.
    func run() {
        guard let tesseract = Tesseract.find(in: getenv("PATH").map { String(cString: $0) } ?? "") else { return end() }
        run(tesseract)
    }

    func run(_ tesseract: Tesseract) {
        program.update { $0 = tesseract }
        while true {
            let next: (cue: SubtitleCue, language: String?)?? = state.wait { state in
                if state.isOver { return .some(nil) }
                state.present = state.waiting.last?.id
                return state.waiting.popLast().map { ($0, state.languages[$0.track]) }
            }
            guard case .some(.some(let next)) = next else { return }
            guard case .image(let image) = next.cue.body else { continue }
            let text = GreyBitmap(image).map { tesseract.text(in: $0, language: next.language) } ?? ""
            let body = Self.body(text)
            state.update { state in
                if state.bodies.count >= Self.knownLimit { state.bodies = [:] }
                state.bodies[next.cue.id] = .some(body)
            }
            if body != nil { changed() }
        }
    }

    private func end() { state.update { $0.isOver = true } }

    /// Ends the thread. Any thread; never blocks.
    func stop() {
        end()
        program.read { $0 }?.stop()
    }
}
