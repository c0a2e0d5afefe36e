import AetherCore

/// A table of a transport stream, decoded (ISO/IEC 13818-1, 2.4.4; ETSI EN 300 468).
struct TransportTable {
    private(set) var box: InspectedBox
    /// PIDs of tables that this one names.
    private(set) var mapPIDs: [Int] = []
    /// The kinds of streams that this one names.
    private(set) var streams: [(pid: Int, name: String)] = []

    private static let names = [
        0: ("PAT", "Program Association Table"), 1: ("CAT", "Conditional Access Table"), 2: ("PMT", "Program Map Table"),
        0x40: ("NIT", "Network Information Table"), 0x42: ("SDT", "Service Description Table"),
        0x46: ("SDT", "Service Description Table, other stream"),
        0x4E: ("EIT", "Event Information Table"), 0x70: ("TDT", "Time and Date Table"), 0x73: ("TOT", "Time Offset Table"),
        0xFC: ("SCTE 35", "Splice Information"),
    ]

    init(_ section: [UInt8], pid: Int, offset: Int64) {
        let id = Int(section.first ?? 0)
        let name = Self.names[id] ?? ("table \(id)", "")
        box = InspectedBox(name.0, title: name.1, offset: offset, size: Int64(section.count), headLength: 3)
        let isLong = section.count >= 12 && section[1] & 0x80 != 0
        var reader = FieldReader(section[...].dropLast(isLong ? 4 : 0))
        reader.add("PID", .integer(Int64(pid)))
        reader.number("table_id", 1)
        reader.bits([("section_syntax_indicator", 1), ("", 3), ("section_length", 12)])
        guard isLong else {
            reader.remainder("data")
            box.fields = reader.fields
            return
        }
        reader.number(id == 0 ? "transport_stream_id" : id == 2 ? "program_number" : "table_id_extension", 2)
        reader.bits([("", 2), ("version_number", 5), ("current_next_indicator", 1)])
        reader.number("section_number", 1)
        reader.number("last_section_number", 1)
        switch id {
        case 0: programs(&reader)
        case 2: map(&reader)
        case 0x42, 0x46: services(&reader)
        default: reader.remainder("data")
        }
        (box.fields, box.damage) = (reader.fields, reader.damage)
        if MPEGChecksum.of(section) != 0 { box.damage.append("its CRC-32 is wrong") }
    }

    private mutating func programs(_ reader: inout FieldReader) {
        var rows: [FieldValue] = []
        while reader.left >= 4, rows.count < 256, let raw = reader.raw(4, for: "programs") {
            let number = raw >> 16, pid = Int(raw & 0x1FFF)
            if number > 0 { mapPIDs.append(pid) }
            rows.append(
                .record([
                    InspectedField("program_number", FieldValue(number)),
                    InspectedField(number == 0 ? "network_PID" : "program_map_PID", .integer(Int64(pid))),
                ]))
        }
        reader.add("programs", .list(rows))
    }

    private mutating func map(_ reader: inout FieldReader) {
        reader.bits([("", 3), ("PCR_PID", 13)])
        reader.bits([("", 4), ("program_info_length", 12)])
        let length = Int(reader.last)
        if let bytes = reader.take(length, for: "program_info") {
            box.children += TransportDescriptor.boxes(bytes, offset: box.offset)
        }
        while reader.left >= 5, box.children.count < 512, let raw = reader.raw(5, for: "streams") {
            let type = Int(raw >> 32), pid = Int(raw >> 16 & 0x1FFF), length = Int(raw & 0xFFF)
            var stream = InspectedBox("stream", offset: box.offset, size: Int64(5 + length))
            guard let bytes = reader.take(length, for: "ES_info") else { return }
            stream.children = TransportDescriptor.boxes(bytes, offset: box.offset)
            stream.title = TransportDescriptor.kind(type, stream.children)
            stream.fields = [
                InspectedField("stream_type", .integer(Int64(type)), meaning: stream.title),
                InspectedField("elementary_PID", .integer(Int64(pid))),
                InspectedField("ES_info_length", .integer(Int64(length)), unit: "bytes"),
            ]
            streams.append((pid, stream.title))
            box.children.append(stream)
        }
    }

    private mutating func services(_ reader: inout FieldReader) {
        reader.number("original_network_id", 2)
        reader.skip(1)
        while reader.left >= 5, box.children.count < 512, let raw = reader.raw(5, for: "services") {
            let length = Int(raw & 0xFFF)
            var service = InspectedBox("service", offset: box.offset, size: Int64(5 + length))
            service.fields = [
                InspectedField("service_id", FieldValue(raw >> 24)), InspectedField("running_status", FieldValue(raw >> 13 & 7)),
                InspectedField("free_CA_mode", FieldValue(raw >> 12 & 1)),
            ]
            guard let bytes = reader.take(length, for: "descriptors") else { return }
            service.children = TransportDescriptor.boxes(bytes, offset: box.offset)
            box.children.append(service)
        }
    }
}
