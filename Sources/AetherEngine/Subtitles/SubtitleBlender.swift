import AetherCore
import AetherMedia

/// Puts subtitles into frames. Lives on the `pace` thread; what has not changed since the last frame is not drawn again.
struct SubtitleBlender: ~Copyable {
    private let cues: CueStore
    /// Header of a track's script, nil for other tracks.
    private let header: @Sendable (TrackID) -> String?
    private let fonts: @Sendable () -> [FontAttachment]
    /// Pixels of the file as it is stored.
    private let storage: PixelSize?
    /// Whether a frame is shown as text instead.
    private let isRead: @Sendable (SubtitleCue) -> Bool

    private(set) var script: ScriptLayer?
    private var scriptTrack: TrackID?
    private var frame: Frame?
    /// Frames as they were scaled last, by cue.
    private var images: [Int: SubtitleLayer] = [:]
    /// A disc's buttons as they were drawn last.
    private var menuLayer: (key: [Int], layer: SubtitleLayer?)?
    private var slowCount = 0
    private var isTooSlow = false
    private static var log: ModuleLog { Log.module("subtitles") }
    /// A script whose frames take longer than this over and over would hold up the video: it is shown no more.
    private static let patience = TimeSpan.milliseconds(100)
    private static let patienceLimit = 10

    private struct Frame: Equatable {
        let size: PixelSize
        let pixelAspect: Double
        let scale, position: Double
        let burning: SubtitleBurning
        let look: SubtitleLook
    }

    init(
        cues: CueStore, storage: PixelSize?, header: @escaping @Sendable (TrackID) -> String?,
        fonts: @escaping @Sendable () -> [FontAttachment], isRead: @escaping @Sendable (SubtitleCue) -> Bool = { _ in false }
    ) {
        self.isRead = isRead
        self.cues = cues
        self.storage = storage
        self.header = header
        self.fonts = fonts
    }

    /// The frame of a time with its subtitles in it.
    mutating func blended(
        _ image: consuming RasterImage, at time: MediaTime, _ choice: SubtitleChoice, _ demand: RasterDemand,
        clock: any TimeSource
    ) -> RasterImage {
        let layers = layers(at: time, on: image.size, choice, demand, clock: clock)
        for layer in layers { layer.blend(onto: &image) }
        return image
    }

    /// The subtitle of a disc's menu, the selected button in its colours; nil where there is none. The same value as before where nothing has changed.
    mutating func layer(of menu: MenuBoard, at time: MediaTime, on size: PixelSize, _ demand: RasterDemand) -> SubtitleLayer? {
        guard let (key, image) = menu.overlay(at: time) else { return nil }
        let wanted = key + [size.width, size.height, Int(demand.pixelAspect * 1000)]
        if let menuLayer, menuLayer.key == wanted { return menuLayer.layer }
        let layer = SubtitleScaler.layer(image(), on: size, pixelAspect: demand.pixelAspect)
        menuLayer = (wanted, layer)
        return layer
    }

    /// The layers of a frame of this size at a time, in the order of drawing. The same values as before where nothing has changed.
    mutating func layers(
        at time: MediaTime, on size: PixelSize, _ choice: SubtitleChoice, _ demand: RasterDemand, clock: any TimeSource
    ) -> [SubtitleLayer] {
        guard demand.burning != .none, choice.track != nil || choice.secondary != nil else { return [] }
        let wanted = Frame(
            size: size, pixelAspect: demand.pixelAspect, scale: choice.style.scale, position: choice.style.position,
            burning: demand.burning, look: choice.style.look)
        if wanted != frame {
            frame = wanted
            images = [:]
            script?.setFrame(wanted.size, wanted.pixelAspect, storage, choice)
        }
        let point = choice.cueTime(at: time)
        var layers: [SubtitleLayer] = []
        for track in [choice.track, choice.secondary].compactMap({ $0 }) {
            layers += imageLayers(track, at: point, choice, demand)
        }
        if let track = choice.track, let layer = scriptLayer(track, at: point, choice, demand, clock) { layers.append(layer) }
        return layers
    }

    private mutating func imageLayers(
        _ track: TrackID, at point: MediaTime, _ choice: SubtitleChoice, _ demand: RasterDemand
    ) -> [SubtitleLayer] {
        guard let size = frame?.size else { return [] }
        var layers: [SubtitleLayer] = [], kept: [Int: SubtitleLayer] = [:]
        for cue in cues.visible(track: track, at: point) where choice.shows(cue) {
            guard case .image(let image) = cue.body, !isRead(cue),
                let layer = images[cue.id] ?? SubtitleScaler.layer(image, on: size, pixelAspect: demand.pixelAspect)
            else { continue }
            layers.append(layer)
            kept[cue.id] = layer
        }
        for (id, layer) in kept { images[id] = layer }
        // Two tracks of a few frames each.
        if images.count > 64 { images = kept }
        return layers
    }

    // MARK: - Scripts

