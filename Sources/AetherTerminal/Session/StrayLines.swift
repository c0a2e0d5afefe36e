import AetherCore

/// Bytes that libraries wrote to standard error, as lines that may be shown and kept: cleaned, cut, and no more of them than a person
/// reads. A value; time is an argument.
struct StrayLines {
    /// More of a line is thrown away. 2 KB: an error that quotes a line of a document.
    static let byteLimit = 2048
    /// So many lines at once, then so many a second: a decoder of damaged data may say thousands.
    static let burst = 40.0, rate = 10.0

    private var partial: [UInt8] = []
    private var allowance = burst
    private var last: HostTime?
    private var suppressed = 0

    /// The lines that the bytes complete. Where some were left out before, the first one says how many.
    mutating func take(_ bytes: some Sequence<UInt8>, now: HostTime) -> [String] {
        if let last { allowance = min(Self.burst, allowance + max(0, (now - last).seconds) * Self.rate) }
        last = now
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if let line = completed() { add(line, to: &lines) }
            } else if partial.count < Self.byteLimit {
                partial.append(byte)
            }
        }
        return lines
    }

    /// The last lines: a line without an end, and how many were left out.
    mutating func finish() -> [String] {
        let rest = completed().map { [$0] } ?? []
        defer { suppressed = 0 }
        return rest + (suppressed > 0 ? [omission] : [])
    }

    private var omission: String { "(\(suppressed) lines of libraries left out)" }

    private mutating func completed() -> String? {
        defer { partial.removeAll(keepingCapacity: true) }
        let line = DisplayText.singleLine(Redaction.text(String(decoding: partial, as: UTF8.self)))
        return line.isEmpty ? nil : line
    }

    private mutating func add(_ line: String, to lines: inout [String]) {
        guard allowance >= 1 else {
            suppressed += 1
            return
        }
        allowance -= 1
        if suppressed > 0 { lines.append(omission) }
        suppressed = 0
        lines.append(line)
    }
}
