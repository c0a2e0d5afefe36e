import AetherCore

/// Numbers of a table of a disc, the highest byte first. Whatever lies outside of the table is damage. Pure.
struct DiscBytes: Sendable, Equatable {
    private let bytes: ArraySlice<UInt8>
    /// The table's name for people.
    let name: String

    init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes[...], name) }
    private init(slice: ArraySlice<UInt8>, name: String) { (bytes, self.name) = (slice, name) }

    var count: Int { bytes.count }

    func byte(_ offset: Int) throws(DiscFault) -> Int {
        guard offset >= 0, offset < bytes.count else { throw .damaged(name) }
        return Int(bytes[bytes.startIndex + offset])
    }

    func short(_ offset: Int) throws(DiscFault) -> Int { try byte(offset) << 8 | byte(offset + 1) }
    func long(_ offset: Int) throws(DiscFault) -> Int { try short(offset) << 16 | short(offset + 2) }

    func hasPrefix(_ text: String) -> Bool { bytes.starts(with: Array(text.utf8)) }

    /// The table from an offset to the end of the file.
    func table(at offset: Int, name: String) throws(DiscFault) -> DiscBytes {
        guard offset > 0, offset < bytes.count else { throw .damaged(name) }
        return DiscBytes(slice: bytes[(bytes.startIndex + offset)...], name: name)
    }

    /// The table that begins at the sector which the number at an offset names; nil for none.
    func table(sectorAt offset: Int, name: String) throws(DiscFault) -> DiscBytes? {
        let sector = try long(offset)
        return sector == 0 ? nil : try table(at: sector * DiscSector.size, name: name)
    }

    /// A time in decimal digits: hours, minutes, seconds, frames, and above these the rate. In ticks of 90 kHz.
    func ticks(_ offset: Int) throws(DiscFault) -> Int64 {
        func digits(_ value: Int) -> Int64 { Int64(value >> 4) * 10 + Int64(value & 15) }
        let last = try byte(offset + 3)
        let seconds = try digits(byte(offset)) * 3600 + digits(byte(offset + 1)) * 60 + digits(byte(offset + 2))
        // 29.97 frames a second are counted as thirty.
        let frame: Int64 = last >> 6 == 3 ? 3003 : 3600
        return seconds * (last >> 6 == 3 ? 90_090 : 90_000) + digits(last & 0x3F) * frame
    }

    /// Two letters of a language.
    func language(_ offset: Int) throws(DiscFault) -> String? {
        let letters = try [byte(offset), byte(offset + 1)].map { UInt8($0 | 0x20) }
        guard letters.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }
}

/// The unit in which discs are read.
public enum DiscSector {
    /// Bytes of a sector.
    public static let size = 2048
}

extension TimeSpan {
    /// A time in ticks of 90 kHz.
    init(discTicks ticks: Int64) { self.init(nanoseconds: TimeBase(1, 90_000).nanoseconds(ticks: ticks)) }
}
