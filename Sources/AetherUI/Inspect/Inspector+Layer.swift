import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

extension Inspector: ListLayer {
    var wheelRows: Int { 3 }
    var keepsBar: Bool { true }
    var takesText: Bool { query != nil }

    func frame(in scene: Scene) -> ListFrame? { InspectorPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { InspectorPane(self, scene)?.pane }
    func rect(in scene: Scene) -> CellRect? { InspectorPane(self, scene)?.rect }

    mutating func settle(in scene: Scene) {
        if let frame = frame(in: scene) { settle(frame.window) }
    }

    mutating func step(_ direction: Int, wraps: Bool) { cursor.move(by: direction, of: total) }
    mutating func move(by rows: Int) { cursor.move(by: rows, of: total) }
    mutating func moveToFirst() { cursor.move(by: Int.min, of: total) }
    mutating func moveToLast() { cursor.move(by: Int.max, of: total) }

    mutating func select(_ row: Int) -> Bool {
        guard (0..<total).contains(row) else { return false }
        cursor.row = row
        return true
    }

    /// The bytes of the part that is selected now.
    var moved: LayerOutcome {
        guard tab == .boxes, let box, bytes?.offset != box.offset || bytes?.segment != segment else { return LayerOutcome() }
        return LayerOutcome(.effect(.inspect(.bytes(offset: box.offset, count: 1024, segment: segment))))
    }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if query != nil {
            switch stroke.key {
            case .enter, .escape, .tab: endSearch()
            case .backspace: type(nil)
            case .character(let character): type(character)
            default: return nil
            }
            return moved
        }
        switch stroke.key {
        case .tab: return leave(in: scene)
        case .left where tab == .boxes: fold(opens: false)
        case .right where tab == .boxes: fold(opens: true)
        case .up where tab == .video: frames.movePoint(0, -1)
        case .down where tab == .video: frames.movePoint(0, 1)
        case .left where tab == .video: frames.movePoint(-1, 0)
        case .right where tab == .video: frames.movePoint(1, 0)
        case .up where tab == .decode, .down where tab == .decode:
            step(stroke.key == .up ? -1 : 1, wraps: false)
            frames.choose(cursor.row, position: scene.shownPosition)
        case .left, .right: return nil
        case .character("v") where tab == .decode: frames.toggleVectors()
        case .character("m") where tab == .decode: frames.toggleMap()
        case .character("g") where tab == .decode || tab == .video: frames.toggleGrain()
        case .character("f") where tab == .decode || tab == .video: frames.follow()
        case .character("/") where tab == .boxes || tab == .samples: beginSearch()
        case .character("n") where tab == .boxes: findNext()
        case .character("s") where tab == .samples: listNext(position: scene.shownPosition)
        case .character("o") where tab == .samples: sortNext(position: scene.shownPosition)
        case .character("f") where tab == .samples: select(at: scene.shownPosition)
        case .character(let character):
            guard let number = character.wholeNumberValue, let tab = Tab(rawValue: number - 1) else { return nil }
            show(tab)
            if tab == .samples { select(at: scene.shownPosition) }
        default: return nil
        }
        return moved
    }

    /// A part unfolds or folds; of a sample its time is gone to.
    mutating func choose(in scene: Scene) -> LayerOutcome? {
        switch tab {
        case .boxes:
            let isOpen = tree.rows.indices.contains(cursor.row) && tree.rows[cursor.row].isOpen
            fold(opens: !isOpen)
            return moved
        case .samples:
            guard let samples, let sample, let ticks = sample.pts ?? sample.dts else { return LayerOutcome() }
            guard scene.canSeek else { return LayerOutcome(.refuseSeek) }
            let time = MediaTime(ticks: ticks, in: samples.timeBase(sample.stream))
            return LayerOutcome(.seek(to: scene.clamped(time), .exact, saying: translated("Sample \(sample.number)")))
        case .decode:
            guard frames.look.frames.indices.contains(cursor.row), let time = frames.look.frames[cursor.row].pts else {
                return LayerOutcome()
            }
            guard scene.canSeek else { return LayerOutcome(.refuseSeek) }
            return LayerOutcome(.seek(to: scene.clamped(time), .exact, saying: translated("Frame \(cursor.row + 1)")))
        case .video, .audio, .buffers: return LayerOutcome()
        }
    }

    /// A click selects alone, and a second one on the row chooses.
    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome {
        if tab == .decode { frames.choose(cursor.row, position: scene.shownPosition) }
        return tab == .boxes ? choose(in: scene) ?? moved : moved
    }

    /// The pointer over a frame's planes says which point is told of; all else is as in every list.
    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard tab == .video, isInside, event.action == .press || event.action == .move || event.action == .drag,
            let rect = InspectorPane(self, scene)?.insetRect, rect.contains(column: event.x, row: event.y),
            let size = frames.view?.look.image?.size, let box = frames.view?.request.wish.box
        else { return listMouse(event, isInside: isInside, in: scene, now: now) }
        let x = (Double(event.x - rect.column) + 0.5) / Double(rect.columns)
        let y = (Double(event.y - rect.row) + 0.5) / Double(rect.rows)
        let hasTone = frames.look.hasToneCurve
        if let point = LevelsMontage.point(x: x, y: y, of: size, in: box, hasTone: hasTone) { frames.point = point }
        return LayerOutcome()
    }

    /// The frame to ask for now, for the room that there is for it; nil: none.
    mutating func nextFrame(in scene: Scene, _ now: HostTime) -> FrameRequest? {
        guard let box = InspectorPane(self, scene)?.frameBox else { return nil }
        return frames.next(
            levels: tab == .video, box: box, position: scene.shownPosition, isPlaying: scene.snapshot.phase == .playing, now: now)
    }

    /// The meters say something.
    mutating func take(_ view: AudioView, in scene: Scene, at now: HostTime) {
        audio.take(view, box: InspectorPane(self, scene)?.imageBox, at: now)
    }

    /// The image of the open tab; nil where it has none, or no room.
    func inset(in scene: Scene) -> ChromeInset? { InspectorPane(self, scene)?.inset }

    mutating func leave(in scene: Scene) -> LayerOutcome { LayerOutcome(closes: true, .effect(.inspect(.close)), .touchBar) }
}
