import AetherCore

extension LiveTiming {
    /// Reads what a manifest says; nil of a static one. Where a dynamic one does not say when its axis begins, that is 1970, as for other players.
    init?(_ document: MPDDocument) {
        guard document.isDynamic else { return nil }
        let root = document.root
        availabilityStart = document.availabilityStart ?? 0
        depth = document.timeShiftBufferDepth
        updatePeriod = document.minimumUpdatePeriod
        delay = document.suggestedDelay
        maxSegmentDuration = document.maxSegmentDuration
        latency = LatencyTarget(root)
        clocks = root.children("UTCTiming", limit: 16).compactMap { UTCTiming($0, base: document.address) }
        locations = root.children("Location", limit: 16).compactMap { document.address.resolved($0.text) }
        publishTime = document.publishTime
        patch =
            root.children("PatchLocation", limit: 16).lazy.compactMap { element -> PatchLocation? in
                guard let address = document.address.resolved(element.text) else { return nil }
                let ttl = element.attribute("ttl").flatMap { MPDValue.duration("PT\($0)S") }
                let until = ttl.flatMap { ttl in document.publishTime.map { $0.saturatingAdd(ttl.span.nanoseconds) } }
                return PatchLocation(address: address, until: until)
            }.first
    }
}

extension LiveTiming.LatencyTarget {
    fileprivate init?(_ root: XMLElement) {
        let description = root.child("ServiceDescription")
        guard let description, let latency = description.child("Latency") ?? description.child("PlaybackRate") else { return nil }
        let time = { (name: StaticString) -> Ticks? in
            latency.attribute(name).flatMap { Int64($0) }.flatMap {
                (0...3_600_000).contains($0) ? Ticks($0, timescale: 1000) : nil
            }
        }
        (target, least, most) = (time("target"), time("min"), time("max"))
        let rates = description.child("PlaybackRate")
        let rate = { (name: StaticString) -> Int in
            let value = rates?.attribute(name).flatMap { Double($0) } ?? 1
            return value.isFinite && (0.5...2).contains(value) ? Int((value * 1000).rounded()) : 1000
        }
        (slowest, fastest) = (min(1000, rate("min")), max(1000, rate("max")))
    }
}

extension Presentation {
    /// Shows the window of a broadcast at a moment by the server's clock: new segments are added, too old ones are taken away. The numbers
    /// of segments stay. A presentation that is complete stays as it is.
    public mutating func advance(to now: Int64) {
        guard let live else { return }
        let time = live.time(of: now)
        change { $0.shown(at: time, depth: live.depth) }
    }

    /// This presentation as the later version of another one: what is in both keeps its name, and segments their numbers.
    public func following(_ previous: Presentation) -> Presentation {
        var result = self
        result.keepNames(of: previous)
        for period in result.periods.indices {
            for group in result.periods[period].groups.indices {
                for place in result.periods[period].groups[group].renditions.indices {
                    let rendition = result.periods[period].groups[group].renditions[place]
                    guard let chain = rendition.index as? PeriodChain,
                        let earlier = previous.rendition(rendition.id)?.index as? PeriodChain
                    else { continue }
                    result.periods[period].groups[group].renditions[place].index = chain.following(earlier)
                }
            }
        }
        return result
    }

    private mutating func change(_ body: (PeriodChain) -> PeriodChain) {
        for period in periods.indices {
            for group in periods[period].groups.indices {
                for place in periods[period].groups[group].renditions.indices {
                    guard let chain = periods[period].groups[group].renditions[place].index as? PeriodChain else { continue }
                    periods[period].groups[group].renditions[place].index = body(chain)
                }
            }
        }
    }
}
