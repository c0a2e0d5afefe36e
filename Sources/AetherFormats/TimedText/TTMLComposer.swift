import AetherCore

/// Makes cues of a document's tree: one for each paragraph, or one for each span of time in which it stands differently. Regions and
/// `set` have their times, too. Bounded: cues, and the elements that are looked at in all.
struct TTMLComposer {
    /// A paragraph as it stands at one time in one region.
    private struct Lines {
        let region: String?
        var lines = StyledLines()
        /// The paragraph's own style, which places it.
        let style: TTMLStyle
    }

    private static let cueLimit = 20_000
    /// Times at which the parts of a paragraph change: karaoke has some tens.
    private static let pointLimit = 128
    /// Elements within one paragraph.
    private static let partLimit = 512
    /// Elements looked at, each once for every span of time of its paragraph: 16 MB of spans that all overlap take 1.5 s.
    private static let workLimit = 4 << 20
    /// Bytes of a paragraph at one time.
    private static let paragraphLength = 8000

    private let elements: [TTMLElement]
    private let regions: [String: Int]
    private let initial: TTMLStyle
    private let cells: (columns: Double, rows: Double)
    private let pixels: (width: Double, height: Double)?
    private var work = 0
    private var cues: [TimedTextCue] = []
    private let files: TTMLImageFiles
    /// In the document's order.
    private(set) var images: [TTMLImage] = []

    init(_ builder: consuming TTMLBuilder, _ files: TTMLImageFiles) {
        self.files = files
        var elements = builder.elements
        for root in builder.bodies + builder.regions.values { elements.resolveTimes(of: root, from: .zero, inSequence: false) }
        self.elements = elements
        (regions, initial, cells, pixels) = (builder.regions, builder.initial, builder.cells, builder.pixels)
        for body in builder.bodies { walk(body, within: .zero..<TTMLElement.forever) }
    }

