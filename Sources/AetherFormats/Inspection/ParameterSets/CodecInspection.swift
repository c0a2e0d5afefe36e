public import AetherCore

/// The codec of a stream as its data describe it: the parameter sets, and the units of the first packets.
public struct CodecInspection: Sendable, Equatable {
    /// A unit of an access unit.
    public struct Unit: Sendable, Equatable {
        /// The kind of the unit, by the standard's name.
        public let name: String
        /// Its first byte in the packet, and its bytes.
        public let offset: Int
        /// See `offset`.
        public let size: Int
        /// The decoded fields: the type of a slice, the kind of an SEI message, all fields of a parameter set.
        public let fields: [InspectedField]
    }

    /// The stream's number.
    public let stream: Int
    /// The codec's name, as FFmpeg has it.
    public let codec: String
    /// Parameter sets out of the container's header.
    public private(set) var sets: [ParameterSet] = []
    /// The fields of a header that is no parameter set: of AAC, VP9.
    public private(set) var fields: [InspectedField] = []
    /// The units of the packets that were taken, in their order.
    public private(set) var packets: [[Unit]] = []
    /// Bytes before each unit that state its length; 0: start codes.
    private var prefix = 0

    /// Begins with the header that a container has for the codec.
    public init(stream: Int, codec: String, header: [UInt8]) {
        (self.stream, self.codec) = (stream, codec)
        switch codec {
        case "h264" where header.first == 1 && header.count >= 7: configuration(header)
        case "hevc" where header.first == 1 && header.count >= 23: layers(header)
        case "h264", "hevc": sets = NALUnits.list(header, prefix: 0).map { ParameterSet(Array(header[$0]), kind) }
        case "av1" where header.count > 4: sets = [ParameterSet(Array(header.dropFirst(header.first == 0x81 ? 4 : 0)), .av1)]
        case "aac" where !header.isEmpty: fields = AudioSpecificConfig.fields(header)
        default: break
        }
    }

    private var kind: ParameterSet.Kind { codec == "hevc" ? .hevc : .avc }

    private mutating func configuration(_ header: [UInt8]) {
        prefix = Int(header[4] & 3) + 1
        var rest = header[6...]
        var left = Int(header[5] & 31), isSlice = false
        while true {
            while left > 0, let length = rest.bigEndian(2), rest.count >= 2 + length {
                sets.append(ParameterSet(Array(rest.dropFirst(2).prefix(length)), .avc))
                rest = rest.dropFirst(2 + length)
                left -= 1
            }
            guard left == 0, !isSlice, let count = rest.popFirst() else { return }
            (left, isSlice) = (Int(count), true)
        }
    }

    private mutating func layers(_ header: [UInt8]) {
        prefix = Int(header[21] & 3) + 1
        var rest = header[23...]
        for _ in 0..<header[22] {
            guard rest.count >= 3, let count = rest.dropFirst().bigEndian(2) else { return }
            rest = rest.dropFirst(3)
            for _ in 0..<min(count, 64) {
                guard let length = rest.bigEndian(2), rest.count >= 2 + length else { return }
                sets.append(ParameterSet(Array(rest.dropFirst(2).prefix(length)), .hevc))
                rest = rest.dropFirst(2 + length)
            }
        }
    }

    /// Takes the next packet of the stream.
    public mutating func take(_ packet: [UInt8]) {
        switch codec {
        case "h264", "hevc":
            packets.append(
                NALUnits.list(packet, prefix: prefix).map { range in
                    NALUnits.unit(
                        Array(packet[range].prefix(1 << 16)), at: range.lowerBound, size: range.count, isHEVC: codec == "hevc")
                })
        case "av1":
            packets.append(
                AV1SequenceHeader.units(packet).map { unit in
                    var fields: [InspectedField] = []
                    if unit.type == 1 { fields = ParameterSet(Array(packet[..<unit.payload.upperBound]), .av1).fields }
                    return Unit(name: unit.name, offset: unit.payload.lowerBound, size: unit.payload.count, fields: fields)
                })
        case "vp9":
            packets.append([Unit(name: "frame", offset: 0, size: packet.count, fields: VP9Header.fields(packet))])
        default: break
        }
    }

    /// The report for programs.
    public var json: JSON {
        func object(_ fields: [InspectedField]) -> JSON { FieldValue.record(fields).json }
        return .object([
            ("stream_index", JSON(stream)), ("codec_name", .string(codec)),
            (
                "parameter_sets",
                .array(
                    sets.map {
                        .object([("name", .string($0.name)), ("whole", .bool($0.isWhole)), ("fields", object($0.fields))])
                    })
            ),
            ("fields", object(fields)),
            (
                "packets",
                .array(
                    packets.map { units in
                        .array(
                            units.map {
                                .object([
                                    ("name", .string($0.name)), ("offset", JSON($0.offset)), ("size", JSON($0.size)),
                                    ("fields", object($0.fields)),
                                ])
                            })
                    })
            ),
        ])
    }

    /// The report as lines.
    public var lines: [String] {
        var lines = ["stream \(stream): \(codec)"]
        for set in sets {
            lines.append("  \(set.name)" + (set.isWhole ? "" : "  ! it ends before its fields do"))
            lines += set.fields.map { "    " + $0.line }
        }
        lines += fields.map { "    " + $0.line }
        for (number, units) in packets.enumerated() {
            lines.append("  packet \(number + 1)")
            for unit in units {
                let words = unit.fields.prefix(6).map(\.line).joined(separator: ", ")
                lines.append("    \(unit.name) @\(unit.offset) +\(unit.size)" + (words.isEmpty ? "" : "  " + words))
            }
        }
        return lines
    }
}
