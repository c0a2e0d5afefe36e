import AetherCore

/// One channel of a list.
public struct Channel: Sendable, Equatable {
    /// Safe to display; never empty.
    public var name: String
    /// `tvg-id`: its word in a guide; "" for none.
    public var guideID: String
    /// `tvg-name`; "" for none.
    public var guideName: String
    /// The address of an image; "" for none.
    public var logo: String
    /// `tvg-chno`; nil for none.
    public var number: Int?
    /// Safe to display.
    public var groups: [String]
    /// The address as it is written.
    public var address: String
    /// The channel is radio.
    public var isRadio: Bool
    /// The program name that its server is told; nil for the player's own.
    public var userAgent: String?
    /// The page that requests come from; nil for none.
    public var referrer: String?
    /// Other lines for its server.
    public var headers: [String: String]
    /// The properties that `#KODIPROP` lines set, such as `inputstream.adaptive.license_key`.
    public var properties: [String: String]
    /// The way to play past broadcasts of the channel; nil: there is none.
    public var catchup: Catchup?
    /// Seconds that the times of a guide are late.
    public var guideShift: Int

    /// Headers of one channel.
    private static let headerLimit = 16
    /// The longest value of a header.
    private static let valueLimit = 4096

    init(_ block: ChannelBlock, groups: [String], _ common: ChannelDefaults) {
        name = block.shownName
        guideID = block.word("tvg-id")
        guideName = block.word("tvg-name")
        logo = block.word("tvg-logo")
        number = Int(block.word("tvg-chno")).flatMap { $0 > 0 ? $0 : nil }
        self.groups = groups
        isRadio = ["true", "1"].contains(block.word("radio").lowercased())
        let (address, suffix) = block.address
        self.address = address
        (userAgent, referrer, headers, properties) = (nil, nil, [:], [:])
        guideShift = Channel.seconds(hours: block.word("tvg-shift")) ?? common.guideShift
        catchup = Catchup(block, common)
        for tag in block.tags { take(block.text(tag)) }
        take(headers: suffix)
        for key: StaticString in ["user-agent", "http-user-agent"] where userAgent == nil {
            userAgent = Self.safe(block.word(key))
        }
    }

    /// Keys that the list gives for media under Clear Key, each as `KID:KEY` in hexadecimal digits.
    public var clearKeys: [String] {
        let kind = properties["inputstream.adaptive.license_type"]?.lowercased() ?? ""
        let legacy = (properties["inputstream.adaptive.drm_legacy"] ?? "").split(separator: "|", maxSplits: 1).map(String.init)
        var text = kind.contains("clearkey") ? properties["inputstream.adaptive.license_key"] ?? "" : ""
        if text.isEmpty, legacy.count == 2, legacy[0].lowercased().contains("clearkey") { text = legacy[1] }
        return text.split(separator: ",").prefix(Self.headerLimit).map { PlaylistDocument.trimmed($0) }.filter {
            $0.contains(":")
        }
    }

    /// `#EXTVLCOPT:http-user-agent=x`, `#KODIPROP:name=value`, `#EXTHTTP:{"name":"value"}`.
    private mutating func take(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let tag = line[..<colon].uppercased(), body = String(line[line.index(after: colon)...])
        if tag == "#EXTHTTP" {
            // A value that is no JSON object is no list of headers: the channel is requested without them.
            guard case .object(let table)? = try? JSON(body.utf8) else { return }
            for member in table { if let value = member.value.text { set(header: member.key, value) } }
            return
        }
        guard let equals = body.firstIndex(of: "=") else { return }
        let name = body[..<equals].lowercased().filter { !$0.isWhitespace }
        let value = String(body[body.index(after: equals)...])
        switch tag {
        case "#EXTVLCOPT":
            switch name {
            case "http-user-agent": userAgent = Self.safe(value)
            case "http-referrer", "http-referer": referrer = Self.safe(value)
            default: break
            }
        case "#KODIPROP":
            if name.hasSuffix("stream_headers") || name.hasSuffix("manifest_headers") || name.hasSuffix("common_headers") {
                take(headers: value)
            }
            if properties.count < Self.headerLimit, value.utf8.count <= Self.valueLimit { properties[name] = value }
        default: break
        }
    }

    /// `User-Agent=x&Referer=y`, percent codes resolved.
    private mutating func take(headers text: String) {
        for part in text.split(separator: "&").prefix(Self.headerLimit) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let value = PlaylistDocument.percentDecoded(String(part[part.index(after: equals)...]))
            set(header: String(part[..<equals]), value)
        }
    }

    private mutating func set(header name: String, _ value: String) {
        guard let value = Self.safe(value) else { return }
        switch name.lowercased() {
        case "user-agent": userAgent = value
        case "referer", "referrer": referrer = value
        default:
            let isName = !name.isEmpty && name.utf8.count <= 100 && name.utf8.allSatisfy { Self.isToken($0) }
            // These are the transfer's own, and would break it.
            let isOwn = ["host", "content-length", "transfer-encoding", "connection", "range"].contains(name.lowercased())
            if isName, !isOwn, headers.count < Self.headerLimit { headers[name] = value }
        }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    /// A value of one line, without quotes around it; nil where there is none.
    private static func safe(_ value: String) -> String? {
        var text = PlaylistDocument.trimmed(value)
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
        guard !text.isEmpty, text.utf8.count <= valueLimit,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        return text
    }

    /// Seconds of "-1.5" hours, or "+01:30"; nil where that is none within a day.
    static func seconds(hours text: String?) -> Int? {
        guard let text, !text.isEmpty else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]), (-24...24).contains(hours),
            (0...59).contains(minutes)
        {
            return hours * 3600 + (parts[0].hasPrefix("-") ? -minutes : minutes) * 60
        }
        guard let hours = Double(text), (-24...24).contains(hours) else { return nil }
        return Int((hours * 3600).rounded())
    }
}
