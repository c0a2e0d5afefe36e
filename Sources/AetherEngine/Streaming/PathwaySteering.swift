import AetherCore
import AetherFormats

/// Which of several servers a source in segments is read from, and when the one who says so is asked again. Pure: time is an argument.
struct PathwaySteering: Sendable {
    /// Names of servers, the first one to be used first.
    private(set) var order: [String]
    /// When to ask; nil: never again.
    private(set) var next: HostTime?
    /// Further servers that were announced.
    private(set) var clones: [SteeringManifest.Clone] = []
    private(set) var address: StreamAddress
    private var lifetime = TimeSpan.seconds(300)

    init(_ steering: Presentation.Steering, now: HostTime) {
        address = steering.address
        order = steering.pathway == "." ? [] : [steering.pathway]
        next = now
    }

    /// An answer has come. Returns whether anything is another than before.
    mutating func arrived(_ manifest: SteeringManifest, now: HostTime) -> Bool {
        defer { (order, clones) = (manifest.order, manifest.clones) }
        lifetime = .seconds(Double(manifest.lifetime))
        next = now + lifetime
        address = manifest.reload ?? address
        return manifest.order != order || manifest.clones != clones
    }

    /// No answer, or none that can be understood: what holds goes on to hold. `status`: what the server has refused with.
    mutating func failed(_ status: Int?, retryAfter: TimeSpan?, now: HostTime) {
        next = status == 410 ? nil : now + max(retryAfter ?? .zero, status == 429 && retryAfter != nil ? .zero : lifetime)
    }

    /// The places of servers in the order in which they are to be tried, by their names. Those that are not named come last.
    func ranked(_ names: [String?]) -> [Int] {
        func rank(_ place: Int) -> Int { names[place].flatMap { order.firstIndex(of: $0) } ?? order.count }
        return names.indices.sorted { (rank($0), $0) < (rank($1), $1) }
    }
}

extension StreamCatalog {
    /// The place of the server among a rendition's addresses that is used now, of those that are not banned: by steering, else the one that gives
    /// its list, else the first one.
    func place(of rendition: Rendition) -> Int {
        guard rendition.addresses.count > 1 else { return 0 }
        let now = time.now()
        guard let steering, rendition.services.count == rendition.addresses.count else {
            guard let playlist = playlists[rendition.id] else { return 0 }
            // Coming back to one that was away costs its whole patience where it is away still.
            let present = playlist.origin.flatMap { rendition.addresses.firstIndex(of: $0) }
            func isOpen(_ address: StreamAddress) -> Bool { failover.isOpen(address, now: now) }
            if let present, isOpen(rendition.addresses[present]) || !rendition.addresses.contains(where: isOpen) {
                return present
            }
            return failover.address(of: rendition, now: now) ?? 0
        }
        let ranked = steering.ranked(rendition.services)
        return ranked.first { failover.isOpen(rendition.addresses[$0], now: now) } ?? ranked[0]
    }

    /// The addresses of a rendition, the one to be tried first at the front.
    func ranked(_ rendition: Rendition) -> [StreamAddress] {
        let first = place(of: rendition)
        return [rendition.addresses[first]] + rendition.addresses.indices.filter { $0 != first }.map { rendition.addresses[$0] }
    }

    /// Asks which server is to be used, where that is due. Blocks for a few seconds at most; no answer changes nothing.
    func steer() throws(MediaError) {
        guard let announced = presentation.steering else { return }
        var present = steering ?? PathwaySteering(announced, now: time.now())
        defer { steering = present }
        guard let next = present.next, next <= time.now() else { return }
        let isDASH = presentation.renditions.contains { $0.index is PeriodChain }
        let pathway = presentation.variants.first.flatMap { presentation.rendition($0.rendition) }.flatMap { rendition in
            rendition.services.isEmpty ? nil : rendition.services[present.ranked(rendition.services)[0]]
        }
        do throws(IOReaderError) {
            let (bytes, final) = try fetch.words(announced.request(present.address, using: pathway ?? nil, isDASH: isDASH))
            guard let manifest = SteeringManifest(bytes, address: final) else {
                Self.log.warning("the steering manifest is none")
                return present.failed(nil, retryAfter: nil, now: time.now())
            }
            guard present.arrived(manifest, now: time.now()) else { return }
            for clone in manifest.clones { presentation.add(clone) }
            steeringRevision += 1
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "read", subject: name) }
            Self.log.warning("the steering manifest: \(error)")
            guard case .network(let fault) = error, case .status(let status) = fault.kind else {
                return present.failed(nil, retryAfter: nil, now: time.now())
            }
            present.failed(status, retryAfter: fault.retryAfter, now: time.now())
        }
    }

    /// A server that steering has named does not give its segments: for a while another one is used.
    func avoid(_ id: Rendition.ID) {
        guard steering != nil, let rendition = presentation.rendition(id), rendition.addresses.count > 1 else { return }
        failover.ban(rendition.addresses[place(of: rendition)], now: time.now())
        steeringRevision += 1
    }
}

/// Looks at each segment whether another server is to be used from the next one on.
struct SteeringWatch {
    /// The segment, and the choice of servers, that were seen last.
    private var seen: (number: Int64?, revision: Int) = (nil, 0)

    /// Ends a run behind the segment that is read where another server is to be used then. Blocks for some seconds at most where the lead comes
    /// to another segment.
    mutating func follow(_ reader: SegmentReader?, _ catalog: StreamCatalog, isLead: Bool) throws(MediaError) {
        guard let reader, catalog.presentation.steering != nil else { return }
        let number = reader.number
        guard number != seen.number || catalog.steeringRevision != seen.revision else { return }
        // The first segment does not wait.
        if isLead, let before = seen.number, before != number { try catalog.steer() }
        if catalog.steeringRevision != seen.revision { reader.endAfterSegment() }
        seen = (number, catalog.steeringRevision)
    }
}
