import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// The clock of a broadcast by DASH, and when its manifest is read again.
struct StreamBroadcast {
    private var refresh: MPDRefresh
    private var clock = ServerClock()
    /// The version that there is: what patches change.
    private var document: MPDDocument
    /// The version of the whole manifest by its server, and where it came from: it need not be sent twice.
    private var known: (address: StreamAddress, tag: String)?
    /// The last request has found no newer version.
    private var isUnchanged = false
    /// Patches are taken until one has failed; the whole manifest then names them anew.
    private var takesPatches = true
    /// The moment by our own wall clock at a moment of the host's.
    private let origin: (wall: Int64, host: HostTime)
    /// When the server's clock was asked for last.
    private var clockAsked: HostTime?
    /// The clock in the manifest's newest answer, and the own one then.
    private var answer: (date: ServerDate, own: Int64)?
    private static let log = Log.module("net")
    /// A server that does not say its clock is asked for it no more often.
    private static let clockPause = TimeSpan.seconds(120)
    /// The clock is not put in doubt more often.
    private static let doubtPause = TimeSpan.seconds(20)
    /// Clocks that are kept differ by less: then the own one is finer than whole seconds.
    private static let coarse: Int64 = 2_000_000_000

    /// nil for a manifest that is complete. `wall` is the own clock in nanoseconds since 1970; nil: the machine's.
    init?(_ document: MPDDocument, now: HostTime, wall: Int64? = nil) {
        guard document.isDynamic else { return nil }
        refresh = MPDRefresh(document.address)
        self.document = document
        origin = (wall ?? Self.machineClock(), now)
        _ = refresh.arrived(document, asked: origin.wall)
    }

    private static func machineClock() -> Int64 {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
    }

    /// Our own clock: it goes on where the machine's is set.
    private func own(_ now: HostTime) -> Int64 { origin.wall + (now - origin.host).nanoseconds }

    /// The server's clock, in nanoseconds since 1970.
    func moment(_ now: HostTime) -> Int64 { clock.moment(own(now)) }

    /// Learns the server's clock from where the manifest says, if that is due. Blocks. Where none can be had, the header "Date" of the manifest's
    /// newest answer is taken where that is far from our own clock, which is right otherwise.
    mutating func learn(
        _ clocks: [UTCTiming], date: ServerDate? = nil, _ fetch: StreamFetch, time: any TimeSource
    ) throws(MediaError) {
        let now = time.now()
        if let date { answer = (date, own(now)) }
        guard clock.isOld(own(now)), clockAsked.map({ now - $0 >= Self.clockPause }) ?? true else { return }
        clockAsked = now
        if try isLearnt(clocks, fetch, time: time) { return }
        guard let answer, let moment = UTCTiming.moment(header: answer.date.text, age: answer.date.age) else { return }
        let isFar = abs(moment.saturatingLess(answer.own)) >= Self.coarse
        guard isFar || clock.lead != 0 else { return }
        clock.doubt()
        clock.learn(isFar ? moment : answer.own, asked: answer.own, answered: answer.own, isCoarse: isFar)
    }

    /// A segment is not there that should be: the server's clock may have been set.
    mutating func doubtClock(_ now: HostTime) {
        guard clockAsked.map({ now - $0 >= Self.doubtPause }) ?? true else { return }
        clock.doubt()
        clockAsked = nil
    }

    /// False where none of the clocks can be had.
    private mutating func isLearnt(
        _ clocks: [UTCTiming], _ fetch: StreamFetch, time: any TimeSource
    ) throws(MediaError) -> Bool {
        for timing in clocks {
            let asked = own(time.now())
            switch timing.method {
            case .direct(let moment):
                // It was written when the manifest was made, or somewhat before.
                clock.learn(moment, asked: asked, answered: asked, isCoarse: true)
                return true
            case .body(let address):
                do throws(IOReaderError) {
                    let bytes = try fetch.document(address).bytes
                    guard let moment = UTCTiming.moment(body: bytes) else { continue }
                    clock.learn(moment, asked: asked, answered: own(time.now()), isCoarse: UTCTiming.isCoarse(body: bytes))
                    return true
                } catch {
                    if error == .cancelled { throw MediaError(.interrupted, "read") }
                    Self.log.warning("the server's clock: \(error)")
                }
            case .head(let address):
                do throws(IOReaderError) {
                    guard let date = try fetch.date(of: address),
                        let moment = UTCTiming.moment(header: date.text, age: date.age)
                    else { continue }
                    clock.learn(moment, asked: asked, answered: own(time.now()), isCoarse: true)
                    return true
                } catch {
                    if error == .cancelled { throw MediaError(.interrupted, "read") }
                    Self.log.warning("the server's clock: \(error)")
                }
            }
        }
        return false
    }

