import AetherCore
import AetherTestSupport

/// The same segments by HLS: a minute of them in a list; or as parts, four of which are a segment, whose lists and parts are held back until they are
/// there. The virtual clock is moved on to that moment.
extension ClockedBroadcast {
    static let partsOfSegment = 4
    private static let window = 28

    /// How many segments were made by now.
    private var made: Int { Int(((now - options.delay) / Self.seconds + 1e-6).rounded(.down)) }

    /// Waits, as a server does, until so many segments are made.
    private func wait(for count: Int) {
        let missing = Double(count) * Self.seconds + options.delay - now
        if missing > 0 { time.advance(by: .seconds(missing + 1e-6)) }
    }

    /// The playlists by their paths, and what they name beside the segments.
    func playlists(last: Int) -> [String: TestOrigin.Content] {
        func master(_ form: String) -> TestOrigin.Content {
            .bytes(
                Array(
                    """
                    #EXTM3U
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Sine",DEFAULT=YES,URI="\(form)a.m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=40000,RESOLUTION=64x36,CODECS="avc1.42c00a,mp4a.40.2",AUDIO="a"
                    \(form)v.m3u8

                    """.utf8))
        }
        var files = [Self.hls: master("h"), Self.lowLatency: master("l")]
        for name in ["v", "a"] {
            files["/h\(name).m3u8"] = .made { [self] _ in Array(list(name).utf8) }
            files["/l\(name).m3u8"] = .made { [self] target in Array(partedList(name, target).utf8) }
            for number in 450...last {
                files["/\(name)-p\(number).mp4"] = .made { [self] _ in
                    guard number <= made + 1 else { return nil }
                    wait(for: number)
                    return segment(name, number)
                }
            }
            for whole in 112...last / Self.partsOfSegment {
                files["/\(name)-s\(whole).mp4"] = .made { [self] _ in
                    let parts = (0..<Self.partsOfSegment).map { segment(name, whole * Self.partsOfSegment + $0 + 1) }
                    return parts.contains { $0 == nil } ? nil : parts.flatMap { $0 ?? [] }
                }
            }
        }
        return files
    }

    private func list(_ name: String) -> String {
        let first = made - Self.window + 1
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXT-X-MEDIA-SEQUENCE:\(first)", "#EXT-X-MAP:URI=\"\(name)-0.mp4\""]
        for number in first...made { lines += ["#EXTINF:2.048,", "\(options.fault(number))/\(name)-\(number).mp4"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private func partedList(_ name: String, _ target: String) -> String {
        var directives: [Substring: Int] = [:]
        for pair in (target.split(separator: "?").dropFirst().first ?? "").split(separator: "&") {
            let words = pair.split(separator: "=")
            if words.count == 2, let number = Int(words[1]) { directives[words[0]] = number }
        }
        if let number = directives["_HLS_msn"] {
            wait(for: number * Self.partsOfSegment + (directives["_HLS_part"] ?? Self.partsOfSegment - 1) + 1)
        }
        let made = made, whole = made / Self.partsOfSegment, first = whole - Self.window / Self.partsOfSegment + 1
        var lines = [
            "#EXTM3U", "#EXT-X-TARGETDURATION:8", "#EXT-X-PART-INF:PART-TARGET=2.048", "#EXT-X-MEDIA-SEQUENCE:\(first)",
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6.144", "#EXT-X-MAP:URI=\"\(name)-0.mp4\"",
        ]
        for segment in first...whole {
            for part in 0..<Self.partsOfSegment where segment >= whole - 2 {
                let number = segment * Self.partsOfSegment + part + 1
                guard number <= made else { break }
                lines.append("#EXT-X-PART:DURATION=2.048,URI=\"\(options.fault(number))/\(name)-p\(number).mp4\",INDEPENDENT=YES")
            }
            if segment < whole { lines += ["#EXTINF:8.192,", "\(name)-s\(segment).mp4"] }
        }
        lines.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(options.fault(made + 1))/\(name)-p\(made + 1).mp4\"")
        return lines.joined(separator: "\n") + "\n"
    }
}
