import AetherCore

extension MediaEvent {
    /// The events at the beginning of a segment's bytes. Bytes that are no box end them.
    public static func events(in bytes: ArraySlice<UInt8>, of segment: Segment) -> [MediaEvent] {
        var found: [MediaEvent] = []
        for box in BoxReader(bytes).prefix(1000) where box.kind == "emsg" {
            if let event = MediaEvent(box: box.body, segment: segment) { found.append(event) }
        }
        return found
    }

    /// Whether the boxes before the media are all in the bytes of a segment; also where they are more than 64 KB, or no boxes at all.
    public static func areComplete(in bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        guard rest.count < 64 << 10 else { return true }
        while true {
            guard rest.count >= 8 else { return false }
            guard let head = BoxHead(rest), ["styp", "sidx", "emsg", "prft", "free", "ssix"].contains(head.kind) else {
                return true
            }
            guard head.size <= rest.count else { return false }
            rest = rest.dropFirst(head.size)
        }
    }

    /// Versions 0 (relative to the segment) and 1 (by the media's time).
    private init?(box body: ArraySlice<UInt8>, segment: Segment) {
        guard let version = body.first, version <= 1 else { return nil }
        var rest = body.dropFirst(4)
        var texts: (scheme: String, value: String)?
        if version == 0 { texts = Self.texts(&rest) }
        guard let scale = rest.bigEndian(4), scale > 0, let time = rest.dropFirst(4).bigEndian(version == 0 ? 4 : 8) else {
            return nil
        }
        rest = rest.dropFirst(version == 0 ? 8 : 12)
        guard let length = rest.bigEndian(4), let number = rest.dropFirst(4).bigEndian(4) else { return nil }
        rest = rest.dropFirst(8)
        if version == 1 { texts = Self.texts(&rest) }
        guard let texts else { return nil }
        (scheme, value) = texts
        id = "\(number)"
        let place = Ticks(Int64(time), timescale: Int64(scale))
        start = version == 0 ? segment.start + place : place + (segment.mediaOffset ?? .zero)
        duration = length == 0xFFFF_FFFF || length == 0 ? nil : Ticks(Int64(length), timescale: Int64(scale))
        message = Array(rest.prefix(Self.messageLimit))
    }

    private static func texts(_ rest: inout ArraySlice<UInt8>) -> (scheme: String, value: String)? {
        var found: [String] = []
        for _ in 0..<2 {
            guard let end = rest.prefix(4096).firstIndex(of: 0) else { return nil }
            found.append(DisplayText.singleLine(String(decoding: rest[..<end], as: UTF8.self), limit: 200))
            rest = rest[(end + 1)...]
        }
        return (found[0], found[1])
    }

    /// The events of a period's streams.
    static func list(_ period: MPDPeriod, budget: inout Int) -> [MediaEvent] {
        var found: [MediaEvent] = []
        for stream in period.element.children("EventStream", limit: 100) where !stream.resolvesToNothing {
            // An event stream that cannot be read costs its events, and does not stop the reading.
            let scale = (try? stream.count("timescale")) ?? 1, offset = (try? stream.count("presentationTimeOffset")) ?? 0
            guard (1...1 << 32).contains(scale) else { continue }
            for event in stream.children("Event", limit: budget) {
                budget -= 1
                // As with the scale: a time that cannot be read is the start, a length that cannot be read is unknown.
                let time = (try? event.count("presentationTime")) ?? 0, length = try? event.count("duration")
                found.append(MediaEvent(stream, event, at: period.start + Ticks(time - offset, timescale: scale), length, scale))
            }
        }
        return found
    }

    private init(_ stream: XMLElement, _ event: XMLElement, at start: Ticks, _ length: Int64?, _ scale: Int64) {
        scheme = DisplayText.singleLine(stream.attribute("schemeIdUri") ?? "", limit: 200)
        value = DisplayText.singleLine(stream.attribute("value") ?? "", limit: 200)
        id = event.attribute("id").map { DisplayText.singleLine($0, limit: 200) }
        self.start = start
        duration = length.flatMap { $0 > 0 ? Ticks($0, timescale: scale) : nil }
        // SCTE 35 in XML holds its binary form as the text of an inner element.
        let text = event.attribute("messageData") ?? event.innerText
        message = Array(text.utf8.prefix(Self.messageLimit))
    }
}

extension XMLElement {
    /// The text of the first element in it, or in that, that has any.
    fileprivate var innerText: String {
        var element = self
        for _ in 0..<8 {
            let text = element.text
            if !text.isEmpty { return text }
            guard let inner = element.children.first else { return "" }
            element = inner
        }
        return ""
    }
}
