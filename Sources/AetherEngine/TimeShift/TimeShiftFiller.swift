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
    private static let log = Log.module("time-shift")

    func run(_ source: any PacketSource) {
        do throws(MediaError) {
            _ = try source.seek(
                to: SeekPlan(target: source.description.start ?? source.description.info.startTime, landing: .exact), video: nil)
            while mayGoOn() { try step(source) }
        } catch {
            let error = error
            shared.update { $0.ending = error }
        }
    }

    /// Blocks until the source may be read on; false: the session is over.
    private func mayGoOn() -> Bool {
        while true {
            let now = time.now()
            let due: HostTime?? = shared.read { $0.isStopped ? .some(nil) : $0.mayRead(at: now).map { .some($0) } }
            guard let due else { return true }
            guard let due else { return false }
            let isStopped: Bool? = shared.wait(until: due) { state in
                state.isStopped ? true : state.mayRead(at: now) == nil ? false : nil
            }
            if isStopped ?? false { return false }
        }
    }

    private func step(_ source: any PacketSource) throws(MediaError) {
        let event: SourceEvent
        do throws(MediaError) {
            event = try source.read(run: Epoch(1))
        } catch {
            guard error.code == .interrupted else { throw error }
            // Somebody else's interrupt: it goes on below as soon as that is down.
            return
        }
        bytes.set(Int(source.bytesFetched))
        damage.set(source.damageCount)
        let now = time.now()
        switch event {
        case .packet(let packet):
            guard let record = PacketRecord.bytes(of: packet) else { return }
            let mark = PacketRing.Mark(
                stream: packet.stream, time: packet.dts ?? packet.pts, shown: packet.pts, isKey: packet.isKey)
            let fault = shared.update { state -> RingFault? in
                state.note(mark.time, at: now)
                do throws(RingFault) {
                    try state.ring.append(record, mark)
                    return nil
                } catch {
                    return error
                }
            }
            if let fault {
                Self.log.error("cannot write: \(fault)")
                throw MediaError(.readFailed, "keep", reason: fault == .full ? "the disk is full" : "the time shift cannot be written")
            }
        case .window, .reached, .expired, .again: break
        case .cues, .described, .discontinuity, .end:
            shared.update { state in
                // Nobody takes them where nothing is played for long: descriptions and seams say all that was said before.
                if state.events.count < 4096 { state.events.append(event) }
            }
        }
    }
}
