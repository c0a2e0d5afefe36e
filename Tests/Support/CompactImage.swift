import Foundation

/// The sectors of a compact disc's image, written by hand: headers and payloads, with zeros in place of the checks, which no player looks at.
public enum CompactImage {
    /// A sector of mode 2: 2352 bytes with up to 2048 of user data (form 1), or with up to 2324 (form 2).
    public static func sector(_ payload: [UInt8], at number: Int, form: Int) -> [UInt8] {
        func digits(_ value: Int) -> UInt8 { UInt8((value / 10) << 4 | value % 10) }
        let frame = number + 150
        var bytes: [UInt8] = [0] + [UInt8](repeating: 0xFF, count: 10) + [0]
        bytes += [digits(frame / 75 / 60), digits(frame / 75 % 60), digits(frame % 75), 2]
        let subheader: [UInt8] = [1, 1, form == 2 ? 0x62 : 0x08, 0]
        bytes += subheader + subheader + payload
        return bytes + [UInt8](repeating: 0, count: 2352 - bytes.count)
    }

    /// A Video CD: a track of tables in 300 sectors, of which the last 75 are the second track's pause, and the program stream, whose packs have
    /// 2324 bytes. `entries` are sectors of the stream.
    public static func video(_ stream: [UInt8], album: String, entries: [Int]) -> [UInt8] {
        func digits(_ value: Int) -> UInt8 { UInt8((value / 10) << 4 | value % 10) }
        var image: [UInt8] = []
        for number in 0..<300 {
            var payload: [UInt8] = []
            switch number {
            case 16: payload = [1] + Array("CD001".utf8) + [1]
            case 150:
                payload = Array("VIDEO_CD".utf8) + [2, 0] + Array(album.utf8.prefix(16))
                payload += [UInt8](repeating: 0x20, count: 26 - payload.count)
            case 151:
                payload = Array("ENTRYVCD".utf8) + [2, 0, 0, UInt8(entries.count)]
                for entry in entries {
                    let frame = 300 + entry + 150
                    payload += [digits(2), digits(frame / 75 / 60), digits(frame / 75 % 60), digits(frame % 75)]
                }
            default: break
            }
            image += sector(payload, at: number, form: 1)
        }
        for (index, start) in stride(from: 0, to: stream.count, by: 2324).enumerated() {
            image += sector(Array(stream[start..<min(stream.count, start + 2324)]), at: 300 + index, form: 2)
        }
        return image
    }

    /// The sheet of such a disc.
    public static func videoSheet(_ image: String) -> String {
        """
        FILE "\(image)" BINARY
          TRACK 01 MODE2/2352
            INDEX 01 00:00:00
          TRACK 02 MODE2/2352
            INDEX 00 00:03:00
            INDEX 01 00:04:00

        """
    }
}