    /// The cues in order of their starts.
    var finished: [TimedTextCue] {
        cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    private var isFull: Bool { cues.count + images.count >= Self.cueLimit || work >= Self.workLimit }

    private mutating func walk(_ index: Int, within limit: Range<TimeSpan>) {
        let active = elements[index].active.clamped(to: limit)
        guard !active.isEmpty, !isFull else { return }
        work += 1
        guard elements[index].kind == .p else {
            if let source = elements[index].image.flatMap({ files.source($0) }) { show(source, index, active) }
            for child in elements[index].children { walk(child, within: active) }
            return
        }
        if elements[index].isComplete { compose(index, active) }
    }

    // MARK: - Paragraphs

    private mutating func compose(_ paragraph: Int, _ active: Range<TimeSpan>) {
        var points: Set = [active.lowerBound, active.upperBound]
        var named: Set<String> = []
        var chain: [Int] = []
        var next: Int? = paragraph
        while let index = next {
            chain.insert(index, at: 0)
            next = elements[index].parent
        }
        for index in chain { collect(index, &points, &named) }
        var parts = 0
        collectParts(paragraph, &points, &named, &parts)
        for region in named.compactMap({ regions[$0] }) { collectTimes(region, &points) }
        let times = points.filter { active.contains($0) || $0 == active.upperBound }.sorted()
        // The last cue of each region, which goes on where nothing of it changes.
        var open: [String?: Int] = [:]
        for (begin, end) in zip(times, times.dropFirst()).prefix(Self.pointLimit) where !isFull {
            for part in lines(chain, at: begin, named) { add(part, begin..<end, &open) }
        }
    }

    private func collect(_ index: Int, _ points: inout Set<TimeSpan>, _ named: inout Set<String>) {
        if let region = elements[index].region { named.insert(region) }
        collectTimes(index, &points)
    }

    private func collectTimes(_ index: Int, _ points: inout Set<TimeSpan>) {
        for item in [index] + elements[index].sets.prefix(Self.pointLimit) {
            points.insert(elements[item].active.lowerBound)
            points.insert(elements[item].active.upperBound)
        }
    }

    private func collectParts(_ index: Int, _ points: inout Set<TimeSpan>, _ named: inout Set<String>, _ count: inout Int) {
        for child in elements[index].children where count < Self.partLimit {
            count += 1
            collect(child, &points, &named)
            collectParts(child, &points, &named, &count)
        }
    }

    private mutating func add(_ part: Lines, _ span: Range<TimeSpan>, _ open: inout [String?: Int]) {
        guard let body = part.lines.body else { return }
        let box = part.region.flatMap { regions[$0] }.map { style(of: $0, at: span.lowerBound) }
        let placement = box.flatMap { part.style.withBox(of: $0).placement(cells: cells, pixels: pixels) }
        let end: MediaTime? = span.upperBound == TTMLElement.forever ? nil : .zero + span.upperBound
        if let last = open[part.region], cues[last].end == .zero + span.lowerBound, cues[last].body == body,
            cues[last].placement == placement
        {
            cues[last] = TimedTextCue(start: cues[last].start, end: end, body: body, placement: placement)
            return
        }
        open[part.region] = cues.count
        cues.append(TimedTextCue(start: .zero + span.lowerBound, end: end, body: body, placement: placement))
    }

    // MARK: - Images

    /// The image of a division, for as long as that and its region are active. What is set meanwhile counts from its start only.
    private mutating func show(_ source: TTMLImage.Source, _ index: Int, _ active: Range<TimeSpan>) {
        var chain: [Int] = [], next: Int? = index
        while let element = next {
            chain.insert(element, at: 0)
            next = elements[element].parent
        }
        let region = chain.compactMap { elements[$0].region }.last.flatMap { regions[$0] }
        let span = region.map { elements[$0].active.clamped(to: active) } ?? active
        guard !span.isEmpty else { return }
        var style = region.map { self.style(of: $0, at: span.lowerBound).over(initial) } ?? initial
        var isRemoved = style.isRemoved
        for element in chain {
            style = self.style(of: element, at: span.lowerBound).over(style.inherited)
            isRemoved = isRemoved || style.isRemoved
        }
        guard !isRemoved, style.attributes["visibility"] != "hidden" else { return }
        let (origin, extent) = (region.map { self.style(of: $0, at: span.lowerBound) } ?? style).box(cells: cells, pixels: pixels)
        images.append(
            TTMLImage(
                start: .zero + span.lowerBound, end: span.upperBound == TTMLElement.forever ? nil : .zero + span.upperBound,
                source: source,
                box: .init(x: origin?.0 ?? 0, y: origin?.1 ?? 0, width: extent?.0, height: extent?.1),
                isForced: style.attributes["forcedDisplay"] == "true"))
    }

    // MARK: - At one time

    /// The style of an element with what is set at a time.
    private func style(of index: Int, at time: TimeSpan) -> TTMLStyle {
        var style = elements[index].style
        for set in elements[index].sets.prefix(Self.pointLimit) where elements[set].active.contains(time) {
            style = elements[set].style.over(style)
        }
        return style
    }

    /// The lines that a paragraph shows at a time, by region.
    private mutating func lines(_ chain: [Int], at time: TimeSpan, _ named: Set<String>) -> [Lines] {
        // Without any region all of it stands where the player has its subtitles.
        let known = named.filter { regions[$0] != nil }.sorted()
        let places: [String?] = known.isEmpty ? [nil] : known
        return places.compactMap { place -> Lines? in
            var inherited = initial
            if let region = place.flatMap({ regions[$0] }) {
                guard elements[region].active.contains(time) else { return nil }
                inherited = style(of: region, at: time).over(inherited)
                if inherited.isRemoved { return nil }
            }
            var region: String?
            for index in chain {
                inherited = style(of: index, at: time).over(inherited.inherited)
                region = elements[index].region ?? region
                let isElsewhere = elements[index].region.map { regions[$0] != nil && $0 != place } ?? false
                if inherited.isRemoved || isElsewhere { return nil }
            }
            guard let paragraph = chain.last else { return nil }
            var result = Lines(region: place, style: inherited), length = 0, parts = 0
            read(
                paragraph, at: time, style: inherited, isPlaced: place == nil || region == place, into: &result, &length, &parts)
            return result
        }
    }

    private mutating func read(
        _ index: Int, at time: TimeSpan, style inherited: TTMLStyle, isPlaced: Bool, into result: inout Lines,
        _ length: inout Int, _ parts: inout Int
    ) {
        for child in elements[index].children {
            guard parts < Self.partLimit, length < Self.paragraphLength, !result.lines.isFull else { return }
            (parts, work) = (parts + 1, work + 1)
            let element = elements[child]
            guard element.active.contains(time) else { continue }
            switch element.kind {
            case .text(let text):
                if isPlaced, !inherited.isHidden { write(text, element.keepsSpace, inherited.look, into: &result, &length) }
            case .lineBreak:
                if isPlaced, !style(of: child, at: time).over(inherited.inherited).isRemoved {
                    result.lines.append("\n", inherited.look)
                }
            default:
                let isElsewhere = element.region.map { regions[$0] != nil && $0 != result.region } ?? false
                let style = style(of: child, at: time).over(inherited.inherited)
                if isElsewhere || style.isRemoved { continue }
                read(
                    child, at: time, style: style, isPlaced: isPlaced || element.region == result.region, into: &result, &length,
                    &parts)
            }
        }
    }

    private func write(
        _ text: String, _ keepsSpace: Bool, _ look: SubtitleTextRun, into result: inout Lines, _ length: inout Int
    ) {
        for scalar in text.unicodeScalars {
            guard length < Self.paragraphLength else { return }
            length += UTF8.width(scalar)
            // Line breaks of the document are white space; those of `br` are not.
            let isBreak = !keepsSpace && (scalar == "\n" || scalar == "\r")
            result.lines.append(isBreak ? " " : scalar, look)
        }
    }
}

extension TTMLStyle {
    /// With the box of a region: that is not the paragraph's to change.
    fileprivate func withBox(of region: TTMLStyle) -> TTMLStyle {
        var result = self
        for name in Self.boxed { result.attributes[name] = region.attributes[name] }
        return result
    }
}
