import AetherCore

/// How a channel's past programmes are had: the words of a list (`catchup`, `catchup-source`, `catchup-days`), and the addresses that follow
/// from them. Pure.
public struct Catchup: Sendable, Equatable {
    /// The ways that servers have.
    public enum Mode: String, Sendable, CaseIterable {
        /// The source is the whole address.
        case whole = "default"
        /// The source stands behind the channel's address.
        case append
        /// `utc` and `lutc` stand behind the channel's address.
        case shift
        /// The archives of Flussonic.
        case flussonic
        /// The archives of Xtream Codes.
        case xc
    }

    /// The way.
    public var mode: Mode
    /// The template; "" where the mode needs none.
    public var source: String
    /// The seconds that the server keeps; nil where the list does not say.
    public var span: Int64?
    /// Seconds that the server's clock is late.
    public var correction: Int64

    /// A way.
    public init(mode: Mode, source: String = "", span: Int64? = nil, correction: Int64 = 0) {
        (self.mode, self.source, self.span, self.correction) = (mode, source, span, correction)
    }

    init?(_ block: ChannelBlock, _ common: ChannelDefaults) {
        func word(_ key: StaticString, _ fallback: String) -> String {
            let own = block.word(key)
            return own.isEmpty ? fallback : own
        }
        let named = word("catchup", word("catchup-type", common.catchup)).lowercased()
        let source = word("catchup-source", common.catchupSource)
        let days = [word("catchup-days", common.catchupDays), block.word("timeshift"), block.word("tvg-rec")].first {
            !$0.isEmpty
        }
        let kept = days.flatMap { Double($0) }
        guard let mode = Self.mode(named, source: source, isKept: (kept ?? 0) > 0), source.utf8.count <= 4096 else { return nil }
        // A year is more than any server keeps.
        let span = kept.flatMap { (0...366).contains($0) ? Int64($0 * 86_400) : nil }
        self.init(
            mode: mode, source: source, span: span.flatMap { $0 > 0 ? $0 : nil },
            correction: Int64(Channel.seconds(hours: word("catchup-correction", common.catchupCorrection)) ?? 0))
    }

    private static func mode(_ named: String, source: String, isKept: Bool) -> Mode? {
        switch named {
        case "default", "vod": return source.isEmpty ? nil : isAddress(source) ? .whole : .append
        case "append": return source.isEmpty ? nil : .append
        case "shift", "timeshift", "archive": return .shift
        case "flussonic", "flussonic-hls", "flussonic-ts", "fs": return .flussonic
        case "xc", "xtream": return .xc
        case "", "1", "true":
            if !source.isEmpty { return isAddress(source) ? .whole : .append }
            return isKept || !named.isEmpty ? .shift : nil
        default: return nil
        }
    }

    private static func isAddress(_ text: String) -> Bool { PlaylistDocument.hasScheme(text) && text.contains("://") }

    // MARK: - Addresses

    /// Whether a programme that began then can still be played. All times are seconds since 1970.
    public func reaches(_ start: Int64, now: Int64) -> Bool { start < now && span.map { now - start <= $0 } ?? true }

    /// The address at which the broadcast from `start` to `stop` can be played now; nil where none can be made of the channel's `address`.
    public func address(of address: String, from start: Int64, to stop: Int64, now: Int64) -> String? {
        guard let template = template(for: address) else { return nil }
        let moved = CatchupTimes(start: start - correction, stop: max(stop, start) - correction, now: now - correction)
        let text = CatchupTemplate.expanded(template, moved)
        return text.utf8.count <= 8192 ? text : nil
    }

    private func template(for address: String) -> String? {
        switch mode {
        case .whole: return source
        case .append: return address + source
        case .shift:
            return address + (address.contains("?") ? "&" : "?") + (source.isEmpty ? "utc={utc}&lutc={lutc}" : trimmedSource)
        case .flussonic: return Self.flussonic(address)
        case .xc: return Self.xtream(address)
        }
    }

    private var trimmedSource: String { String(source.drop { $0 == "?" || $0 == "&" }) }

    /// `…/NAME/index.m3u8?token` becomes `…/NAME/archive-{utc}-{duration}.m3u8?token`; other lists keep their names in front: `video-…`.
    private static func flussonic(_ address: String) -> String? {
        let query = address.firstIndex(of: "?") ?? address.endIndex
        guard let slash = address[..<query].lastIndex(of: "/"), let border = address.firstRange(of: "://")?.upperBound,
            slash >= border
        else { return nil }
        let folder = address[...slash], file = address[address.index(after: slash)..<query], rest = address[query...]
        let dot = file.lastIndex(of: "."), name = dot.map { file[..<$0] } ?? file
        let ending = dot.map { file[file.index(after: $0)...].lowercased() } ?? ""
        switch (name.lowercased(), ending) {
        case ("index", "m3u8"), ("playlist", "m3u8"), ("", "m3u8"): return "\(folder)archive-{utc}-{duration}.m3u8\(rest)"
        case (_, "m3u8"): return "\(folder)\(name)-{utc}-{duration}.m3u8\(rest)"
        case ("manifest", "mpd"), ("index", "mpd"): return "\(folder)archive-{utc}-{duration}.mpd\(rest)"
        case ("mpegts", ""), (_, "ts"): return "\(folder)archive-{utc}-{duration}.ts\(rest)"
        // A channel without a file's name is one of MPEG-TS.
        case (_, "") where !name.isEmpty: return "\(folder)\(name)/archive-{utc}-{duration}.ts\(rest)"
        default: return nil
        }
    }

    /// `http://host/live/USER/PASSWORD/ID.m3u8` becomes `http://host/timeshift/USER/PASSWORD/MINUTES/DATE/ID.m3u8`.
    private static func xtream(_ address: String) -> String? {
        guard let border = address.firstRange(of: "://")?.upperBound, let slash = address[border...].firstIndex(of: "/") else {
            return nil
        }
        let path = address[slash...].prefix { $0 != "?" && $0 != "#" }
        var parts = path.split(separator: "/")
        if parts.count == 4, parts[0] == "live" { parts.removeFirst() }
        guard parts.count == 3 else { return nil }
        let id = parts[2].split(separator: ".", maxSplits: 1)
        guard let number = id.first, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let ending = id.count > 1 ? String(id[1]) : "ts"
        return "\(address[..<slash])/timeshift/\(parts[0])/\(parts[1])/{duration:60}/{Y}-{m}-{d}:{H}-{M}/\(number).\(ending)"
    }
}
