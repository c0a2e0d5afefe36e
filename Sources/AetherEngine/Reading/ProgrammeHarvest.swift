import AetherFormats
import AetherMedia

/// The programmes that a transport stream announces in its own tables, out of the packets that libavformat makes of these. Pure.
struct ProgrammeHarvest {
    /// The streams of tables, also of those that have not come yet.
    let streams: Set<StreamID>
    private let services: [Int]
    private var events = BroadcastEvents()
    private var told: [Int: NowNext] = [:]

    /// The tables of a source; it has none where it is no transport stream.
    init(_ info: SourceInfo) {
        services = info.services
        let described = Set(info.streams.filter { $0.kind == .data && $0.codecName == "epg" }.map(\.id))
        let mayCome = described.isEmpty && info.family == .mpegTS && !services.isEmpty
        streams = mayCome ? [StreamNumbering().lateTablesID] : described
    }

    /// Takes a packet of tables; false for others.
    mutating func take(_ packet: Packet) -> Bool {
        guard streams.contains(packet.stream) else { return false }
        _ = events.take(section: packet.bytes(limit: Self.sectionLimit)[...])
        return true
    }

    /// The present and the next programme of each program of the stream, where that is news.
    mutating func news() -> [Int: NowNext]? {
        // Other services of the multiplex are announced, too.
        let all = services.map { ($0, events.nowNext(of: $0)) }.filter { $0.1 != NowNext(at: 0) }
        let present = Dictionary(all) { first, _ in first }
        guard present != told else { return nil }
        told = present
        return present
    }

    private static let sectionLimit = 4096
}
