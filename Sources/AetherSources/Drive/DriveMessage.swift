/// A message of the player to `aether-disc`, the program that reads compact discs in drives.
package enum DriveRequest: Sendable, Equatable {
    /// Opens a drive by its path. The first message.
    case open(String)
    /// Sectors from one on, at most `DriveSector.limit`.
    case read(number: UInt32, sector: Int, count: Int)
    /// Reads with lower numbers are of no use any more.
    case forget(before: UInt32)

    private static let pathLimit = 4096

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .open(let path):
            var writer = WireWriter(1, number: 0)
            writer.add(path)
            return writer.frame()
        case .read(let number, let sector, let count):
            var writer = WireWriter(2, number: number)
            writer.add(UInt32(sector))
            writer.add(UInt32(count))
            return writer.frame()
        case .forget(let number): return WireWriter(3, number: number).frame()
        }
    }

    /// Reads a frame; nil for what is no request.
    package init?(_ frame: WireFrames.Frame) {
        var fields = WireFields(frame.fields)
        switch frame.kind {
        case 1:
            guard let path = fields.text(limit: Self.pathLimit), !path.isEmpty, !path.utf8.contains(0) else { return nil }
            self = .open(path)
        case 2:
            guard let sector = fields.number(UInt32.self), let count = fields.number(UInt32.self),
                Int(sector) < DriveTable.sectorLimit, 1...DriveSector.limit ~= Int(count)
            else { return nil }
            self = .read(number: frame.number, sector: Int(sector), count: Int(count))
        case 3: self = .forget(before: frame.number)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }
}

/// Sectors as they travel.
package enum DriveSector {
    /// All of them are 2352 bytes long; those of mode 2 begin with 16 zeros in place of sync and header.
    package static let size = 2352
    /// Sectors of one request at most: 1.3 s of audio.
    package static let limit = 100
}

/// The reason why `aether-disc` gave nothing.
package enum DriveRefusal: UInt8, Error, Sendable, CaseIterable {
    case noDrive = 1
    case empty, noTable, changed, unreadable
}

/// An answer of `aether-disc`.
package enum DriveAnswer: Sendable, Equatable {
    /// The disc is open.
    case opened(DriveTable)
    /// The sectors that a read has found; those that could not be read are zeros, and are counted.
    case sectors(number: UInt32, lost: UInt32, bytes: ArraySlice<UInt8>)
    /// A request has failed; its number is 0 where it was to open.
    case failure(number: UInt32, DriveRefusal)

    private static let textLimit = 800

    /// The bytes to send.
    package var frame: [UInt8] {
        switch self {
        case .opened(let table):
            var writer = WireWriter(1, number: 0)
            writer.add(UInt32(table.leadOut))
            writer.add(table.session.flatMap { UInt32(exactly: $0) } ?? .max)
            for text in [table.title, table.performer] { writer.add(Self.cut(text)) }
            for track in table.tracks {
                writer.add(UInt8(track.number))
                writer.add(track.kind.rawValue)
                writer.add(UInt32(track.start))
                for text in [track.title, track.performer] { writer.add(Self.cut(text)) }
            }
            return writer.frame()
        case .sectors(let number, let lost, let bytes):
            var writer = WireWriter(2, number: number, room: bytes.count + 4)
            writer.add(lost)
            bytes.withUnsafeBytes { writer.add($0) }
            return writer.frame()
        case .failure(let number, let refusal):
            var writer = WireWriter(3, number: number)
            writer.add(refusal.rawValue)
            return writer.frame()
        }
    }

    /// A text that fits: a character of text has four bytes at most where it is no pile of accents, and of such piles the first go along.
    private static func cut(_ text: String) -> String {
        var text = String(text.prefix(textLimit / 4))
        while text.utf8.count > textLimit { text.removeLast() }
        return text
    }

    /// Reads a frame; nil for what is no answer.
    package init?(_ frame: WireFrames.Frame) {
        var fields = WireFields(frame.fields)
        switch frame.kind {
        case 1:
            guard let table = Self.table(&fields) else { return nil }
            self = .opened(table)
        case 2:
            guard let lost = fields.number(UInt32.self) else { return nil }
            self = .sectors(number: frame.number, lost: lost, bytes: fields.remaining())
        case 3:
            guard let code = fields.number(UInt8.self), let refusal = DriveRefusal(rawValue: code) else { return nil }
            self = .failure(number: frame.number, refusal)
        default: return nil
        }
        guard fields.isEmpty else { return nil }
    }

    private static func table(_ fields: inout WireFields) -> DriveTable? {
        guard let leadOut = fields.number(UInt32.self), let session = fields.number(UInt32.self),
            let title = fields.text(limit: textLimit), let performer = fields.text(limit: textLimit)
        else { return nil }
        var tracks: [DriveTable.Track] = []
        while !fields.isEmpty {
            guard tracks.count < DriveTable.trackLimit, let number = fields.number(UInt8.self),
                let kind = fields.number(UInt8.self).flatMap({ DriveTable.Kind(rawValue: $0) }),
                let start = fields.number(UInt32.self), let title = fields.text(limit: textLimit),
                let performer = fields.text(limit: textLimit)
            else { return nil }
            tracks.append(DriveTable.Track(Int(number), kind, start: Int(start), title: title, performer: performer))
        }
        return DriveTable(
            tracks, leadOut: Int(leadOut), session: session == .max ? nil : Int(session), title: title, performer: performer)
    }
}
