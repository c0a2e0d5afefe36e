/// Holds back the captions of CEA-608 that reading came into the middle of: half of a text would be shown, and kept beside the whole one.
/// Pop-on and paint-on texts are whole from their first command on, rolling ones when as many rows have rolled as are seen. Pure.
struct CaptionGate {
    /// Rows that must still roll; nil before any command.
    private var missingRows: Int?

    /// Whether what the decoder makes of the bytes is whole.
    var isOpen: Bool { missingRows == 0 }

    /// Reading goes on elsewhere.
    mutating func close() { missingRows = nil }

    /// Takes the bytes beside a frame (ATSC A/53: three for each pair of characters) and returns those that the decoder may have.
    mutating func take(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var first = missingRows == nil ? bytes.endIndex : bytes.startIndex
        for place in stride(from: 0, to: bytes.count - 2, by: 3) {
            // Valid, of the first field, and a command of one of its two channels.
            guard bytes[place] & 7 == 4, [0x14, 0x1C].contains(bytes[place + 1] & 0x7F) else { continue }
            switch bytes[place + 2] & 0x7F {
            // Resume caption loading, resume direct captioning.
            case 0x20, 0x29: missingRows = 0
            // Roll-up of two to four rows: the first commands that are met.
            case let rows where (0x25...0x27).contains(rows) && missingRows == nil: missingRows = Int(rows) - 0x23
            // Carriage return.
            case 0x2D: missingRows = missingRows.map { max(0, $0 - 1) }
            default: continue
            }
            if missingRows != nil { first = min(first, place) }
        }
        return bytes[first...]
    }
}
