public import AetherCore

/// The line of a WebVTT segment that ties its times to the clock of the media (X-TIMESTAMP-MAP, RFC 8216bis, 3.1.4).
public struct WebVTTClock: Sendable, Equatable {
    /// A time as the cues count it.
    public let local: MediaTime
    /// The 33-bit time stamp of the media that is the same moment, in ticks of 90 kHz.
    public let ticks: Int64

    /// Reads it from the head of a segment; nil where it is not there or makes no sense.
    public init?(_ bytes: [UInt8]) {
        let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let line = head.split(whereSeparator: \.isNewline).prefix(32).first { $0.hasPrefix("X-TIMESTAMP-MAP") }
        guard let line, let equals = line.firstIndex(of: "=") else { return nil }
        var local: MediaTime?, ticks: Int64?
        for part in line[line.index(after: equals)...].split(separator: ",").prefix(8) {
            let words = part.split(separator: ":", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard words.count == 2 else { continue }
            if words[0].uppercased() == "LOCAL", case .offset(let span) = TimePoint(words[1]) { local = .zero + span }
            if words[0].uppercased() == "MPEGTS" { ticks = Int64(words[1]) }
        }
        // Encoders that count on beyond the 33 bits mean the same moment.
        guard let local, let ticks, ticks >= 0 else { return nil }
        (self.local, self.ticks) = (local, ticks & (1 << 33 - 1))
    }
}
