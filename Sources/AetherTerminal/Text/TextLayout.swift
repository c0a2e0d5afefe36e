import AetherCore
import CFriBidi

/// Breaks text into lines of so many cells and puts each into the order in which it is shown: lines break where `LineBreak` allows,
/// direction and Arabic shapes are those of UAX #9. Bounded; never blocks.
public enum TextLayout {
    /// No subtitle that can be read has more.
    private static let scalarLimit = 4000

    /// The lines of a text in several runs; "\n" ends a line. `width` is in cells; a character that is wider than it is left out.
    public static func lines(_ runs: [String], width: Int) -> [TextLine] {
        var scalars: [Unicode.Scalar] = [], owners: [Int] = [], lines: [TextLine] = []
        func finish() {
            if !scalars.isEmpty { lines += Paragraph(scalars, owners).lines(width: max(1, width)) }
            (scalars, owners) = ([], [])
        }
        var count = 0
        for (index, run) in runs.enumerated() {
            for scalar in run.unicodeScalars {
                count += 1
                if count > scalarLimit { break }
                if scalar == "\n" {
                    finish()
                } else if !DisplayText.isUnsafe(scalar) {
                    scalars.append(scalar)
                    owners.append(index)
                }
            }
        }
        finish()
        return lines
    }
}

/// One paragraph on its way to lines. Arrays are by scalar, in the order of reading.
private struct Paragraph {
    /// A letter with its marks: the scalars from `start` on.
    private struct Cluster {
        let start: Int
        var end: Int
        let columns: Int
    }

    private let owners: [Int]
    private var scalars: [UInt32]
    private var levels: [FriBidiLevel]
    private var types: [FriBidiCharType]
    private var direction = aether_bidi_paragraph_by_content()

    init(_ text: [Unicode.Scalar], _ owners: [Int]) {
        self.owners = owners
        scalars = text.map(\.value)
        let count = text.count
        types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: count)
        levels = [FriBidiLevel](repeating: 0, count: count)
        var brackets = [FriBidiBracketType](repeating: 0, count: count)
        let length = FriBidiStrIndex(count)
        fribidi_get_bidi_types(scalars, length, &types)
        fribidi_get_bracket_types(scalars, length, types, &brackets)
        guard fribidi_get_par_embedding_levels_ex(types, brackets, length, &direction, &levels) > 1 else { return }
        // Something is read from right to left: letters get the shapes that they have beside each other.
        var joins = [FriBidiArabicProp](repeating: 0, count: count)
        fribidi_get_joining_types(scalars, length, &joins)
        fribidi_join_arabic(types, length, levels, &joins)
        fribidi_shape(aether_bidi_shape_flags(), levels, length, &joins, &scalars)
    }

    private var isRightToLeft: Bool { direction.rawValue & 1 != 0 }

    // MARK: - Breaking

    func lines(width: Int) -> [TextLine] {
        let clusters = clusters()
        var lines: [TextLine] = []
        var start = 0
        while start < clusters.count {
            let end = lineEnd(clusters, from: start, width: width)
            let line = shown(clusters[start..<end])
            if !line.glyphs.isEmpty { lines.append(line) }
            start = end
        }
        return lines
    }

    /// The cluster behind the last of a line: at the last place where a break is allowed, else where the line is full.
    private func lineEnd(_ clusters: [Cluster], from start: Int, width: Int) -> Int {
        var columns = 0, allowed: Int?
        var index = start
        while index < clusters.count {
            let cluster = clusters[index]
            columns += cluster.columns
            // A space at the end of a line is not shown.
            let isSpace = scalars[cluster.start] == 0x20
            if columns > width, !isSpace { return max(allowed ?? index, start + 1) }
            index += 1
            if index < clusters.count, LineBreak.isAllowed(scalars[cluster.start], before: scalars[clusters[index].start]) {
                allowed = index
            }
        }
        return index
    }

    private func clusters() -> [Cluster] {
        var clusters: [Cluster] = []
        var joinsNext = false
        for index in scalars.indices {
            guard let scalar = Unicode.Scalar(scalars[index]) else { continue }
            let columns = ChromeText.columns(of: scalar)
            // Emoji joined to one, or tinted: terminals disagree on their width, so the first alone is shown.
            let isTint = 0x1F3FB...0x1F3FF ~= scalar.value
            if !clusters.isEmpty, columns == 0 || isTint || joinsNext && columns == 2 {
                clusters[clusters.count - 1].end = index + 1
            } else if columns > 0 {
                clusters.append(Cluster(start: index, end: index + 1, columns: columns))
            }
            joinsNext = scalar.value == 0x200D
        }
        return clusters
    }

    // MARK: - Showing

    /// The clusters of one line in the order from left to right.
    private func shown(_ line: ArraySlice<Cluster>) -> TextLine {
        var line = line
        while let last = line.last, scalars[last.start] == 0x20 { line.removeLast() }
        guard let first = line.first, let last = line.last else { return TextLine(glyphs: [], isRightToLeft: isRightToLeft) }
        var order = (0..<FriBidiStrIndex(scalars.count)).map { $0 }
        var changed = levels
        _ = fribidi_reorder_line(
            aether_bidi_reorder_flags(), types, FriBidiStrIndex(last.end - first.start), FriBidiStrIndex(first.start), direction,
            &changed, nil, &order)
        var owner: [Int: Cluster] = [:]
        for cluster in line { owner[cluster.start] = cluster }
        let glyphs = order[first.start..<last.end].compactMap { index in owner[Int(index)].flatMap { glyph($0) } }
        return TextLine(glyphs: glyphs, isRightToLeft: isRightToLeft)
    }

    private func glyph(_ cluster: Cluster) -> TextLine.Glyph? {
        guard let base = Unicode.Scalar(scalars[cluster.start]) else { return nil }
        let marks = scalars[(cluster.start + 1)..<cluster.end].compactMap { Unicode.Scalar($0) }.filter { Self.isMark($0) }
        return TextLine.Glyph(
            glyph: GlyphCluster.glyph(base, marks: marks), columns: cluster.columns, run: owners[cluster.start])
    }

    /// True for a mark on the letter before it; not for joiners and selectors of emoji.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard ChromeText.columns(of: scalar) == 0, !DisplayText.isUnsafe(scalar) else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return !(0xFE00...0xFE0F ~= scalar.value)
        case .otherLetter: return 0x1160...0x11FF ~= scalar.value
        default: return false
        }
    }
}
