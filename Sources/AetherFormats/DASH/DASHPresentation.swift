import AetherCore

extension Presentation {
    /// The presentation that a manifest of DASH offers. Its tracks go through all periods (`TrackChains` says how): it has one `Period`,
    /// and `sections` are those of the manifest. `now`, in nanoseconds since 1970 by the server's clock, is the moment for which the window
    /// of a dynamic manifest is cut out; a static manifest needs none. Throws where nothing can be played.
    public init(_ document: MPDDocument, now: Int64? = nil) throws(StreamFault) {
        self.init()
        live = LiveTiming(document)
        var tracks: [[MPDTrack]] = [], count = 0, fault: StreamFault?, eventBudget = MediaEvent.limit
        for period in document.periods {
            let found = try MPDTracks(document, period)
            count += found.count
            guard count <= MPDTracks.limit else { throw StreamFault(.tooMany("renditions")) }
            fault = fault ?? found.fault
            tracks.append(found.tracks)
            events += MediaEvent.list(period, budget: &eventBudget)
            sections.append(Section(id: period.id, start: period.start, duration: period.end.map { $0 - period.start }))
        }
        var composition = DASHComposition(), budget = TrackChains.partLimit
        for chain in TrackChains(tracks).chains { try composition.add(chain, budget: &budget) }
        composition.choose()
        guard composition.groups.contains(where: { !$0.renditions.isEmpty }) else { throw fault ?? StreamFault(.nothingToPlay) }
        kind = !document.isDynamic ? .vod : document.timeShiftBufferDepth == nil ? .event : .live
        duration = document.isDynamic ? document.duration : document.periods.last?.end ?? document.duration ?? composition.end
        let start = document.periods.first?.start ?? .zero
        periods = [Period(start: start, duration: duration.map { $0 - start }, groups: composition.groups)]
        variants = composition.variants()
        protection = composition.protection
        (keys, licences) = MPDProtection.keys(document)
        if let moment = now ?? document.publishTime { advance(to: moment) }
        steering = document.steering
        if let title = document.title { data.append(Datum(id: "title", value: title, address: nil, language: nil)) }
    }

    /// The indexes that lie in the media of a rendition and have to be read, by `MediaIndexSearch`, before its segments are known. Until
    /// then each such file is one segment, which is right for a file that has no index.
    public func pendingIndexes(of id: Rendition.ID) -> [PendingIndex] {
        guard let chain = rendition(id)?.index as? PeriodChain else { return [] }
        return chain.parts.compactMap { part in
            part.unread.map { PendingIndex(rendition: id, start: part.place.start, addresses: part.bases, search: $0) }
        }
    }

    /// Puts in the segments that a search has found. A search that found none leaves the file as one segment. The numbers of the segments
    /// behind it change.
    public mutating func attach(_ search: MediaIndexSearch, to index: PendingIndex) {
        for period in periods.indices {
            for group in periods[period].groups.indices {
                for place in periods[period].groups[group].renditions.indices
                where periods[period].groups[group].renditions[place].id == index.rendition {
                    guard let chain = periods[period].groups[group].renditions[place].index as? PeriodChain else { continue }
                    periods[period].groups[group].renditions[place].index = chain.attaching(search.result, at: index.start)
                }
            }
        }
    }
}

extension Presentation {
    /// Gives files without an index, in a manifest that says no end, the length that one of them was found to have.
    public mutating func setLength(ofWholeFiles length: Ticks) {
        var isChanged = false
        for period in periods.indices {
            for group in periods[period].groups.indices {
                for place in periods[period].groups[group].renditions.indices {
                    guard let chain = periods[period].groups[group].renditions[place].index as? PeriodChain,
                        let longer = chain.withLength(ofWholeFile: length)
                    else { continue }
                    periods[period].groups[group].renditions[place].index = longer
                    isChanged = true
                }
            }
        }
        if isChanged { duration = length }
    }
}

/// An index that lies in the media itself: `search` says which bytes to fetch from one of `addresses`, the first to be tried first.
public struct PendingIndex: Sendable {
    /// The rendition whose segments it has.
    public let rendition: Rendition.ID
    let start: Ticks
    /// The addresses of the file: the same file on several servers.
    public let addresses: [StreamAddress]
    /// The search that is to be carried out.
    public var search: MediaIndexSearch
}

extension PeriodChain {
    /// nil where its last period has an end, or no whole file.
    fileprivate func withLength(ofWholeFile length: Ticks) -> PeriodChain? {
        var parts = all
        guard let last = parts.last, case .whole = last.media, last.place.end == nil else { return nil }
        parts[parts.count - 1].times = .uniform(
            origin: last.place.offset, duration: max(1, length.rescaledDown(to: last.place.timescale)), count: 1)
        return PeriodChain(parts, first: numbers.lowerBound)
    }

    fileprivate func attaching(_ index: MediaIndex?, at start: Ticks) -> PeriodChain {
        var parts = all
        for place in parts.indices where parts[place].unread != nil && parts[place].place.start == start {
            parts[place].unread = nil
            if let index { parts[place].take(index) }
        }
        return PeriodChain(parts, first: numbers.lowerBound)
    }
}

extension PeriodSegments {
    /// Segments as an index in the file has them, in place of the whole file.
    mutating func take(_ index: MediaIndex) {
        place.offset = Ticks(place.offset, timescale: place.timescale).rescaled(to: index.timescale).value
        place.timescale = index.timescale
        times = .list(origin: index.start, ends: index.ends)
        full = 0..<times.count
        media = .parts(index.ranges)
        if map == nil { map = InitReference(text: "", range: index.header) }
        clip()
    }
}

