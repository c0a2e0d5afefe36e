public import AetherCore

extension SampleList {
    /// A row for programs, with ffprobe's names, in its order and forms, and then ours.
    public func json(_ row: SampleRow) -> JSON {
        let base = timeBase(row.stream), kind = streams.first { $0.index == row.stream }?.kind ?? "data"
        var members: [JSON.Members.Member] = [("codec_type", .string(kind)), ("stream_index", JSON(row.stream))]
        for (name, ticks) in [("pts", row.pts), ("dts", row.dts), ("duration", row.duration)] {
            guard let ticks else { continue }
            members.append((name, .integer(ticks)))
            members.append((name + "_time", .string(Self.seconds(ticks, base))))
        }
        members.append(("size", .string(String(row.size))))
        if let position = row.position { members.append(("pos", .string(String(position)))) }
        members.append(("flags", .string((row.isKey ? "K" : "_") + (row.isDiscarded ? "D" : "_"))))
        let own: [JSON.Members.Member] = [
            ("number", JSON(row.number)), ("key", .bool(row.isKey)), ("gop", JSON(row.gop)), ("part", JSON(row.part)),
            ("encrypted", .bool(row.isEncrypted)), ("dependency", .string(row.dependency.text)),
        ]
        return .object(JSON.Members(members + own))
    }

    /// Seconds with six decimals, as ffprobe writes them: the ticks times the time base in floating point, and that number rounded exactly.
    public static func seconds(_ ticks: Int64, _ base: TimeBase) -> String {
        let value = Double(ticks) * (Double(base.numerator) / Double(base.denominator))
        guard abs(value) < 9e12 else { return "N/A" }
        let micro = Self.millionths(abs(value)), fraction = String(1_000_000 + micro % 1_000_000).dropFirst()
        return "\(value < 0 ? "-" : "")\(micro / 1_000_000).\(fraction)"
    }

    /// A number of at most 2^43 in millionths, the nearest, and the even one of two that are as near.
    private static func millionths(_ value: Double) -> Int64 {
        let product = UInt128(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)) * 1_000_000
        let shift = (value.isNormal ? Int(value.exponent) : -1022) - 52
        if shift >= 0 { return Int64(clamping: product << UInt128(shift)) }
        guard shift > -100 else { return 0 }
        let down = UInt128(-shift), whole = product >> down, rest = product - whole << down, half = UInt128(1) << (down - 1)
        return Int64(clamping: whole + (rest > half || rest == half && whole & 1 == 1 ? 1 : 0))
    }

    /// A row on one line, with tabs between.
    public func line(_ row: SampleRow) -> String {
        let base = timeBase(row.stream)
        func time(_ ticks: Int64?) -> String { ticks.map { Self.seconds($0, base) } ?? "-" }
        return [
            "\(row.stream)", "\(row.number)", time(row.pts), time(row.dts), time(row.duration),
            row.position.map(String.init) ?? "-",
            "\(row.size)",
            (row.isKey ? "key" : "-") + (row.isDiscarded ? " discarded" : "") + (row.isEncrypted ? " encrypted" : ""),
            "\(row.gop)",
            row.part > 0 ? "\(row.part)" : "-", row.dependency.text.isEmpty ? "-" : row.dependency.text,
        ].joined(separator: "\t")
    }

    /// The names of the columns of `line`.
    public static let header = "stream\tnumber\tpts\tdts\tduration\tpos\tsize\tflags\tgop\tpart\tdependency"
}
