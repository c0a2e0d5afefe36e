import AetherCore
import AetherMedia

/// Thread `time-shift`: reads a live source and puts its packets into the ring. Never waits for playing, but where the source comes faster than
/// time passes.
struct TimeShiftFiller: Sendable {
    let shared: Monitor<ShiftedPackets>
    /// Breaks the reading of the source.
    let interrupt: Interrupt
    let time: any TimeSource
    let bytes: Counter
    let damage: Counter
    /// Hears how far the source was read.
    let passed: @Sendable (MediaTime?) -> Void
    /// nil: its end is the end.
    let reopening: TimeShiftReopening?
    /// One sentence for the person.
    let say: @Sendable (String) -> Void
    private static let log = Log.module("time-shift")

    func run(_ first: any PacketSource) {
        var source = first, shift = TimeSpan.zero, description = first.description, formats = 0
        var hasBeenTried = false
        do throws(MediaError) {
            _ = try source.seek(
                to: SeekPlan(target: description.start ?? description.info.startTime, landing: .exact), video: nil)
            while mayGoOn() {
                do throws(MediaError) {
                    try step(source, movedBy: shift)
                } catch {
                    let isProven = isEndless(at: time.now())
                    guard isProven || !hasBeenTried && mayBeLive(error) else { throw error }
                    guard let next = again(after: error, limit: isProven ? nil : Self.trials) else { throw error }
                    hasBeenTried = !isProven
                    let info = next.description.info
                    if !TimeShiftReopening.isAlike(description.info, info) {
                        formats += 1
                        next.demuxer.numbering = description.adopt(info, of: 0, format: formats)
                        shared.update { [description] state in
                            state.events.append(.described(description))
                            state.description = description
                        }
                    }
                    shared.update { $0.events.append(.reset) }
                    // Its clock has nothing to do with the former one: it follows on what is there.
                    shift = shared.read { $0.front }.map { $0 - info.startTime } ?? .zero
                    if !isProven { shared.update { $0.beginProof() } }
                    _ = try next.seek(to: SeekPlan(target: info.startTime, landing: .exact), video: nil)
                    source = next
                }
            }
        } catch {
            let error = error
            shared.update { $0.ending = error }
        }
    }

    /// Attempts at a source that has not yet shown that it has no end.
    private static let trials = 3

    /// The host says so, or it has come at the pace of time for long enough.
    private func isEndless(at now: HostTime) -> Bool {
        reopening.map { $0.isStated || shared.read { $0.isPaced(at: now) } } ?? false
    }

    private func mayBeLive(_ error: MediaError) -> Bool {
        let now = time.now()
        return reopening != nil && shared.read { $0.mayBeLive(at: now, brokeOff: error.code == .readFailed) }
    }

    /// A source that is no file and has ended, once more; nil where it cannot be had again in so many attempts, or the session is over. Blocks.
    private func again(after error: MediaError, limit: Int?) -> ContainerSource? {
        guard let reopening else { return nil }
        Self.log.warning("the source has ended (\(error)); it is asked for again")
        say("the source has ended: it is asked for again")
        var attempt = 0
        while limit.map({ attempt < $0 }) ?? true {
            attempt += 1
            let moment = time.now() + TimeShiftReopening.pause(before: attempt)
            let isStopped: Bool? = shared.wait(until: moment) { $0.isStopped ? true : nil }
            if isStopped != nil { return nil }
            do throws(MediaError) {
                return try reopening.open(attempt)
            } catch {
                Self.log.info("attempt \(attempt): \(error)")
            }
        }
        return nil
    }

    /// Blocks until the source may be read on; false: the session is over.
    private func mayGoOn() -> Bool {
        while true {
            let now = time.now()
            let due: HostTime?? = shared.read { $0.isStopped ? .some(nil) : $0.mayRead(at: now).map { .some($0) } }
            guard let due else { return true }
            guard let due else { return false }
            shared.update { $0.wasHeldBack = true }
            let isStopped: Bool? = shared.wait(until: due) { state in
                state.isStopped ? true : state.mayRead(at: now) == nil ? false : nil
            }
            if isStopped ?? false { return false }
        }
    }

    private func step(_ source: any PacketSource, movedBy shift: TimeSpan) throws(MediaError) {
        let event: SourceEvent
        do throws(MediaError) {
            event = try source.read(run: Epoch(1))
        } catch {
            guard error.code == .interrupted else { throw error }
            // The interrupt of another: it goes on below as soon as that is down.
            return
        }
        bytes.set(Int(source.bytesFetched))
        damage.set(source.damageCount)
        let now = time.now()
        switch event {
        case .packet(let packet):
            packet.shift(by: shift)
            guard let record = PacketRecord.bytes(of: packet) else { return }
            let mark = PacketRing.Mark(
                stream: packet.stream, time: packet.dts ?? packet.pts, shown: packet.pts, isKey: packet.isKey)
            passed(mark.time)
            let loss = shared.update { state -> PacketRing.Loss? in
                state.note(mark.time, at: now)
                return state.ring.append(record, mark)
            }
            if let loss { tell(of: loss) }
        case .window, .reached, .expired, .again: break
        case .cues, .described, .discontinuity, .reset, .end:
            shared.update { state in
                // They are not taken where nothing is played for long: descriptions and seams say all that was said before.
                if state.events.count < 4096 { state.events.append(event) }
                if case .described(let description) = event { state.description = description }
            }
        }
    }

    private func tell(of loss: PacketRing.Loss) {
        switch loss {
        case .narrowed: say("the disk is full: less of the past is kept")
        case .unwritable(let fault):
            Self.log.error("cannot write: \(fault)")
            say("the past is no longer kept on disk (\(fault.reason)): only the last moments can be sought")
        }
    }
}
