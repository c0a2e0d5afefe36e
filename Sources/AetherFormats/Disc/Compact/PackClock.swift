/// Times in a piece of an MPEG program stream, which may begin anywhere. Pure.
public struct PackClock: Sendable, Equatable {
    /// The earliest and the latest time of packets of video and audio, in ticks of 90 kHz; nil for none.
    public private(set) var earliest: Int64?, latest: Int64?
    /// The first time of a packet of video in the order of the bytes.
    public private(set) var firstVideo: Int64?
    /// A pack of MPEG-1 or MPEG-2 begins in it.
    public private(set) var hasPacks = false, isMPEG2 = false

    /// Looks at a piece.
    public init(_ bytes: [UInt8]) {
        var place = 0
        while place + 5 < bytes.count {
            guard bytes[place + 2] <= 1 else {
                place += 3
                continue
            }
            guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
                place += 1
                continue
            }
            let code = bytes[place + 3]
            if code == 0xBA {
                if !hasPacks { isMPEG2 = bytes[place + 4] >> 6 == 1 }
                hasPacks = true
            } else if 0xC0...0xEF ~= code, let time = Self.time(bytes, at: place + 6) {
                earliest = min(earliest ?? time, time)
                latest = max(latest ?? time, time)
                if code >= 0xE0 { firstVideo = firstVideo ?? time }
                // Behind its header data that looks like another one could stand.
                place += max(0, Int(bytes[place + 4]) << 8 | Int(bytes[place + 5]))
            }
            place += 4
        }
    }

    /// The time of presentation in a packet's header, of MPEG-1 or MPEG-2.
    private static func time(_ bytes: [UInt8], at start: Int) -> Int64? {
        var place = start
        func byte(_ offset: Int) -> Int64 { place + offset < bytes.count ? Int64(bytes[place + offset]) : 0 }
        if byte(0) >> 6 == 2 {
            guard byte(1) & 0x80 != 0 else { return nil }
            place += 3
        } else {
            while place < start + 16, byte(0) == 0xFF { place += 1 }
            if byte(0) >> 6 == 1 { place += 2 }
        }
        guard byte(0) >> 4 == 2 || byte(0) >> 4 == 3, byte(0) & byte(2) & byte(4) & 1 == 1 else { return nil }
        return (byte(0) >> 1 & 7) << 30 | byte(1) << 22 | (byte(2) >> 1) << 15 | byte(3) << 7 | byte(4) >> 1
    }
}
