/// The elements SegmentTemplate, SegmentList and SegmentBase of a representation. Each attribute is that of the innermost
/// element that has it: of the representation, else of its set, else of its period.
struct MPDSegments {
    /// Entries of a SegmentList at most.
    static let listLimit = 1 << 18

    /// The elements, innermost first, each of which may have addressing.
    let levels: [XMLElement]
    let place: PeriodPlace
    /// Periods without an end go on.
    let isDynamic: Bool
    private func first<Value>(
        _ elements: [XMLElement], _ read: (XMLElement) throws(StreamFault) -> Value?
    ) throws(StreamFault) -> Value? {
        for element in elements {
            if let value = try read(element) { return value }
        }
        return nil
    }

    /// The segments of a representation at its servers.
    func segments(
        id: String, bandwidth: Int64, isWebM: Bool, bases: [StreamAddress], timelines: inout [TimelineKey: TimelineRuns]
    ) throws(StreamFault) -> PeriodSegments {
        let templates = levels.compactMap { $0.child("SegmentTemplate") }, lists = levels.compactMap { $0.child("SegmentList") }
        let base = levels.compactMap { $0.child("SegmentBase") }
        // The innermost kind decides where levels differ.
        let level = { (name: StaticString) in levels.firstIndex { $0.child(name) != nil } ?? .max }
        let innermost = min(level("SegmentTemplate"), level("SegmentList"), level("SegmentBase"))
        if innermost < .max, innermost == level("SegmentTemplate"),
            let media = templates.lazy.compactMap({ $0.attribute("media") }).first
        {
            let template = AddressTemplate(media, representation: id, bandwidth: bandwidth)
            var result = try addressed(templates, bases: bases, media: .template(template), timelines: &timelines)
            if let text = templates.lazy.compactMap({ $0.attribute("initialization") }).first {
                let written = AddressTemplate(text, representation: id, bandwidth: bandwidth)
                result.map = InitReference(text: written.text(.init(number: 0, time: 0, subNumber: 0)), range: nil)
            }
            return result
        }
        if innermost < .max, innermost == level("SegmentList") {
            let list = try urls(lists)
            if !list.entries.isEmpty { return try addressed(lists, bases: bases, media: .list(list), timelines: &timelines) }
        }
        return try whole(base + templates + lists, isWebM: isWebM, bases: bases)
    }

    // MARK: - One by one

    private func urls(_ lists: [XMLElement]) throws(StreamFault) -> SegmentURLs {
        guard let list = lists.first(where: { $0.child("SegmentURL") != nil }) else {
            return SegmentURLs(bytes: [], entries: [])
        }
        let elements = list.children("SegmentURL", limit: Self.listLimit + 1)
        guard elements.count <= Self.listLimit else { throw StreamFault(.tooMany("segments"), line: list.line) }
        var entries: [SegmentURLs.Entry] = []
        entries.reserveCapacity(elements.count)
        for element in elements {
            entries.append(.init(media: element.range("media"), range: try element.byteRange("mediaRange")))
        }
        return SegmentURLs(bytes: list.tree.bytes, entries: entries)
    }

    private func addressed(
        _ elements: [XMLElement], bases: [StreamAddress], media: PeriodSegments.Media,
        timelines: inout [TimelineKey: TimelineRuns]
    ) throws(StreamFault) -> PeriodSegments {
        let place = try place(elements)
        var entries: Int64?
        if case .list(let list) = media { entries = Int64(list.entries.count) }
        let firstNumber = try first(elements, { element throws(StreamFault) in try element.count("startNumber") }) ?? 1
        var times = try times(elements, place, entries: entries, firstNumber: firstNumber, timelines: &timelines)
        let last = try first(elements, { element throws(StreamFault) in try element.count("endNumber") }) ?? announcedLast()
        let limit = min(entries ?? .max, last.map { max(0, $0 - firstNumber + 1) } ?? .max)
        if case .uniform(let origin, let duration, let count) = times {
            times = .uniform(origin: origin, duration: duration, count: min(count, limit))
        }
        let full = 0..<min(times.count, limit)
        var result = PeriodSegments(
            place: place, times: times, media: media, bases: bases, map: try map(elements), firstNumber: firstNumber, full: full,
            window: full)
        if isDynamic, isByClock(elements) {
            result.earliness =
                elements.lazy.compactMap { $0.attribute("availabilityTimeOffset") }.first.map(MPDValue.offset) ?? .zero
        }
        result.clip()
        return result
    }
    /// Whether the segments are there by the clock. A list, and a timeline, names only what is there, but for one that goes on by itself.
    private func isByClock(_ elements: [XMLElement]) -> Bool {
        if elements.contains(where: { $0.child("SegmentURL") != nil }) { return false }
        guard let timeline = elements.lazy.compactMap({ $0.child("SegmentTimeline") }).first else { return true }
        return timeline.lastChild("S")?.attribute("r")?.hasPrefix("-") == true
    }

    /// Parts of a segment come while the rest of it is made.
    var isChunked: Bool {
        levels.contains { level in
            [level.child("SegmentTemplate"), level.child("SegmentBase")].contains {
                $0?.attribute("availabilityTimeComplete") == "false"
            }
        }
    }

    /// The number of the last segment, where a property of the set or the representation says it.
    private func announcedLast() -> Int64? {
        for level in levels {
            for property in level.children("SupplementalProperty", limit: 100)
            where property.attribute("schemeIdUri")?.lowercased() == "http://dashif.org/guidelines/last-segment-number" {
                let bytes = Array((property.attribute("value") ?? "").utf8)
                if let number = HLSNumber.integer(bytes, 0..<bytes.count) { return number }
            }
        }
        return nil
    }

    /// The period's place in the media's scale.
    private func place(_ elements: [XMLElement]) throws(StreamFault) -> PeriodPlace {
        var place = place
        place.timescale = try first(elements, { element throws(StreamFault) in try element.count("timescale") }) ?? 1
        guard (1...1 << 32).contains(place.timescale) else {
            throw StreamFault(.number("timescale"), line: elements.first?.line)
        }
        place.offset = try first(elements, { element throws(StreamFault) in try element.count("presentationTimeOffset") }) ?? 0
        place.mediaOffset = place.start - Ticks(place.offset, timescale: place.timescale)
        return place
    }

    private func map(_ elements: [XMLElement]) throws(StreamFault) -> InitReference? {
        guard let element = elements.lazy.compactMap({ $0.child("Initialization") ?? $0.child("Initialisation") }).first else {
            return nil
        }
        return InitReference(text: element.attribute("sourceURL") ?? "", range: try element.byteRange("range"))
    }

    // MARK: - One file

    /// A file as one segment, and the search for its index. A plain file without a stated index may have one, too.
    private func whole(_ elements: [XMLElement], isWebM: Bool, bases: [StreamAddress]) throws(StreamFault) -> PeriodSegments {
        let place = try place(elements)
        let range = try first(elements, { element throws(StreamFault) in try element.byteRange("indexRange") })
        let map = try map(elements)
        let length = place.end.map { max(1, ($0 - place.start).rescaledDown(to: place.timescale)) } ?? place.timescale
        var result = PeriodSegments(
            place: place, times: .uniform(origin: place.offset, duration: length, count: 1), media: .whole, bases: bases,
            map: map,
            firstNumber: 1, full: 0..<1, window: 0..<1)
        // Without an index the file brings its own header.
        if range == nil, map?.text.isEmpty != false { result.map = nil }
        if !elements.isEmpty {
            result.unread = MediaIndexSearch(isWebM: isWebM, range: range, header: map?.range)
        }
        return result
    }
}
