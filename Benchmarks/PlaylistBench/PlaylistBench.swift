import AetherCore
import AetherFormats

/// Time of reading a long playlist of HLS.
///
///     aether-bench-playlists [SEGMENTS]
///
/// makes a list of segments in memory, plain, with parts of files, and with a date and a key each, and reads each one fifteen times; the best counts.
/// Then it opens the plain one as a player does: read, made a presentation, its length, its first segment, and the one of a seek to its end.
@main struct PlaylistBench {
    static func main() throws {
        let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 200_000 : 200_000
        guard let address = StreamAddress("https://server.example/vod/list.m3u8") else { return }
        for (name, text) in [("plain", plain(count)), ("ranges", ranges(count)), ("dates and keys", rich(count / 4))] {
            let time = SystemTime()
            var best = TimeSpan.seconds(1000), segments = 0
            for _ in 0..<15 {
                let start = time.now()
                let playlist = try HLSPlaylist(text, address: address)
                best = min(best, time.now() - start)
                if case .segments(let list) = playlist { segments = list.segments.count }
            }
            let rate = Double(text.count) / 1e6 / best.seconds
            print("\(name): \(segments) segments, \(text.count / 1000) KB: \(best.milliseconds) ms, \(Int(rate)) MB/s")
        }
        try open(plain(count), address)
    }

    private static func open(_ text: [UInt8], _ address: StreamAddress) throws {
        let time = SystemTime()
        var best = TimeSpan.seconds(1000), found: [Int64] = []
        for _ in 0..<15 {
            let start = time.now(), presentation = Presentation(try HLSPlaylist(text, address: address).segmentList())
            guard let index = presentation.renditions.first?.index, let length = presentation.duration else { return }
            let last = index.number(at: length - Ticks(.milliseconds(500)))
            found = [index.segment(index.numbers.lowerBound), last.flatMap { index.segment($0) }].compactMap { $0?.number }
            best = min(best, time.now() - start)
        }
        print("opened, and sought to its end: segments \(found), \(best.milliseconds) ms")
    }

    private static let head = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n"

    private static func list(_ count: Int, _ entry: (Int) -> String) -> [UInt8] {
        var text = Array(head.utf8)
        text.reserveCapacity(count * 160)
        for index in 0..<count { text += Array(entry(index).utf8) }
        return text + Array("#EXT-X-ENDLIST\n".utf8)
    }

    /// As a server writes them: about 80 bytes for each.
    private static func plain(_ count: Int) -> [UInt8] {
        list(count) { "#EXTINF:3.003000,\nhttps://media.example/film/video-1080p/segment-\($0).m4s?token=abcdef\n" }
    }

    private static func ranges(_ count: Int) -> [UInt8] {
        list(count) { "#EXTINF:4.0,\n#EXT-X-BYTERANGE:587500@\($0 * 587_500)\nmain.mp4\n" }
    }

    private static func rich(_ count: Int) -> [UInt8] {
        list(count) {
            """
            #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/key-\($0)",IV=0x00000000000000000000000000000001
            #EXT-X-PROGRAM-DATE-TIME:2026-11-24T12:\($0 % 6)0:00.000Z
            #EXTINF:4.000,
            segment-\($0).ts

            """
        }
    }
}
