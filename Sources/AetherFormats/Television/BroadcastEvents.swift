import AetherCore

/// The programmes that a transport stream announces itself (event information tables, ETSI EN 300 468, 5.2.4), by the number of the
/// service. Takes packets of 188 bytes, or sections that were assembled elsewhere. Pure and bounded; never traps.
public struct BroadcastEvents: Sendable {
    private struct Event: Sendable {
        let start, stop: Int64
        let title, summary: String
    }

    private var events: [Int: [Int: Event]] = [:]
    /// The numbers of the present programme of a service and of the next one; nil for none.
    private var onAir: [Int: [Int?]] = [:]
    /// The section on the tables' PID whose end has not come; nil: none has begun.
    private var open: [UInt8]?
    /// Bytes of a packet whose end has not come.
    private var rest: [UInt8] = []
    /// Rises with each programme that is new or has changed.
    public private(set) var revision = 0

    /// Tables of programmes come on this PID.
    private static let pid = 0x12
    private static let packetLength = 188
    /// Services of a multiplex, and programmes of each: eight days of short ones.
    private static let serviceLimit = 128, eventLimit = 1000
    /// The longest section: 4093 bytes behind its head.
    private static let sectionLimit = 4096

    /// Nothing is known.
    public init() {}

    /// The services of which something is known, by their numbers.
    public var services: [Int] { events.keys.sorted() }

    /// The programmes of a service, in order and without overlaps.
    public func programmes(of service: Int) -> [GuideProgramme] {
        var result: [GuideProgramme] = []
        for event in (events[service] ?? [:]).values.sorted(by: { ($0.start, $0.stop) < ($1.start, $1.stop) }) {
            if let last = result.last {
                // Of two at once, the one that was changed last has the same number; others are the broadcaster's mistake.
                if last.start == event.start { continue }
                if last.stop > event.start {
                    result[result.count - 1] = GuideProgramme(
                        start: last.start, stop: event.start, title: last.title, summary: last.summary)
                }
            }
            result.append(GuideProgramme(start: event.start, stop: event.stop, title: event.title, summary: event.summary))
        }
        return result
    }

    /// The present programme of a service and the next one, as the broadcaster says: whatever the clock of this machine.
    public func nowNext(of service: Int) -> NowNext {
        var result = NowNext(at: 0)
        guard let numbers = onAir[service] else { return result }
        let found = numbers.map { $0.flatMap { events[service]?[$0] } }.map { event in
            event.map { GuideProgramme(start: $0.start, stop: $0.stop, title: $0.title, summary: $0.summary) }
        }
        (result.now, result.next) = (found[0], found[1])
        return result
    }

    // MARK: - Packets

    /// Takes bytes of a stream; packets may begin anywhere.
    public mutating func take(_ bytes: [UInt8]) {
        rest += bytes
        var place = 0
        while rest.count - place >= Self.packetLength {
            guard rest[place] == 0x47 else {
                place += 1
                continue
            }
            packet(rest[place..<place + Self.packetLength])
            place += Self.packetLength
        }
        rest.removeFirst(place)
    }

