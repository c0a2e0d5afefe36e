/// The figures and fields of one PID, gathered from its packets.
struct TransportPID {
    let pid: Int
    private(set) var gaps = 0
    private var packets: Int64 = 0, payloads: Int64 = 0, scrambled: Int64 = 0, corrupt: Int64 = 0, repeated: Int64 = 0
    private var counter: UInt8?
    private var isDiscontinuity = false
    private var places: [String] = []
    private var firstClock: (value: Int64, packet: Int64)?, lastClock: (value: Int64, packet: Int64)?
    private var clocks: Int64 = 0, passed: Int64 = 0
    private var first: Int64 = 0
    private var heads: [InspectedBox] = []
    private var starts: Int64 = 0, keys: Int64 = 0

    init(_ pid: Int) { self.pid = pid }

    /// The clock's ticks of 27 MHz from its first to its last sample, and the packets of the stream between them.
    var clock: (ticks: Int64, packets: Int64)? {
        guard let firstClock, let lastClock, passed > 0 else { return nil }
        return (passed, lastClock.packet - firstClock.packet)
    }

    /// Takes a packet; returns its payload, nil where it has none.
    mutating func take(_ packet: ArraySlice<UInt8>, at offset: Int64, number: Int64) -> ArraySlice<UInt8>? {
        let at = packet.startIndex
        if packets == 0 { first = offset }
        packets += 1
        if packet[at + 1] & 0x80 != 0 { corrupt += 1 }
        if packet[at + 3] & 0xC0 != 0 { scrambled += 1 }
        let hasPayload = packet[at + 3] & 0x10 != 0, value = packet[at + 3] & 0x0F
        var payload = packet.dropFirst(4)
        if packet[at + 3] & 0x20 != 0 {
            let length = Int(packet[at + 4])
            adaptation(payload.dropFirst().prefix(length), number: number)
            payload = payload.dropFirst(1 + length)
        }
        count(value, hasPayload, offset)
        guard hasPayload, !payload.isEmpty else { return nil }
        payloads += 1
        if packet[at + 1] & 0x40 != 0, pid != 0x1FFF { start(payload, offset) }
        return payload
    }

    private mutating func count(_ value: UInt8, _ hasPayload: Bool, _ offset: Int64) {
        defer {
            counter = value
            isDiscontinuity = false
        }
        guard pid != 0x1FFF, let counter, !isDiscontinuity else { return }
        let wanted = hasPayload ? (counter + 1) & 15 : counter
        if hasPayload, value == counter {
            repeated += 1
        } else if value != wanted {
            gaps += 1
            if places.count < 16 { places.append("continuity_counter \(value) in the place of \(wanted) at \(offset)") }
        }
    }

    private mutating func adaptation(_ field: ArraySlice<UInt8>, number: Int64) {
        guard let flags = field.first else { return }
        if flags & 0x80 != 0 { isDiscontinuity = true }
        if flags & 0x40 != 0 { keys += 1 }
        guard flags & 0x10 != 0, field.count >= 7 else { return }
        let bytes = field.dropFirst().prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let value = Int64(bytes >> 15) * 300 + Int64(bytes & 0x1FF)
        clocks += 1
        if firstClock == nil { firstClock = (value, number) }
        if let lastClock {
            // The clock begins anew after 26 hours.
            let step = value - lastClock.value, whole: Int64 = (1 << 33) * 300
            let rise = step < -whole / 2 ? step + whole : step
            // A leap of more than a second, or back, is another clock.
            if (0...27_000_000).contains(rise) {
                passed += rise
            } else if flags & 0x80 == 0, places.count < 16 {
                places.append("the clock leaps by \(TickText.seconds(Double(step), 27_000_000)) at packet \(number)")
            }
        }
        lastClock = (value, number)
    }

    private mutating func start(_ payload: ArraySlice<UInt8>, _ offset: Int64) {
        let at = payload.startIndex
        guard payload.count >= 9, payload[at] == 0, payload[at + 1] == 0, payload[at + 2] == 1 else { return }
        starts += 1
        guard heads.count < 16 else { return }
        var box = InspectedBox("PES", title: "Packetized Elementary Stream", offset: offset, size: 188)
        var reader = FieldReader(payload.dropFirst(3))
        let stream = reader.number("stream_id", 1) { Self.name(Int($0)) }
        reader.number("PES_packet_length", 2) { $0 == 0 ? "not stated" : "" }
        if ![0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF].contains(stream) {
            reader.bits([
                ("", 2), ("PES_scrambling_control", 2), ("PES_priority", 1), ("data_alignment_indicator", 1), ("copyright", 1),
                ("original_or_copy", 1),
            ])
            reader.bits([("PTS_DTS_flags", 2), ("", 6)])
            let flags = reader.last
            reader.number("PES_header_data_length", 1, unit: "bytes")
            if flags & 2 != 0 { Self.time("PTS", &reader) }
            if flags == 3 { Self.time("DTS", &reader) }
        }
        (box.fields, box.damage) = (reader.fields, reader.damage)
        heads.append(box)
    }

    private static func time(_ name: String, _ reader: inout FieldReader) {
        guard let raw = reader.raw(5, for: name) else { return }
        let value = (raw >> 33 & 7) << 30 | (raw >> 17 & 0x7FFF) << 15 | raw >> 1 & 0x7FFF
        reader.add(name, FieldValue(value), unit: "ticks of 90 kHz", meaning: TickText.seconds(Double(value), 90_000))
    }

    private static func name(_ id: Int) -> String {
        switch id {
        case 0xC0...0xDF: "audio \(id & 31)"
        case 0xE0...0xEF: "video \(id & 15)"
        case 0xBD: "private stream 1"
        case 0xBE: "padding"
        case 0xBF: "private stream 2"
        case 0xFD: "extended"
        default: ""
        }
    }

    /// The PID as a box for display. `seconds`: the length of the whole stream by its clock.
    func box(kind: String?, packetSize: Int, seconds: Double?) -> InspectedBox {
        var box = InspectedBox("PID", title: kind ?? Self.purpose(pid), offset: first, size: packets * Int64(packetSize))
        box.fields = [
            InspectedField("PID", .integer(Int64(pid)), meaning: "0x" + String(pid, radix: 16)),
            InspectedField("packets", .integer(packets)),
            InspectedField("continuity_errors", .integer(Int64(gaps))),
        ]
        if let seconds, seconds > 0 {
            let rate = (Double(packets) * Double(packetSize) * 8 / seconds).rounded()
            box.fields.append(InspectedField("bit_rate", .number(rate), unit: "bit/s"))
        }
        for (name, count) in [
            ("repeated_packets", repeated), ("scrambled_packets", scrambled), ("transport_errors", corrupt),
            ("PES_packets", starts),
            ("random_access_points", keys), ("PCR_samples", clocks),
        ] where count > 0 { box.fields.append(InspectedField(name, .integer(count))) }
        if let firstClock, let lastClock {
            for (name, value) in [("first_PCR", firstClock.value), ("last_PCR", lastClock.value)] {
                box.fields.append(
                    InspectedField(
                        name, .integer(value), unit: "ticks of 27 MHz", meaning: TickText.seconds(Double(value), 27_000_000)))
            }
        }
        (box.children, box.damage, box.unlisted) = (heads, places, Int(clamping: starts) - heads.count)
        return box
    }

    private static func purpose(_ pid: Int) -> String {
        [0: "PAT", 1: "CAT", 0x10: "NIT", 0x11: "SDT", 0x12: "EIT", 0x14: "TDT", 0x1FFF: "stuffing"][pid] ?? ""
    }
}
