import Foundation

/// Writes the sectors of a compact disc: mode 2 with sync, header and subheader, the error codes zero.
public struct DiscImage: Sendable {
    /// The bytes so far.
    public private(set) var bytes: [UInt8] = []

    /// Nothing.
    public init() {}

    /// The next sector.
    public var sector: Int { bytes.count / 2352 }

    /// Minutes, seconds and frames as a sheet has them.
    public static func time(_ sector: Int) -> String {
        String(format: "%02d:%02d:%02d", sector / 4500, sector / 75 % 60, sector % 75)
    }

    /// Minutes, seconds and frames of a sector of the disc as its tables have them.
    public static func digits(_ sector: Int) -> [UInt8] {
        let sector = sector + 150
        return [sector / 4500, sector / 75 % 60, sector % 75].map { UInt8(($0 / 10) << 4 + $0 % 10) }
    }

    /// Appends a sector of form 1 or form 2; behind user data of form 1 stand bytes that are none.
    public mutating func append(_ payload: some Collection<UInt8>, isForm2: Bool) {
        let subheader: [UInt8] = [1, 1, isForm2 ? 0x62 : 0x08, 0x0F], room = isForm2 ? 2324 : 2048
        bytes += [0] + [UInt8](repeating: 0xFF, count: 10) + [0] + Self.digits(sector) + [2] + subheader + subheader
        bytes += Array(payload.prefix(room)) + [UInt8](repeating: 0, count: max(0, room - payload.count))
        bytes += [UInt8](repeating: isForm2 ? 0 : 0xEE, count: 2352 - 24 - room)
    }

    /// Appends a stream in sectors of form 2.
    public mutating func append(stream: [UInt8]) {
        for start in stride(from: 0, to: stream.count, by: 2324) {
            append(stream[start..<min(stream.count, start + 2324)], isForm2: true)
        }
    }

    /// A Video CD of streams, each in a track behind a pause of two seconds, with an entry at the given parts of each. Returns the sheet for a file of
    /// that name.
    public static func videoCD(
        _ streams: [[UInt8]], entries: [[Double]], magic: String = "VIDEO_CD", file: String
    ) -> (image: [UInt8], sheet: String) {
        var image = DiscImage(), sheet = "FILE \"\(file)\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n"
        var table: [[UInt8]] = [], place = 300
        for (index, stream) in streams.enumerated() {
            let count = (stream.count + 2323) / 2324
            table += entries[index].map { [UInt8(index + 2)] + digits(place + 150 + Int(Double(count) * $0)) }
            place += 150 + count
        }
        for number in 0..<300 {
            switch number {
            case 16: image.append([1] + Array("CD001".utf8) + [1], isForm2: false)
            case 150: image.append(Array(magic.utf8) + [2, 0] + Array("FIXTURE         ".utf8), isForm2: false)
            case 151: image.append(Array("ENTRYVCD".utf8) + [2, 0, 0, UInt8(table.count)] + table.flatMap { $0 }, isForm2: false)
            default: image.append([], isForm2: false)
            }
        }
        for (index, stream) in streams.enumerated() {
            let pause = image.sector
            for _ in 0..<150 { image.append([], isForm2: true) }
            sheet += "  TRACK \(index + 2) MODE2/2352\r\n    INDEX 00 \(time(pause))\r\n    INDEX 01 \(time(image.sector))\r\n"
            image.append(stream: stream)
        }
        return (image.bytes, sheet)
    }
}
