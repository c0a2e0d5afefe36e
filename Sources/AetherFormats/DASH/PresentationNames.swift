/// The names of renditions through the versions of a broadcast's manifest.
///
/// A rendition has the name that the first period gives it. Where each period has names of its own, as those of advertisements have, that period
/// leaves the manifest one day, and its names with it: who plays such a rendition, or may choose it, goes on with the one that has taken its place.
extension Presentation {
    /// Gives renditions the names that they have in the version before. Where two of that version are one by now, it has both names.
    mutating func keepNames(of previous: Presentation) {
        guard !periods.isEmpty, let former = previous.periods.first?.groups else { return }
        let known = former.flatMap { group in group.renditions.filter { !$0.isNewcomer }.map { (group, $0) } }
        let names = Set(known.map(\.1.id)), present = Set(renditions.map(\.id))
        for (group, rendition) in known where !present.contains(rendition.id) {
            guard let place = successor(of: rendition, in: group) else { continue }
            let found = periods[0].groups[place.group].renditions[place.rendition]
            if names.contains(found.id) {
                var second = found
                second.id = rendition.id
                add(second, to: group, beside: place.group)
                variants += previous.variants.filter { $0.rendition == rendition.id }
            } else {
                periods[0].groups[place.group].renditions[place.rendition].id = rendition.id
                rename(found.id, as: rendition.id, previous.variants)
            }
        }
        for group in periods[0].groups.indices {
            for place in periods[0].groups[group].renditions.indices {
                let id = periods[0].groups[group].renditions[place].id
                periods[0].groups[group].renditions[place].isNewcomer = !names.contains(id)
            }
        }
    }

    /// A track of another language stays one by itself: it may get media of its own again.
    private mutating func add(_ rendition: Rendition, to group: Group, beside place: Int) {
        if periods[0].groups[place].language == group.language { return periods[0].groups[place].renditions.append(rendition) }
        var own = group
        own.renditions = [rendition]
        periods[0].groups.append(own)
    }

    private mutating func rename(_ rendition: Rendition.ID, as name: Rendition.ID, _ former: [Variant]) {
        for place in variants.indices where variants[place].rendition == rendition {
            variants[place].rendition = name
            let same = former.first { $0.rendition == name && $0.audioSet == variants[place].audioSet }
            if let same { variants[place].id = same.id }
        }
    }

    /// The rendition that goes on where a former one was: the one that begins with a period of it, else of its language and its codec, and of those
    /// the one of the nearest bit rate. nil where there is none of its kind.
    private func successor(of rendition: Rendition, in group: Group) -> (group: Int, rendition: Int)? {
        var best: (place: (group: Int, rendition: Int), likeness: Int, distance: Double)?
        for (groupPlace, other) in periods[0].groups.enumerated() where other.kind == group.kind {
            for (place, candidate) in other.renditions.enumerated() {
                var likeness = Self.goesOn(rendition, in: candidate) ? 4 : 0
                if other.language == group.language { likeness += 2 }
                if candidate.codecs.first?.base == rendition.codecs.first?.base { likeness += 1 }
                let rates = [candidate, rendition].map { Double(max(1, $0.peakBitRate ?? 1)) }
                let distance = max(rates[0] / rates[1], rates[1] / rates[0])
                if let best, (best.likeness, -best.distance) >= (likeness, -distance) { continue }
                best = ((groupPlace, place), likeness, distance)
            }
        }
        return best?.place
    }

    /// Whether the first period of one is a period of the other, with the same representation.
    private static func goesOn(_ former: Rendition, in rendition: Rendition) -> Bool {
        guard let chain = former.index as? PeriodChain, let first = (rendition.index as? PeriodChain)?.all.first else {
            return false
        }
        return chain.all.contains { $0.place.start == first.place.start && $0.written == first.written }
    }
}
