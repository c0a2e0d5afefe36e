extension Presentation {
    /// Adds a server that steering has made from another one, at every place of that one. A server that is known already stays.
    public mutating func add(_ clone: SteeringManifest.Clone) {
        for period in periods.indices {
            for group in periods[period].groups.indices {
                for place in periods[period].groups[group].renditions.indices {
                    let isVariant = [.video, .muxed].contains(periods[period].groups[group].kind)
                    periods[period].groups[group].renditions[place].add(clone, isVariant: isVariant)
                }
            }
        }
    }
}

extension Rendition {
    fileprivate mutating func add(_ clone: SteeringManifest.Clone, isVariant: Bool) {
        guard !services.contains(clone.name), let original = services.firstIndex(of: clone.base), addresses.count < 16,
            services.count == addresses.count,
            let address = clone.address(of: addresses[original], stable: stableID, isVariant: isVariant)
        else { return }
        if let chain = index as? PeriodChain {
            guard
                let changed = chain.adding(
                    from: original, of: addresses.count,
                    { clone.address(of: $0, stable: self.stableID, isVariant: isVariant) })
            else { return }
            index = changed
        }
        addresses.append(address)
        services.append(clone.name)
    }
}

extension PeriodChain {
    /// With one more server for each period, made from another; nil where periods have other servers than `count`.
    fileprivate func adding(from place: Int, of count: Int, _ made: (StreamAddress) -> StreamAddress?) -> PeriodChain? {
        var parts = all
        for part in parts.indices {
            guard parts[part].bases.count == count, let base = made(parts[part].bases[place]) else { return nil }
            parts[part].bases.append(base)
        }
        return PeriodChain(parts, first: numbers.lowerBound)
    }
}