    private mutating func scriptLayer(
        _ track: TrackID, at point: MediaTime, _ choice: SubtitleChoice, _ demand: RasterDemand, _ clock: any TimeSource
    ) -> SubtitleLayer? {
        if track != scriptTrack {
            (scriptTrack, script, slowCount, isTooSlow) = (track, nil, 0, false)
        }
        let plain = demand.burning == .whole ? ASSRenderer.plainHeader : nil
        guard !isTooSlow, let header = header(track) ?? plain else { return nil }
        if script == nil { open(header, choice) }
        let began = clock.now()
        let layer = script?.layer(at: point, track: track, cues: cues, burning: demand.burning)
        slowCount = clock.now() - began > Self.patience ? slowCount + 1 : max(0, slowCount - 1)
        if slowCount >= Self.patienceLimit {
            Self.log.warning("the script of track \(track.number) takes too long to draw and is shown no more")
            (isTooSlow, script) = (true, nil)
        }
        return layer
    }

    private mutating func open(_ header: String, _ choice: SubtitleChoice) {
        do throws(MediaError) {
            script = ScriptLayer(try ASSRenderer(header: header, fonts: fonts()), isPlain: header == ASSRenderer.plainHeader)
            if let frame { script?.setFrame(frame.size, frame.pixelAspect, storage, choice) }
        } catch {
            Self.log.warning("\(error)")
            isTooSlow = true
        }
    }
}

/// A script's renderer with the events around the present ones.
final class ScriptLayer {
    private var renderer: ASSRenderer
    private var known: Set<Int> = []
    private var revision = -1
    private var burning = SubtitleBurning.none
    private var window = MediaTime.zero..<MediaTime.zero
    /// The texts without a script that libass has.
    private var plain: PlainEvents?
    private var plainCount = 0
    /// Numbers of events that no cue has.
    private static let plainNumbers = 1 << 30
    /// The layer that does not move, and until when: libass is not asked meanwhile.
    private var still: (span: Range<MediaTime>, layer: SubtitleLayer?)?
    /// The number of calls of libass.
    private(set) var drawCount = 0
    /// Events are given to libass this long ahead.
    private static let ahead = TimeSpan.seconds(10)

    /// The script is the player's own.
    private let isPlain: Bool

    init(_ renderer: consuming ASSRenderer, isPlain: Bool = false) {
        self.renderer = renderer
        self.isPlain = isPlain
    }

    func setFrame(_ size: PixelSize, _ pixelAspect: Double, _ storage: PixelSize?, _ choice: SubtitleChoice) {
        still = nil
        renderer.setFrame(
            size, pixelAspect: pixelAspect, storage: storage, fontScale: choice.style.scale, linePosition: choice.style.position)
        renderer.setLook(choice.style.look, isScript: !isPlain)
    }

    func layer(at point: MediaTime, track: TrackID, cues: CueStore, burning: SubtitleBurning) -> SubtitleLayer? {
        if burning != self.burning {
            self.burning = burning
            forget()
        }
        let present = cues.revision(track: track)
        if present != revision || !window.contains(point) {
            // Texts without a script would stand there twice.
            if plain != nil { forget() }
            revision = present
            still = nil
            window = point..<(point + Self.ahead)
            for cue in cues.cues(track: track, overlapping: point..<(point + Self.ahead + .seconds(1)))
            where burning.contains(cue) {
                add(cue)
            }
        }
        if let still, still.span.contains(point) { return still.layer }
        if burning == .whole { showPlain(cues, track, at: point) }
        drawCount += 1
        let layer = renderer.layer(at: point)
        let moves = cues.visible(track: track, at: point).contains { burning.contains($0) && Self.isAnimated($0) }
        let end = min(window.upperBound, cues.nextChange(track: track, after: point) ?? window.upperBound)
        still = moves || end <= point ? nil : (point..<end, layer)
        return layer
    }

    /// Whether an event looks different while it stands: transforms, moves, fades, karaoke, or an effect that scrolls.
    static func isAnimated(_ cue: SubtitleCue) -> Bool {
        guard let markup = cue.markup else { return false }
        let fields = markup.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        guard fields.count == 8 else { return true }
        if !fields[6].isEmpty { return true }
        return fields[7].split(separator: "\\").dropFirst().contains { tag in
            ["t(", "move", "fad", "k", "K"].contains { tag.hasPrefix($0) }
        }
    }

    /// Texts without a script are events of what stands together: others as soon as one comes or goes.
    private func showPlain(_ cues: CueStore, _ track: TrackID, at point: MediaTime) {
        let visible = cues.visible(track: track, at: point), present = PlainEvents(visible)
        guard present != plain else { return }
        if plain != nil {
            renderer.removeAll()
            known = []
            for cue in cues.cues(track: track, overlapping: window) { add(cue) }
        }
        plain = present
        guard let present else { return }
        for markup in PlainEvents.markups(visible) {
            plainCount += 1
            let number = Self.plainNumbers + plainCount % Self.plainNumbers
            _ = renderer.add(markup, number: number, start: present.span.lowerBound, end: present.span.upperBound)
        }
    }

    private func add(_ cue: SubtitleCue) {
        guard let markup = cue.markup, !known.contains(cue.id) else { return }
        if !renderer.add(markup, number: cue.id, start: cue.start, end: cue.end) {
            // Old events go all at once; those that are still needed come again with the next frame.
            forget()
            return
        }
        known.insert(cue.id)
    }

    private func forget() {
        renderer.removeAll()
        known = []
        plain = nil
        revision = -1
        still = nil
    }
}
