import AetherCore
import AetherFormats

/// Which segment is asked for next. A pure value: what happens goes in, orders come out, and whoever carries them out knows the
/// network.
struct SegmentScheduler: Sendable {
    /// The tracks that play at the same time.
    enum Role: Int, Sendable, CaseIterable {
        /// Video, also with audio in the same segments.
        case video
        case audio, text
    }

    /// How much is fetched ahead and kept behind.
    struct Budget: Sendable, Equatable {
        var ahead = TimeSpan.seconds(30), behind = TimeSpan.seconds(30)
        /// Of video, and of each other track.
        var videoBytes: Int64 = 32 << 20, otherBytes: Int64 = 4 << 20
        /// Of each track behind the playhead.
        var behindBytes: Int64 = 32 << 20

        func bytes(_ role: Role) -> Int64 { role == .video ? videoBytes : otherBytes }
    }

    /// A segment that is wanted.
    struct Request: Sendable, Hashable {
        let role: Role
        let rendition: Rendition.ID
        /// Of the segment.
        let number: Int64
        /// Tells two requests of the same segment apart.
        let serial: Int
    }

    /// The requests and drops to carry out.
    enum Order: Sendable, Equatable {
        case fetch(Request, Segment)
        /// Nobody wants it any more.
        case cancel(Request)
        /// Is not there: the stretch is passed by and shown as missing.
        case pass(Role, Segment)
    }

    private(set) var playhead: Ticks = .zero
    private var budget: Budget
    private var tracks: [Role: SegmentTrack] = [:]
    private var serial = 0
    private var pending: [Order] = []

    init(budget: Budget = Budget()) { self.budget = budget }

    // MARK: - What is played

    /// Plays a rendition from the playhead on. What was held of the track is dropped, and with it what is under way.
    mutating func select(_ role: Role, _ rendition: Rendition.ID, _ index: any SegmentIndex) {
        remove(role)
        tracks[role] = SegmentTrack(rendition: rendition, index: index, at: playhead)
    }

    /// Goes over to another rendition behind what is held and under way; nothing is dropped.
    mutating func switchAhead(_ role: Role, _ rendition: Rendition.ID, _ index: any SegmentIndex) {
        guard tracks[role] != nil else { return select(role, rendition, index) }
        tracks[role]?.goOver(to: rendition, index)
    }

    /// Goes over at once: what is ahead of the segment that plays is dropped.
    mutating func switchNow(_ role: Role, _ rendition: Rendition.ID, _ index: any SegmentIndex) {
        guard tracks[role] != nil else { return select(role, rendition, index) }
        cancel(tracks[role]?.dropAhead(of: playhead) ?? [])
        tracks[role]?.goOver(to: rendition, index)
    }

    /// No longer plays a track.
    mutating func remove(_ role: Role) {
        cancel(tracks[role]?.requests ?? [])
        tracks[role] = nil
    }

    /// The index has grown, or its window has moved.
    mutating func update(_ rendition: Rendition.ID, _ index: any SegmentIndex) {
        for role in Role.allCases where tracks[role]?.rendition == rendition { tracks[role]?.index = index }
    }

    // MARK: - Where

    /// Playback has come so far.
    mutating func play(to time: Ticks) {
        playhead = time
        for role in Role.allCases {
            tracks[role]?.trim(before: time - Ticks(budget.behind), bytes: budget.behindBytes, playhead: time)
        }
    }

    /// Goes elsewhere. Tracks that hold the place, or have it under way, ask for nothing.
    mutating func seek(to time: Ticks) {
        playhead = time
        for role in Role.allCases {
            guard let track = tracks[role], !track.covers(time) else { continue }
            cancel(track.requests)
            tracks[role] = SegmentTrack(rendition: track.rendition, index: track.index, at: time)
        }
    }

    // MARK: - What came of it

    /// The server has begun to answer: the request ahead may follow.
    mutating func answered(_ request: Request) { tracks[request.role]?.change(request) { $0.isAnswered = true } }

    /// So many bytes of it are here.
    mutating func grew(_ request: Request, to bytes: Int64) {
        tracks[request.role]?.change(request) {
            $0.isAnswered = true
            $0.bytes = bytes
        }
    }

    /// It is here.
    mutating func arrived(_ request: Request, bytes: Int64) { tracks[request.role]?.land(request, bytes: bytes) }

    /// It is given up: the stretch is missing.
    mutating func missed(_ request: Request) {
        guard let segment = tracks[request.role]?.land(request, bytes: 0) else { return }
        pending.append(.pass(request.role, segment))
    }

    /// It is asked for at another rendition instead, which has it in a segment of its own.
    mutating func moved(_ request: Request, to rendition: Rendition.ID, _ index: any SegmentIndex) {
        guard let flight = tracks[request.role]?.flights.first(where: { $0.request == request }),
            let number = index.number(at: flight.segment.start), let segment = index.segment(number)
        else { return missed(request) }
        serial += 1
        let other = Request(role: request.role, rendition: rendition, number: number, serial: serial)
        tracks[request.role]?.change(request) { $0 = SegmentTrack.Flight(request: other, segment: segment) }
        pending.append(.fetch(other, segment))
    }

    // MARK: - Orders

    /// The requests and drops to carry out now. The track with the least ahead comes first. Of each track at most one segment is under way, and
    /// one more once that is being answered.
    mutating func orders() -> [Order] {
        defer { pending = [] }
        let roles = tracks.keys.sorted { a, b in
            let first = tracks[a]?.heldEnd ?? .zero, second = tracks[b]?.heldEnd ?? .zero
            return first == second ? a.rawValue < b.rawValue : first < second
        }
        for role in roles {
            while let segment = tracks[role]?.wanted(playhead: playhead, budget: budget, bytes: budget.bytes(role)) {
                if segment.isGap {
                    tracks[role]?.pass(segment)
                    pending.append(.pass(role, segment))
                    continue
                }
                serial += 1
                let request = Request(
                    role: role, rendition: tracks[role]?.rendition ?? "", number: segment.number, serial: serial)
                tracks[role]?.begin(request, segment)
                pending.append(.fetch(request, segment))
            }
        }
        return pending
    }

    /// How far ahead of the playhead everything is held, as of the track with the least; nil where nothing plays. Text holds up
    /// nobody.
    var ahead: TimeSpan? {
        let held = tracks.filter { $0.key != .text || tracks.count == 1 }.values
        return held.map { max(($0.heldEnd - playhead).span, .zero) }.min()
    }

    /// Whether each track has everything to its end.
    var isComplete: Bool { tracks.values.allSatisfy(\.isComplete) }

    /// The bytes that are held and under way of a track.
    func bytes(_ role: Role) -> Int64 { tracks[role]?.bytes(after: nil) ?? 0 }

    private mutating func cancel(_ requests: [Request]) { pending += requests.map { .cancel($0) } }
}