    /// When there is something to do: a segment is there, or the manifest is to be read again. Never sooner than in a tenth of a second.
    func due(after next: Ticks?, _ timing: LiveTiming, now: HostTime) -> HostTime {
        let present = moment(now)
        let segment = next.map { timing.availabilityStart.addingReportingOverflow($0.span.nanoseconds).partialValue - present }
        let manifest = refresh.next.map { $0 - own(now) }
        let wait = [segment, manifest].compactMap { $0 }.min() ?? 2_000_000_000
        return now + max(.milliseconds(100), min(TimeSpan(nanoseconds: wait), .seconds(30)))
    }

    /// Whether the manifest is to be read again.
    func isAskedFor(_ now: HostTime) -> Bool { refresh.next.map { $0 <= own(now) } ?? false }

    /// The manifest as it is by now; nil where there is no newer one. Where `timing` names patches, the changes alone are asked for first.
    /// Blocks.
    mutating func renew(_ timing: LiveTiming, _ fetch: StreamFetch, time: any TimeSource) throws(MediaError) -> Presentation? {
        if takesPatches, let patch = timing.patch, patch.until.map({ moment(time.now()) < $0 }) ?? true {
            let former = document
            known = nil
            let found = try read(patch.address, fetch, time) { bytes, _ throws(StreamFault) in try former.patched(by: bytes) }
            if let found { return found }
            takesPatches = false
        }
        let address = refresh.address, tag = known?.address == address ? known?.tag : nil
        let former = document
        let found = try read(address, unless: tag, fetch, time) { bytes, address throws(StreamFault) in
            try MPDDocument(fetch.stages.manifest(bytes, from: address), address: address, following: former)
        }
        if found != nil { takesPatches = true } else if !isUnchanged { refresh.failed(now: own(time.now())) }
        return found
    }

    /// Reads a version; nil where it cannot be had or understood, or is an old one.
    private mutating func read(
        _ address: StreamAddress, unless tag: String? = nil, _ fetch: StreamFetch, _ time: any TimeSource,
        _ understood: ([UInt8], StreamAddress) throws(StreamFault) -> MPDDocument
    ) throws(MediaError) -> Presentation? {
        let asked = own(time.now())
        isUnchanged = false
        do throws(IOReaderError) {
            let found = try fetch.document(address, unless: tag)
            if let date = found.date { answer = (date, own(time.now())) }
            if found.isUnchanged {
                isUnchanged = true
                refresh.isUnchanged(asked: asked)
                return nil
            }
            do throws(StreamFault) {
                let next = try understood(found.bytes, found.address)
                let presentation = try Presentation(next, now: moment(time.now()))
                guard refresh.arrived(next, asked: asked) else { return nil }
                document = next
                known = found.tag.map { (address, $0) }
                return presentation
            } catch {
                Self.log.warning("the manifest: \(error.description)")
            }
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "read") }
            Self.log.warning("the manifest: \(error)")
        }
        return nil
    }
}

extension LiveTiming {
    /// So far behind the end a broadcast is played: as far as it wishes, but three segments at least, so that one that comes late is no stall.
    /// Of low latency it is the distance that it names.
    func holdBack(of index: any SegmentIndex, isLowLatency: Bool = false) -> TimeSpan {
        if isLowLatency, let target = latency?.target?.span { return max(target, .milliseconds(500)) }
        let last = index.segment(index.numbers.upperBound - 1)
        return max(delay?.span ?? .zero, (last?.duration.span ?? .seconds(2)).scaled(by: 3))
    }
}

extension Int64 {
    /// The difference, at the end of the range where it is beyond; never the least number, so that it has a magnitude.
    fileprivate func saturatingLess(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : Swift.max(difference, -.max)
    }
}
