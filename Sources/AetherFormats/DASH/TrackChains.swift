/// How the tracks of one period are followed by those of the next.
///
/// A track (adaptation set) goes on as the one of its kind in the later periods that is most like what it began with: by language, then by roles and
/// accessibility, codec, id, label, channels and at last by its position. Text must have the same language. One track may be followed by the
/// same one as another is: an advertisement has one language for all. A track that is not followed by any is a choice of its own, which
/// takes from the other periods what is most like it. The renditions of a track go on in the same way: by id and codec, else by the nearest
/// bit rate. So every rendition reaches from the first period to the last one, as far as there is anything of its kind.
struct TrackChains {
    /// Segments of renditions in periods at most.
    static let partLimit = 100_000

    /// A track through the periods.
    struct Chain {
        /// The one that it began with.
        var first: MPDTrack
        /// By period; nil where it has nothing.
        var members: [MPDTrack?]
    }

    private(set) var chains: [Chain] = []

    init(_ periods: [[MPDTrack]]) {
        for (period, tracks) in periods.enumerated() {
            var followed: Set<Int> = []
            for place in chains.indices {
                let found = Self.best(chains[place].first, place: ordinal(place), among: tracks)
                chains[place].members.append(found.map { tracks[$0] })
                if let found { followed.insert(found) }
            }
            for (place, track) in tracks.enumerated() where !followed.contains(place) {
                let own = tracks[..<place].filter { $0.group.kind == track.group.kind }.count
                var members = periods[..<period].map { earlier in
                    Self.best(track, place: own, among: earlier).map { earlier[$0] }
                }
                members.append(track)
                chains.append(Chain(first: track, members: members))
            }
        }
    }

    /// The position among the chains of its kind.
    private func ordinal(_ place: Int) -> Int {
        chains[..<place].filter { $0.first.group.kind == chains[place].first.group.kind }.count
    }

    private static func best(_ track: MPDTrack, place: Int, among tracks: [MPDTrack]) -> Int? {
        var best: (place: Int, score: Int)?, ordinal = 0
        for (candidate, other) in tracks.enumerated() where other.group.kind == track.group.kind {
            var score = other.group.language == track.group.language ? 64 : 0
            if other.group.characteristics == track.group.characteristics { score += 32 }
            if other.codec == track.codec { score += 16 }
            if other.written == track.written { score += 8 }
            if other.group.label == track.group.label { score += 4 }
            if other.group.channels == track.group.channels { score += 2 }
            if ordinal == place { score += 1 }
            ordinal += 1
            if track.group.kind == .text, score < 64 || other.group.isForced != track.group.isForced { continue }
            if best.map({ $0.score < score }) ?? true { best = (candidate, score) }
        }
        return best?.place
    }
}

extension TrackChains.Chain {
    /// The renditions of the track, each with its segments through all periods, and the segments of other servers likewise.
    func renditions(budget: inout Int) throws(StreamFault) -> [Rendition] {
        // Which stream of each period goes on: numbers, as streams are large.
        var found: [(rendition: Rendition, places: [Int?])] = first.streams.map { ($0.rendition, []) }
        for (period, member) in members.enumerated() {
            let streams = member?.streams ?? []
            var isFollowed = [Bool](repeating: false, count: streams.count)
            for place in found.indices {
                let next = Self.nearest(found[place].rendition, streams)
                found[place].places.append(next)
                if let next { isFollowed[next] = true }
            }
            for place in streams.indices where !isFollowed[place] {
                let rendition = streams[place].rendition
                var places = members[..<period].map { Self.nearest(rendition, $0?.streams ?? []) }
                places.append(place)
                found.append((rendition, places))
            }
            budget -= found.count
            guard budget >= 0 else { throw StreamFault(.tooMany("renditions in periods")) }
        }
        return found.map { entry in
            var rendition = entry.rendition
            rendition.index = PeriodChain(joined(entry.places))
            if rendition.protection == nil {
                rendition.protection =
                    zip(members, entry.places).lazy.compactMap { member, place in
                        place.flatMap { member?.streams[$0].rendition.protection }
                    }.first
            }
            return rendition
        }
    }

    /// The segments of each period; those of a period that goes on from the one before keep its continuity.
    private func joined(_ places: [Int?]) -> [PeriodSegments] {
        var parts: [PeriodSegments] = [], previous: (period: Int, id: Rendition.ID)?
        parts.reserveCapacity(places.count)
        for (period, place) in places.enumerated() {
            guard let place, let member = members[period] else { continue }
            parts.append(member.streams[place].segments)
            let id = member.streams[place].rendition.id
            parts[parts.count - 1].written = id
            // One that begins in the middle of a segment has frames of the one before once more: it is no continuity for a decoder.
            if let previous, member.continues != nil, previous.period == period - 1, previous.id == id,
                parts[parts.count - 1].beginsAtItsStart
            {
                parts[parts.count - 1].place.continuity = parts[parts.count - 2].place.continuity
            }
            previous = (period, id)
        }
        return parts
    }

    /// The same rendition, or the one of the nearest bit rate.
    private static func nearest(_ rendition: Rendition, _ streams: [MPDTrack.Stream]) -> Int? {
        let codec = rendition.codecs.first?.base
        if let same = streams.firstIndex(where: { $0.rendition.id == rendition.id && $0.rendition.codecs.first?.base == codec }) {
            return same
        }
        var best: (place: Int, distance: Double)?
        for (place, stream) in streams.enumerated() {
            let other = stream.rendition
            let (a, b) = (Double(max(1, rendition.peakBitRate ?? 1)), Double(max(1, other.peakBitRate ?? 1)))
            let distance = max(a / b, b / a) * (other.codecs.first?.base == codec ? 1 : 1000)
            if best.map({ distance < $0.distance }) ?? true { best = (place, distance) }
        }
        return best?.place
    }
}
