import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// The places where a segment that could not be had is looked for: other addresses of its rendition, then other renditions.
extension StreamCatalog {
    /// The renditions and addresses that were tried for a segment.
    struct Search {
        var renditions: Set<Rendition.ID> = []
        var addresses: Set<Int>

        /// Nothing was tried but the server that is used.
        init(_ place: Int) { addresses = [place] }

        /// All servers were tried that have the rendition: it says itself that the segment is not there.
        init(for rendition: Rendition?) { addresses = Set(rendition?.addresses.indices ?? 0..<0) }
    }

    /// Opens a run of one segment that covers a stretch which could not be had, from the first other place whose segment can be read. Returns its
    /// rendition; nil where nothing has it. Blocks. Throws `.interrupted`.
    func replacement(
        from start: Ticks, to end: Ticks, of id: Rendition.ID, _ search: Search,
        opening open: (SegmentRun) throws(MediaError) -> Void
    ) throws(MediaError) -> Rendition.ID? {
        var search = search
        while let run = substitute(from: start, to: end, of: id, &search) {
            do throws(MediaError) {
                try open(run)
                return run.rendition
            } catch {
                if error.code == .interrupted { throw error }
            }
        }
        return nil
    }

    /// A run of one segment that covers a stretch which could not be had, from another place; nil where nothing has it.
    func substitute(from start: Ticks, to end: Ticks, of id: Rendition.ID, _ search: inout Search) -> SegmentRun? {
        guard let rendition = presentation.rendition(id),
            let group = presentation.periods.flatMap(\.groups).first(where: { $0.renditions.contains { $0.id == id } })
        else { return nil }
        search.renditions.insert(id)
        // The middle, where lists that are rounded differently agree.
        let middle = start + Ticks((end - start).span.scaled(by: 0.5))
        while true {
            let place = failover.next(
                after: rendition, triedAddresses: search.addresses, triedRenditions: search.renditions, group: group, at: middle,
                now: time.now())
            do throws(MediaError) {
                let found: (id: Rendition.ID, index: any SegmentIndex)
                switch place {
                case .gap: return nil
                case .address(let number):
                    search.addresses.insert(number)
                    found = (id, try elsewhere(rendition, number))
                case .rendition(let other):
                    search.renditions.insert(other)
                    found = (other, try segments(of: other))
                }
                guard let number = found.index.number(at: middle),
                    let run = SegmentRun(found.id, found.index, from: number, isSingle: true), run.first.number == number
                else { continue }
                return run
            } catch {
                if error.code == .interrupted { return nil }
                Self.log.warning("\(error)")
            }
        }
    }

    /// The segments of a rendition at another of its addresses.
    private func elsewhere(_ rendition: Rendition, _ address: Int) throws(MediaError) -> any SegmentIndex {
        guard playlists[rendition.id] == nil, let index = rendition.index else {
            return try playlist(at: rendition.addresses[address]).segments
        }
        return OtherServer(index, address: address)
    }

    /// The patience with the server of a rendition: an outage is waited for where no other server has the same, or all of them are away. A
    /// broadcast goes on with what it has got meanwhile.
    func patience(with id: Rendition.ID) -> SegmentPatience {
        let isAlone = presentation.rendition(id).map { $0.addresses.count == 1 } ?? false
        let later: NamedFile.Patience = !isGrowing(id) && (isAlone || isLastResort) ? .playing : .opening
        return SegmentPatience(first: hasPlayed ? later : .opening, later: later)
    }

    /// Whether a segment that a server refuses, and no other place has, is asked for again after half a second: a cache may not have got it yet.
    /// Of a list that grows the newest ones are named before all servers have them: those are asked for four times. What a broadcast of DASH
    /// has not got is waited for by its clock.
    func asksOnceMore(for number: Int64, of run: SegmentRun, after error: MediaError) throws(MediaError) -> Bool {
        let tries = late.map { $0.rendition == run.rendition && $0.number == number ? $0.tries : 0 } ?? 0
        guard !run.isSingle, [-ENOENT, -EACCES].contains(error.cause), tries < triesMore(for: number, of: run.rendition) else {
            return false
        }
        late = (run.rendition, number, tries + 1)
        try fetch.wait(until: time.now() + .seconds(0.5))
        return true
    }

    private func triesMore(for number: Int64, of id: Rendition.ID) -> Int {
        guard isGrowing(id) else { return hasPlayed ? 1 : 0 }
        guard broadcast == nil, let numbers = playlists[id]?.list.segments.numbers else { return 0 }
        return number >= numbers.upperBound - Self.newest ? 4 : 0
    }
    /// Where a broadcast is joined.
    private static let newest: Int64 = 3

    /// Whether the list of a rendition that is complete was read once more, and names a segment that a server refuses by another address: the
    /// former ones may have been good for a while only. Not twice before something of the new list was read.
    func hasFreshAddress(for number: Int64, of run: SegmentRun, after error: MediaError) throws(MediaError) -> Bool {
        let id = run.rendition
        guard error.cause == -EACCES, !run.isSingle, !isGrowing(id), let former = playlists[id], !refreshed.contains(id),
            let known = former.list.segments.segment(number)
        else { return false }
        refreshed.insert(id)
        guard let address = former.origin ?? presentation.rendition(id).flatMap(address(of:)) else { return false }
        do throws(MediaError) {
            let asked = time.now(), (list, address) = try freshPlaylist(at: address, of: id)
            guard let fresh = list.segments.segment(number),
                fresh.address != known.address || fresh.encryption != known.encryption || fresh.map != known.map
            else { return false }
            var playlist = former
            try playlist.follow(list, from: address, asked: asked, now: time.now())
            take(playlist, for: id)
            return true
        } catch {
            if error.code == .interrupted { throw error }
            Self.log.warning("\(error)")
            return false
        }
    }

    /// The list at an address, or, where that has expired, too, at the one that the manifest names by now.
    private func freshPlaylist(
        at address: StreamAddress, of id: Rendition.ID
    ) throws(MediaError) -> (list: HLSSegmentList, address: StreamAddress) {
        do throws(MediaError) {
            return (try playlist(at: address), address)
        } catch {
            guard error.cause == -EACCES, let place = presentation.renditions.firstIndex(where: { $0.id == id }),
                let others = try renewedAddresses(), others.indices.contains(place), let other = others[place].first,
                other != address
            else { throw error }
            return (try playlist(at: other), other)
        }
    }

    /// The addresses of all renditions as the manifest of HLS has them now; nil where it has others.
    private func renewedAddresses() throws(MediaError) -> [[StreamAddress]]? {
        let found: StreamFetch.Answer
        do throws(IOReaderError) {
            found = try fetch.document(root)
        } catch {
            throw MediaError(.url(root.text), error)
        }
        let playlist = try Self.understood(root.text) { () throws(StreamFault) in
            try HLSPlaylist(fetch.stages.manifest(found.bytes, from: found.address), address: found.address)
        }
        guard case .variants(let list) = playlist else { return nil }
        let addresses = Presentation(list).renditions.map(\.addresses)
        return addresses.count == presentation.renditions.count ? addresses : nil
    }

    /// Whether a segment that none of several servers gives is asked for once more, with patience.
    func waits(for id: Rendition.ID) -> Bool {
        guard hasPlayed, !isLastResort, !isGrowing(id), presentation.rendition(id).map({ $0.addresses.count > 1 }) ?? false
        else { return false }
        isLastResort = true
        return true
    }
}