    private mutating func packet(_ packet: ArraySlice<UInt8>) {
        let start = packet.startIndex
        guard Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2]) == Self.pid, packet[start + 1] & 0x80 == 0,
            packet[start + 3] & 0x10 != 0
        else { return }
        var payload = packet.dropFirst(4)
        if packet[start + 3] & 0x20 != 0 { payload = payload.dropFirst(1 + Int(packet[start + 4])) }
        guard packet[start + 1] & 0x40 != 0 else {
            if let former = open { complete(former + payload) }
            return
        }
        guard let pointer = payload.popFirst(), Int(pointer) <= payload.count else {
            open = nil
            return
        }
        if let former = open { complete(former + payload.prefix(Int(pointer))) }
        complete(Array(payload.dropFirst(Int(pointer))))
    }

    /// Takes the whole sections off the front; a rest waits.
    private mutating func complete(_ bytes: [UInt8]) {
        open = nil
        var left = bytes[...]
        while let first = left.first, first != 0xFF {
            guard left.count >= 3 else {
                open = Array(left)
                return
            }
            let length = 3 + (Int(left[left.startIndex + 1] & 0x0F) << 8 | Int(left[left.startIndex + 2]))
            guard length <= Self.sectionLimit else { return }
            guard left.count >= length else {
                open = Array(left)
                return
            }
            _ = take(section: left.prefix(length))
            left = left.dropFirst(length)
        }
    }

    // MARK: - Sections

    /// Takes a whole section; false where it is damaged, or none of programmes of the present stream.
    public mutating func take(section: ArraySlice<UInt8>) -> Bool {
        let section = Array(section)
        // 0x4e: now and next; 0x50 to 0x5f: the days to come.
        guard section.count >= 18, section[0] == 0x4E || (0x50...0x5F).contains(section[0]),
            3 + (Int(section[1] & 0x0F) << 8 | Int(section[2])) == section.count, section[5] & 1 == 1,
            MPEGChecksum.of(section) == 0
        else { return false }
        let service = Int(section[3]) << 8 | Int(section[4])
        guard events[service] != nil || events.count < Self.serviceLimit else { return false }
        var place = 14
        let end = section.count - 4
        if section[0] == 0x4E {
            put(place + 12 <= end ? Int(section[place]) << 8 | Int(section[place + 1]) : nil, section[6], service)
        }
        while place + 12 <= end {
            let length = Int(section[place + 10] & 0x0F) << 8 | Int(section[place + 11])
            guard place + 12 + length <= end else { break }
            event(section[place..<place + 12 + length], of: service)
            place += 12 + length
        }
        return true
    }

    /// The tables of the present (section 0) and the next programme (section 1) name one event each, or none.
    private mutating func put(_ number: Int?, _ section: UInt8, _ service: Int) {
        guard section < 2, onAir[service]?[Int(section)] != number || onAir[service] == nil else { return }
        onAir[service, default: [nil, nil]][Int(section)] = number
        revision += 1
    }

    private mutating func event(_ bytes: ArraySlice<UInt8>, of service: Int) {
        let head = Array(bytes.prefix(12)), number = Int(head[0]) << 8 | Int(head[1])
        guard let start = Self.time(head[2..<7]), let span = Self.span(head[7..<10]), span > 0 else { return }
        guard let (title, summary) = Self.texts(bytes.dropFirst(12)), !title.isEmpty else { return }
        let former = events[service]?[number]
        guard former != nil || (events[service]?.count ?? 0) < Self.eventLimit else { return }
        if let former, (former.start, former.stop) == (start, start + span), former.title == title, former.summary == summary {
            return
        }
        events[service, default: [:]][number] = Event(start: start, stop: start + span, title: title, summary: summary)
        revision += 1
    }

    /// Title and summary of the first short description.
    private static func texts(_ descriptors: ArraySlice<UInt8>) -> (title: String, summary: String)? {
        var rest = descriptors
        while rest.count >= 2 {
            let tag = rest[rest.startIndex], length = Int(rest[rest.startIndex + 1])
            let body = rest.dropFirst(2).prefix(length)
            guard body.count == length else { return nil }
            rest = rest.dropFirst(2 + length)
            guard tag == 0x4D, length >= 5 else { continue }
            var fields = body.dropFirst(3)
            guard let count = fields.popFirst(), fields.count > Int(count) else { continue }
            let title = fields.prefix(Int(count))
            fields = fields.dropFirst(Int(count))
            guard let more = fields.popFirst(), fields.count >= Int(more) else { continue }
            return (
                DisplayText.singleLine(BroadcastText.text(title), limit: 200),
                DisplayText.singleLine(BroadcastText.text(fields.prefix(Int(more))), limit: 500)
            )
        }
        return nil
    }

    /// Seconds since 1970 of a day (modified Julian) and a time in decimal digits, in UTC; nil where it is not stated.
    static func time(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let start = bytes.startIndex
        guard let time = span(bytes[(start + 2)...]), time < 86_400 else { return nil }
        let day = Int64(bytes[start]) << 8 | Int64(bytes[start + 1])
        return (day - 40_587) * 86_400 + time
    }

    /// Hours, minutes and seconds in decimal digits; nil where they are none.
    private static func span(_ bytes: ArraySlice<UInt8>) -> Int64? {
        var parts: [Int64] = []
        for byte in bytes {
            guard byte >> 4 < 10, byte & 15 < 10 else { return nil }
            parts.append(Int64(byte >> 4) * 10 + Int64(byte & 15))
        }
        guard parts.count == 3, parts[1] < 60, parts[2] < 60 else { return nil }
        return parts[0] * 3600 + parts[1] * 60 + parts[2]
    }
}
