import AetherCore

/// The tracks of one period.
struct MPDTracks {
    /// Representations of a document at most, and of a set.
    static let limit = 2000

    private(set) var tracks: [MPDTrack] = []
    /// The first reason for which a representation was left out.
    private(set) var fault: StreamFault?
    /// The representations that were read.
    private(set) var count = 0

    init(_ document: MPDDocument, _ period: MPDPeriod) throws(StreamFault) {
        let start = period.start
        let isLast = !document.isDynamic && period.id == document.periods.last?.id
        let place = PeriodPlace(
            timescale: 1, offset: 0, start: start, end: period.end,
            limit: isLast ? period.end.map { $0 + Ticks(1, timescale: 10) } : nil, continuity: start.rescaled(to: 1000).value,
            mediaOffset: start, wallZero: document.isOnClock ? document.availabilityStart : nil)
        let locations = MPDLocations(document.address).below(document.root).below(period.element)
        var timelines: [TimelineKey: TimelineRuns] = [:]
        let sets = period.element.children("AdaptationSet", limit: Self.limit + 1)
        guard sets.count <= Self.limit else { throw StreamFault(.tooMany("tracks")) }
        for (number, set) in sets.enumerated() where !set.resolvesToNothing {
            guard var track = MPDTrack(set, number: number) else { continue }
            let setLocations = locations.below(set)
            for representation in set.children("Representation", limit: Self.limit + 1) {
                guard count < Self.limit else { throw StreamFault(.tooMany("renditions")) }
                // One that builds upon others (layers, views) cannot be decoded alone.
                guard MPDDescriptors([representation]).isUnderstood, representation.attribute("dependencyId") == nil else {
                    continue
                }
                count += 1
                let levels = MPDSegments(
                    levels: [representation, set, period.element], place: place, isDynamic: document.isDynamic)
                do throws(StreamFault) {
                    track.streams.append(
                        try Self.stream(representation, set, levels, setLocations.below(representation), &timelines))
                } catch {
                    fault = fault ?? error
                }
            }
            if !track.streams.isEmpty { tracks.append(track) }
        }
    }

    private static func stream(
        _ representation: XMLElement, _ set: XMLElement, _ levels: MPDSegments, _ locations: MPDLocations,
        _ timelines: inout [TimelineKey: TimelineRuns]
    ) throws(StreamFault) -> MPDTrack.Stream {
        let written = representation.attribute("id") ?? ""
        var rendition = MPDNames(set: set, representation: representation).rendition(
            id: DisplayText.singleLine(written, limit: 200))
        let bases = locations.all.map(\.address)
        rendition.addresses = bases
        rendition.services = locations.all.map { $0.service.map { DisplayText.singleLine($0, limit: 200) } }
        var segments = try levels.segments(
            id: written, bandwidth: rendition.peakBitRate ?? 0, isWebM: rendition.mediaType?.hasSuffix("/webm") == true,
            bases: bases,
            timelines: &timelines)
        if let more = locations.all.first?.availabilityOffset { segments.earliness = segments.earliness.map { $0 + more } }
        if let zero = producerZero([representation, set], segments.place) { segments.place.wallZero = zero }
        rendition.isChunked = levels.isChunked || locations.all.first?.isChunked == true
        rendition.protection = MPDProtection.system([representation, set])
        if let system = rendition.protection { segments.encryption = .protected(system) }
        rendition.tiles = tiles([representation, set], rendition, segments)
        return MPDTrack.Stream(rendition: rendition, segments: segments, locations: locations)
    }

    /// The moment of the axis' zero by the encoder's word (ProducerReferenceTime), which is more exact than when segments are there.
    private static func producerZero(_ elements: [XMLElement], _ place: PeriodPlace) -> Int64? {
        let found = elements.lazy.flatMap { $0.children("ProducerReferenceTime", limit: 16) }.first
        // A moment that cannot be read is none: the segments' own remain.
        guard let found, let wall = try? found.date("wallClockTime"), let media = try? found.count("presentationTime") else {
            return nil
        }
        return wall.saturatingAdd(-max(-.max, place.time(media).span.nanoseconds))
    }

    /// The stills of an image: each is good for its share of a segment.
    private static func tiles(_ elements: [XMLElement], _ rendition: Rendition, _ segments: PeriodSegments) -> TileLayout? {
        guard rendition.mediaType?.hasPrefix("image/") == true, !segments.window.isEmpty else { return nil }
        let written = MPDDescriptors(elements).tiles ?? (1, 1)
        guard (1...1000).contains(written.columns), (1...1000).contains(written.rows) else { return nil }
        let count = Int64(written.columns * written.rows), first = segments.window.lowerBound
        let length = segments.times.end(first).saturatingAdd(-segments.times.start(first))
        let duration = Ticks(length, timescale: segments.place.timescale).span.nanoseconds / count
        let size = rendition.size.flatMap { StatedSize(width: $0.width / written.columns, height: $0.height / written.rows) }
        return TileLayout(
            columns: written.columns, rows: written.rows, duration: MPDValue.ticks(nanoseconds: duration), size: size)
    }
}

/// The digital rights that ContentProtection names.
enum MPDProtection {
    private static let systems: [String: ContentProtection] = [
        "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": .widevine, "9a04f079-9840-4286-ab92-e65be0885f95": .playReady,
        "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": .fairPlay, "e2719d58-a985-b3c9-781a-b030af78d30e": .clearKey,
        "1077efec-c0b2-4d02-ace3-3c1e52e2fb4b": .clearKey,
    ]

    /// The first system that has a name for people; nil where nothing is protected.
    static func system(_ elements: [XMLElement]) -> ContentProtection? {
        let schemes = elements.flatMap { $0.children("ContentProtection", limit: 100) }.compactMap { element in
            element.attribute("schemeIdUri")?.lowercased()
        }
        guard !schemes.isEmpty else { return nil }
        let known = schemes.compactMap { scheme in
            scheme.hasPrefix("urn:uuid:") ? systems[String(scheme.dropFirst(9))] : nil
        }
        return known.first { $0 != .clearKey } ?? known.first ?? .other
    }

    /// The names of the keys of all that is protected, and the licences of ClearKey.
    static func keys(_ document: MPDDocument) -> ([KeyID], [StreamAddress]) {
        var keys: [KeyID] = [], licences: [StreamAddress] = []
        for set in document.periods.flatMap({ $0.element.children("AdaptationSet", limit: MPDTracks.limit) }) {
            for holder in [set] + set.children("Representation", limit: MPDTracks.limit) {
                for element in holder.children("ContentProtection", limit: 100) {
                    // Several may stand there, with white space between them.
                    for text in (element.attribute("default_KID") ?? "").split(separator: " ").prefix(16) {
                        if let key = KeyID(text), !keys.contains(key), keys.count < ContentKeys.limit { keys.append(key) }
                    }
                    guard let child = element.child("Laurl") ?? element.child("laurl"), licences.count < 16,
                        let address = document.address.resolved(child.text), !licences.contains(address)
                    else { continue }
                    let scheme = (element.attribute("schemeIdUri") ?? "").lowercased().dropFirst(9)
                    if systems[String(scheme)] == .clearKey { licences.append(address) }
                }
            }
        }
        return (keys, licences)
    }
}
