import AetherFormats
import Testing

/// Manifests in few lines.
enum MPD {
    static let address = StreamAddress("https://h/a/m.mpd")

    static func document(_ text: String) throws -> MPDDocument {
        try MPDDocument(Array(text.utf8), address: #require(address))
    }

    static func presentation(_ text: String, now: Int64? = nil) throws -> Presentation {
        try Presentation(document(text), now: now)
    }

    /// A static manifest of one period with one representation of video, around some addressing.
    static func one(_ addressing: String, length: String = "PT10S", period: String = "") -> String {
        """
        <MPD type="static" mediaPresentationDuration="\(length)"><Period \(period)><AdaptationSet mimeType="video/mp4">
        <Representation id="v" bandwidth="1000">\(addressing)</Representation></AdaptationSet></Period></MPD>
        """
    }

    static func segments(_ text: String, _ id: String = "v", now: Int64? = nil) throws -> [Segment] {
        let index = try #require(try presentation(text, now: now).rendition(id)?.index)
        return index.numbers.compactMap { index.segment($0) }
    }
}

extension Segment {
    var name: Substring { address.text.hasPrefix("https://h/a/") ? address.text.dropFirst(12) : address.text[...] }
    var seconds: [Double] { [start.seconds, end.seconds] }
}
