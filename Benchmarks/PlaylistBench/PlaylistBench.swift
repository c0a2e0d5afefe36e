import AetherCore
import AetherFormats

/// Time of reading a long playlist of HLS, and manifests of DASH.
///
///     aether-bench-playlists [SEGMENTS]
///
/// makes a list of segments in memory, plain, with parts of files, and with a date and a key each, a manifest of 200 periods with eight representations
/// each, and one with a timeline of 60 000 entries, and reads each one fifteen times; the best counts.
/// Then it opens the plain list as a player does: read, made a presentation, its length, its first segment, and the one of a seek to its end.
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
        for (name, text) in [("200 periods of 8", periods(200, 8)), ("60 000 entries", timeline(60_000))] {
            let time = SystemTime()
            var best = TimeSpan.seconds(1000), segments = 0
            for _ in 0..<15 {
                let start = time.now()
                let presentation = try Presentation(MPDDocument(text, address: address))
                best = min(best, time.now() - start)
                segments = presentation.renditions.reduce(0) { $0 + ($1.index?.numbers.count ?? 0) }
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

    private static func periods(_ count: Int, _ representations: Int) -> [UInt8] {
        var text = "<MPD type=\"static\" mediaPresentationDuration=\"PT\(count * 10)S\">\n"
        for period in 0..<count {
            text += """
                <Period id="p\(period)" duration="PT10S">
                <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true">
                <SegmentTemplate media="$RepresentationID$/$Number$.m4s" initialization="$RepresentationID$/init.mp4" timescale="1000" duration="2000"/>

                """
            for number in 1...representations {
                text += """
                    <Representation id="v\(number)" bandwidth="\(number)00000" codecs="avc1.64001f" width="\(160 * number)" height="90" frameRate="25">
                    <BaseURL>https://media.example/film/p\(period)/v\(number)/</BaseURL></Representation>

                    """
            }
            text += "</AdaptationSet>\n</Period>\n"
        }
        return Array((text + "</MPD>\n").utf8)
    }

    private static func timeline(_ count: Int) -> [UInt8] {
        var text = """
            <MPD type="static" mediaPresentationDuration="PT\(count * 2)S"><Period><AdaptationSet mimeType="video/mp4">
            <SegmentTemplate media="$Time$.m4s" timescale="1000"><SegmentTimeline>

            """
        for number in 0..<count { text += "<S t=\"\(number * 2000)\" d=\"\(number % 2 == 0 ? 2000 : 1999)\"/>\n" }
        return Array(
            (text + "</SegmentTimeline></SegmentTemplate><Representation id=\"v\"/></AdaptationSet></Period></MPD>\n").utf8)
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
