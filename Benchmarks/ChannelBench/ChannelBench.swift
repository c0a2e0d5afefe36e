import AetherCore
import AetherFormats
import Glibc

/// Time and memory of a list of channels and of its guide.
///
///     aether-bench-channels [CHANNELS]
///
/// makes a list in memory, reads it, looks for each channel's name, and reads a guide of two programmes an hour for every tenth channel.
@main struct ChannelBench {
    static func main() {
        let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 100_000 : 100_000
        let time = SystemTime(), text = list(count), before = peak()
        let start = time.now()
        let channels = ChannelList(text)
        let read = time.now()
        var letters = 0
        for index in 0..<channels.count { letters += channels.name(index).utf8.count }
        let named = time.now()
        let afterList = peak()
        let links = GuideLinks(channels) { $0.lowercased() }
        let linked = time.now()
        var reader = XMLTVReader(links, around: 1_700_000_000) { $0.lowercased() }
        let xml = guide(count / 10)
        let made = time.now()
        for piece in stride(from: 0, to: xml.count, by: 256 << 10) {
            _ = reader.feed(Array(xml[piece..<min(xml.count, piece + 256 << 10)]))
        }
        let guide = reader.finish()
        let told = time.now()
        print(
            "list      \(text.count / 1_000_000) MB, \(channels.count) channels, \(channels.groups.count) groups: \(milliseconds(read - start)) ms"
        )
        print("names     \(letters / 1000) KB: \(milliseconds(named - read)) ms")
        print("links     \(milliseconds(linked - named)) ms")
        print("guide     \(xml.count / 1_000_000) MB, \(guide.count) programmes kept: \(milliseconds(told - made)) ms")
        print(
            "resident  \(before / 1024) MB with the text of the list, \(afterList / 1024) MB with the list and its names, \(peak() / 1024) MB at most"
        )
    }

    private static func milliseconds(_ span: TimeSpan) -> Int { Int(span.nanoseconds / 1_000_000) }

    /// Kilobytes.
    private static func peak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    private static func list(_ count: Int) -> [UInt8] {
        var text = Array("#EXTM3U x-tvg-url=\"http://guide.example/epg.xml.gz\"\n".utf8)
        text.reserveCapacity(count * 280)
        for index in 0..<count {
            text += Array(
                """
                #EXTINF:-1 tvg-id="channel\(index).example" tvg-name="Channel \(index)" tvg-logo="http://logo.example/images/\(index).png" \
                group-title="Group \(index / 100)" catchup="append" catchup-source="?utc={utc}&lutc={lutc}" catchup-days="7",Channel \(index) HD
                http://stream.example:8080/live/user/password/\(index).m3u8|User-Agent=Player

                """.utf8)
        }
        return text
    }

    private static func guide(_ count: Int) -> [UInt8] {
        var text = Array("<?xml version=\"1.0\"?><tv>".utf8)
        for index in 0..<count {
            let id = "channel\(index * 10).example"
            text += Array("<channel id=\"\(id)\"><display-name>Channel</display-name></channel>".utf8)
            for slot in 0..<48 {
                let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
                text += Array(
                    "<programme start=\"20231114\(two(slot / 2))\(slot % 2 == 0 ? "00" : "30")00 +0000\" channel=\"\(id)\"><title>Programme \(slot)</title><desc>What it is about, in a sentence or two of a hundred letters.</desc></programme>\n"
                        .utf8)
            }
        }
        return text + Array("</tv>".utf8)
    }
}
