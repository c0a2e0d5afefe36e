import AetherCore

/// The texts of a compact disc in its own form (CD-Text), as the file beside a sheet has them: packs of eighteen bytes. Of several languages the first
/// counts. Pure.
public struct DiscText: Sendable, Equatable {
    /// By the number of the track, 0 for the disc; safe to display.
    public private(set) var titles: [Int: String] = [:]
    /// By the number of the track, 0 for the disc; safe to display.
    public private(set) var performers: [Int: String] = [:]

    private static let packSize = 18, textSize = 12
    /// A disc holds 255 packs of each of eight languages.
    public static let sizeLimit = 8 * 256 * packSize + 4

    /// Reads the packs, which may stand behind a head of four bytes.
    public init(_ bytes: [UInt8]) {
        var place = bytes.count % Self.packSize == 4 ? 4 : 0, texts: [UInt8: [(track: Int, bytes: [UInt8], isWide: Bool)]] = [:]
        while place + Self.packSize <= min(bytes.count, Self.sizeLimit) {
            let pack = bytes[place..<place + Self.packSize], start = place
            place += Self.packSize
            // The block is the language; a pack with another sum is left out.
            guard pack[start + 3] >> 4 & 7 == 0, Self.isWhole(pack) else { continue }
            let text = Array(pack[(start + 4)..<(start + 4 + Self.textSize)])
            texts[pack[start], default: []].append((Int(pack[start + 1] & 0x7F), text, pack[start + 3] & 0x80 != 0))
        }
        titles = Self.joined(texts[0x80] ?? [])
        performers = Self.joined(texts[0x81] ?? [])
    }

    /// Nothing but a zero ends a text, and the next one follows in the same pack.
    private static func joined(_ packs: [(track: Int, bytes: [UInt8], isWide: Bool)]) -> [Int: String] {
        guard let first = packs.first, !first.isWide else { return [:] }
        var texts: [Int: String] = [:], track = first.track, text: [UInt8] = []
        for byte in packs.flatMap(\.bytes) where track <= CueSheet.trackLimit {
            guard byte == 0 else {
                text.append(byte)
                continue
            }
            // A tabulator alone stands for the text of the track before.
            let own = text == [9] ? texts[track - 1] ?? "" : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
            if !own.isEmpty { texts[track] = DisplayText.singleLine(own, limit: 200) }
            (track, text) = (track + 1, [])
        }
        return texts
    }

    /// Whether the sum at the end of a pack is right; it is kept inverted, and zero where a program wrote none.
    private static func isWhole(_ pack: ArraySlice<UInt8>) -> Bool {
        var sum = UInt16(0)
        for byte in pack.dropLast(2) {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
        }
        let stated = UInt16(pack[pack.endIndex - 2]) << 8 | UInt16(pack[pack.endIndex - 1])
        return stated == 0 || ~sum == stated
    }
}
