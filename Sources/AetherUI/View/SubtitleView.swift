import AetherCore
import AetherEngine
import AetherTerminal

/// The visible cues as lines of cells: where the file wants them on the video, else at the bottom, above the bar. Pure.
enum SubtitleView {
    /// 8 lines: four cues of two lines at once; more is a broken file.
    static let limit = 8

    /// The lines, and where they are. `lower` is what must not be covered at the bottom, `lists` what lies over the video: text that would be
    /// under one of them stands in the part that they leave.
    static func lines(_ scene: Scene, above lower: CellRect?, beside lists: [CellRect]) -> [SubtitleLine] {
        let usual = lines(scene, above: lower)
        let isCovered = usual.contains { line in
            lists.contains { $0.overlaps(CellRect(column: line.column, row: line.row, columns: max(1, line.columns), rows: 1)) }
        }
        let bottom = min(scene.size.rows, lower?.row ?? scene.size.rows)
        guard isCovered, let room = FreeArea.of(scene.size, above: bottom, beside: lists) else { return usual }
        var part = scene
        part.size = CellSize(columns: room.columns, rows: room.rows)
        return lines(part, above: nil).map { line in
            var line = line
            (line.column, line.row) = (line.column + room.column, line.row + room.row)
            return line
        }
    }

    /// The lines with nothing over the video.
    static func lines(_ scene: Scene, above lower: CellRect?) -> [SubtitleLine] {
        guard scene.size.columns >= 8, scene.size.rows > 0 else { return [] }
        let bottom = min(scene.size.rows, lower?.row ?? scene.size.rows)
        var stack = SubtitleStack(
            screen: scene.size, frame: frame(scene), bottom: bottom - (scene.size.rows >= 10 ? 1 : 0) - scene.subtitleLift)
        for (block, placement) in blocks(scene) { stack.add(block, placement) }
        // The second track stands at the top, where the first leaves room.
        for cue in distinct(scene.snapshot.secondaryCues.suffix(limit)) {
            stack.add(block(cue, scene), SubtitleTextPlacement(alignment: 8))
        }
        return stack.placed
    }

    /// The first track's cues; those that hang on one point of the video are one block, the first on top.
    private static func blocks(_ scene: Scene) -> [(lines: [SubtitleLine], placement: SubtitleTextPlacement?)] {
        var blocks: [(lines: [SubtitleLine], placement: SubtitleTextPlacement?)] = []
        for cue in distinct(scene.snapshot.visibleCues.suffix(limit)) {
            let lines = block(cue, scene)
            if cue.placement?.position != nil, let index = blocks.firstIndex(where: { $0.placement == cue.placement }) {
                blocks[index].lines += lines
            } else {
                blocks.append((lines, cue.placement))
            }
        }
        return blocks
    }

    /// Scripts draw one text in several layers, an outline and a filling; in cells that is one text.
    private static func distinct(_ cues: some Sequence<SubtitleCue>) -> [SubtitleCue] {
        var kept: [SubtitleCue] = []
        for cue in cues where !kept.contains(where: { $0.lines == cue.lines && $0.placement == cue.placement }) {
            kept.append(cue)
        }
        return kept
    }

    /// One cue, laid out; its lines have no place yet.
    private static func block(_ cue: SubtitleCue, _ scene: Scene) -> [SubtitleLine] {
        guard let runs = cue.body.runs else { return [] }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        // A tenth of the width stays free, as on television.
        let width = max(6, scene.size.columns * 9 / 10 - 2)
        let looks = runs.map { run in
            var look = SubtitleLine.Look(color: scene.capabilities.hasColor ? run.color.map { readable($0) } : nil)
            if run.isBold { look.style.insert(.bold) }
            if run.isItalic { look.style.insert(.italic) }
            if run.isUnderlined { look.style.insert(.underline) }
            return look
        }
        // Safe already, but the view trusts no caller.
        let texts = runs.map { run in
            glyphs.shown(
                String(String.UnicodeScalarView(run.text.unicodeScalars.filter { $0 == "\n" || !DisplayText.isUnsafe($0) })))
        }
        return TextLayout.lines(texts, width: width).prefix(limit).map {
            SubtitleLine(column: 0, row: 0, glyphs: $0.glyphs, looks: looks)
        }
    }

    /// The colour, lifted where it would be lost on a dark ground: its luma is at least 100 of 255.
    static func readable(_ color: SubtitleColor) -> CellColor {
        let luma = (Int(color.r) * 2126 + Int(color.g) * 7152 + Int(color.b) * 722) / 10000
        guard luma < 100 else { return .rgb(color.r, color.g, color.b) }
        func lifted(_ part: UInt8) -> UInt8 { UInt8(Int(part) + (255 - Int(part)) * (100 - luma) / max(1, 255 - luma)) }
        return .rgb(lifted(color.r), lifted(color.g), lifted(color.b))
    }

    /// The cells that the video fills: as large as fits, in the middle; the whole screen where its shape is not known.
    private static func frame(_ scene: Scene) -> CellRect {
        let size = scene.size
        let whole = CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
        guard let video = scene.snapshot.videoSize, (1...65536).contains(video.width), (1...65536).contains(video.height) else {
            return whole
        }
        let shape = Double(video.width) / Double(video.height) / scene.cellAspect
        let columns = min(size.columns, Int((Double(size.rows) * shape).rounded()))
        let rows = min(size.rows, Int((Double(size.columns) / shape).rounded()))
        guard columns > 0, rows > 0 else { return whole }
        return CellRect(
            column: (size.columns - columns) / 2, row: (size.rows - rows) / 2, columns: columns, rows: rows)
    }
}