/// How chains of tracks become groups and variants.
struct DASHComposition {
    private(set) var groups: [Group] = []
    private var tracks: [MPDTrack] = []
    private var renditionIDs: Set<String> = []
    private var groupIDs: Set<String> = []

    mutating func add(_ chain: TrackChains.Chain, budget: inout Int) throws(StreamFault) {
        var group = chain.first.group
        group.id = Self.unique(group.id, &groupIDs)
        group.renditions = try chain.renditions(budget: &budget).map { rendition in
            var rendition = rendition
            rendition.id = Self.unique(rendition.id.isEmpty ? group.id : rendition.id, &renditionIDs)
            return rendition
        }
        switch group.kind {
        // One set for each codec: a variant has one of them, as in HLS.
        case .audio:
            group.set = chain.first.codec.isEmpty ? "audio" : "audio-\(DisplayText.singleLine(chain.first.codec, limit: 20))"
        case .text: group.set = "text"
        default: break
        }
        let special = ["commentary", "alternate", "supplementary", "dub", "karaoke", "sign"]
        group.isAutoselected = !group.characteristics.contains {
            special.contains($0) || $0.hasPrefix("public.accessibility.describes")
        }
        groups.append(group)
        tracks.append(chain.first)
        for caption in chain.first.captions {
            var captions = Group(id: Self.unique("captions/\(caption.channel)", &groupIDs), kind: .captions)
            (captions.set, captions.language) = ("captions", caption.language.flatMap { $0.isEmpty ? nil : $0 })
            (captions.label, captions.captionChannel) = (caption.language ?? caption.channel, caption.channel)
            captions.isAutoselected = true
            groups.append(captions)
            tracks.append(chain.first)
        }
    }

    private static func unique(_ id: String, _ taken: inout Set<String>) -> String {
        var result = id, number = 2
        while !taken.insert(result).inserted {
            result = "\(id)#\(number)"
            number += 1
        }
        return result
    }

    /// One track of each kind is the default: of those with the role "main", else of all that are nothing special, the one that the
    /// manifest puts first (`selectionPriority`, then the order). Of several codecs of the same audio there is one default in each set.
    mutating func choose() {
        var sets: [String: [Int]] = [:]
        for place in groups.indices where [.video, .audio, .muxed].contains(groups[place].kind) {
            sets["\(groups[place].kind.rawValue)/\(groups[place].set ?? "")", default: []].append(place)
        }
        for places in sets.values {
            var best = places[0]
            for place in places.dropFirst() where rank(place) > rank(best) { best = place }
            groups[best].isDefault = true
        }
    }

    private func rank(_ place: Int) -> (Int, Int64) {
        let isMain = tracks[place].roles.contains("main")
        return ((groups[place].isAutoselected ? 2 : 0) + (isMain ? 1 : 0), tracks[place].priority)
    }

    /// Each rendition of video with each set of audio; of audio alone each rendition of it. The rates are those of both.
    func variants() -> [Variant] {
        let audio = groups.filter { $0.kind == .audio && !$0.renditions.isEmpty }
        var sets: [(name: String, rate: Int64, codecs: [CodecName])] = []
        for group in audio {
            let rate = group.renditions.compactMap(\.peakBitRate).max() ?? 0
            if let place = sets.firstIndex(where: { $0.name == group.set }) {
                sets[place].rate = max(sets[place].rate, rate)
            } else {
                sets.append((group.set ?? "audio", rate, group.renditions.first?.codecs ?? []))
            }
        }
        let video = groups.filter { $0.kind == .video || $0.kind == .muxed }.flatMap(\.renditions)
        if video.isEmpty { return audio.flatMap(\.renditions).map { variant($0, id: $0.id) } }
        return video.flatMap { rendition -> [Variant] in
            if sets.isEmpty { return [variant(rendition, id: rendition.id)] }
            return sets.prefix(16).enumerated().map { place, set in
                var variant = variant(rendition, id: place == 0 ? rendition.id : "\(rendition.id)+\(set.name)")
                variant.audioSet = set.name
                variant.peakBitRate = variant.peakBitRate.saturatingAdd(set.rate)
                variant.codecs += set.codecs.filter { !rendition.codecs.contains($0) }
                return variant
            }
        }
    }

    private func variant(_ rendition: Rendition, id: String) -> Variant {
        var variant = Variant(id: id, rendition: rendition.id, peakBitRate: rendition.peakBitRate ?? 0)
        (variant.codecs, variant.supplementalCodecs) = (rendition.codecs, rendition.supplementalCodecs)
        (variant.size, variant.frameRate, variant.range) = (rendition.size, rendition.frameRate, rendition.range)
        if groups.contains(where: { $0.set == "text" }) { variant.textSet = "text" }
        if groups.contains(where: { $0.set == "captions" }) { variant.captionSet = "captions" }
        return variant
    }

    /// Where all video or all audio is protected.
    var protection: ContentProtection? {
        for kinds in [[Group.Kind.video, .muxed], [.audio]] {
            let renditions = groups.filter { kinds.contains($0.kind) }.flatMap(\.renditions)
            if let first = renditions.first?.protection, renditions.allSatisfy({ $0.protection != nil }) { return first }
        }
        return nil
    }

    /// The end of what reaches farthest.
    var end: Ticks? { groups.flatMap(\.renditions).compactMap { $0.index?.end }.max() }
}

extension MPDDocument {
    /// The steering server; nil for none.
    var steering: Presentation.Steering? {
        guard let element = root.child("ContentSteering"), let address = address.resolved(element.text) else { return nil }
        let pathway = element.attribute("defaultServiceLocation")?.split(separator: " ").first.map { String($0) }
        return Presentation.Steering(address: address, pathway: DisplayText.singleLine(pathway ?? ".", limit: 200))
    }
}
