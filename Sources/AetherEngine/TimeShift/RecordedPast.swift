import AetherCore
import AetherMedia

/// The past of a live source as a recording reads it: from a point of the window to the edge and on with it, whatever is played meanwhile.
struct RecordedPast: Sendable {
    private let shared: Monitor<ShiftedPackets>
    private let number: Int
    private let start: MediaTime?

    /// From the last key frame at or before a point on; nil: from the oldest packet.
    init(_ shared: Monitor<ShiftedPackets>, from start: MediaTime?) {
        (self.shared, self.start) = (shared, start)
        number = shared.update { state in
            state.recordings += 1
            return state.recordings
        }
    }

    /// Ends it: what has come until now is still read. Any thread; never blocks.
    func close() {
        shared.update { state in
            guard state.recordingEnds[number] == nil else { return }
            state.recordingEnds[number] = state.ring.end
        }
    }

    /// The reading of it, for one thread.
    func reading() -> Reading { Reading(shared, number: number, from: start) }

    /// A step of reading.
    enum Step {
        case packet(Packet)
        /// Packets have other formats from here on.
        case described(SourceDescription)
        /// The ring has written over what was to come next.
        case lost
        case end
    }

    /// Where such a reading stands.
    struct Reading: ~Copyable {
        private enum Found {
            case record([UInt8])
            case described(SourceDescription)
            case lost, end
        }
        private let shared: Monitor<ShiftedPackets>
        private let number: Int
        private var cursor: PacketRing.Place
        private var revision: Int?
        private var shelf = PacketShelf()

        fileprivate init(_ shared: Monitor<ShiftedPackets>, number: Int, from start: MediaTime?) {
            (self.shared, self.number) = (shared, number)
            (cursor, revision) = shared.read { state in
                let point = start.flatMap { state.ring.point(for: $0)?.entry } ?? state.ring.oldest
                return (point?.start ?? state.ring.end, state.description?.revision)
            }
        }

        /// The next packet, in the order in which they came. Blocks until there is one, the source has ended, or the recording was closed.
        mutating func next() -> Step {
            while true {
                let (number, revision) = (number, revision)
                let (found, place): (Found, PacketRing.Place) =
                    shared.wait { [cursor] state -> (Found, PacketRing.Place)? in
                        if let description = state.description, description.revision != revision {
                            return (.described(description), cursor)
                        }
                        if let oldest = state.ring.oldest, !state.ring.holds(cursor) { return (.lost, oldest.start) }
                        let end = state.recordingEnds[number]
                        if let end, cursor >= end { return (.end, cursor) }
                        if let (bytes, next) = state.ring.record(at: cursor) { return (.record(bytes), next) }
                        if let next = state.ring.placeBehindDamage(at: cursor) { return (.lost, next) }
                        return end != nil || state.ending != nil || state.isStopped ? (.end, cursor) : nil
                    } ?? (.end, cursor)
                cursor = place
                switch found {
                case .record(let bytes):
                    if let packet = PacketRecord.packet(bytes, epoch: Epoch(1), in: &shelf) { return .packet(packet) }
                case .described(let description):
                    self.revision = description.revision
                    return .described(description)
                case .lost: return .lost
                case .end: return .end
                }
            }
        }
    }
}
