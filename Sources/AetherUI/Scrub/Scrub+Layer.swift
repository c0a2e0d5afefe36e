import AetherCore
import AetherEngine
import AetherTerminal

extension Scrub: Layer {
    var level: LayerLevel { .preview }
    var keepsBar: Bool { true }
    var mark: MediaTime? { target }

    func pane(in scene: Scene) -> Pane? { ScrubView.pane(self, scene) }

    /// A key while keys scrub; nil: it means what it always does.
    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if stroke.key == .escape { return end }
        guard hand == .keys, stroke.modifiers.isSubset(of: .shift), let duration = scene.snapshot.duration else { return nil }
        switch stroke.key {
        case .left, .right:
            let direction = stroke.key == .left ? -1 : 1
            let step = pace.step(direction, in: duration, at: now)
            return look(
                at: target + (stroke.modifiers.contains(.shift) ? .seconds(Double(direction)) : step), in: scene, now: now)
        case .down, .up: return look(at: target + .seconds(stroke.key == .down ? -60 : 60), in: scene, now: now)
        case .pageDown, .pageUp:
            let chapters = scene.snapshot.chapters
            let count = stroke.key == .pageUp ? 1 : -1
            guard let index = ChapterStep.destination(from: target, count: count, chapters: chapters) else {
                return LayerOutcome()
            }
            return look(at: chapters[index].start, in: scene, now: now)
        case .home: return look(at: scene.snapshot.startTime, in: scene, now: now)
        case .end: return look(at: scene.snapshot.startTime + duration, in: scene, now: now)
        case .enter: return go(in: scene)
        default: return nil
        }
    }

    /// The mouse looks along the bar, which is no layer.
    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? { nil }

    private mutating func look(at point: MediaTime, in scene: Scene, now: HostTime) -> LayerOutcome {
        let target = scene.clamped(point)
        guard look(.keys, at: target, now: now) else { return LayerOutcome(.touchBar) }
        return LayerOutcome(.touchBar, .effect(.preview(target)))
    }

    /// Goes to the place that is looked at.
    func go(in scene: Scene) -> LayerOutcome {
        guard scene.canSeek else { return LayerOutcome(closes: true, .touchBar, .effect(.endPreview), .refuseSeek) }
        // The shown still comes first: the key frame at or before the place.
        let words = Timecode.text(target - scene.snapshot.startTime)
        return LayerOutcome(closes: true, .touchBar, .effect(.endPreview), .seek(to: target, .refined, saying: words))
    }

    /// Goes nowhere.
    var end: LayerOutcome { LayerOutcome(closes: true, .touchBar, .effect(.endPreview)) }

    func due(after snapshot: HostTime) -> HostTime? { until }

    mutating func expire(at now: HostTime) -> LayerOutcome? {
        until.map { now >= $0 } == true ? LayerOutcome(closes: true) : nil
    }
}
