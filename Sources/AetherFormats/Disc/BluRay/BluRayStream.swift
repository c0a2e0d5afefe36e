/// A stream that a playlist of a Blu-ray disc lists. Pure.
public struct BluRayStream: Sendable, Equatable {
    /// The kinds of streams that are played.
    public enum Kind: Sendable, Equatable {
        /// Frames.
        case video
        /// Audio.
        case audio
        /// Audio that the disc mixes with other audio: a commentary, mostly.
        case secondaryAudio
        /// Bitmap subtitles.
        case subtitle
    }

    /// The kind of media that it carries.
    public let kind: Kind
    /// The number by which the transport stream calls it.
    public let pid: Int
    /// Three letters of ISO 639; nil where the disc does not say.
    public let language: String?

    /// A stream.
    public init(kind: Kind, pid: Int, language: String? = nil) { (self.kind, self.pid, self.language) = (kind, pid, language) }

    private static let name = "list of streams"

    /// The streams that lie in the clip itself, and those of interactive graphics wherever they lie, by the list at a place of a playlist.
    static func all(_ list: DiscBytes, at start: Int) throws(DiscFault) -> (own: [BluRayStream], graphics: [BluRayGraphics]) {
        guard try list.short(start) >= 14 else { return ([], []) }
        let counts = try (0..<7).map { offset throws(DiscFault) in try list.byte(start + 4 + offset) }
        var streams: [BluRayStream] = [], graphics: [BluRayGraphics] = [], place = start + 16
        // Video, audio, subtitles with those of a picture in the picture, menus, audio that is mixed in.
        let groups: [(Kind?, Int)] = [
            (.video, counts[0]), (.audio, counts[1]), (.subtitle, counts[2] + counts[6]), (nil, counts[3]),
            (.secondaryAudio, counts[4]),
        ]
        for (kind, count) in groups {
            for _ in 0..<count {
                let entry = place, attributes = try entry + 1 + list.byte(entry)
                place = try attributes + 1 + list.byte(attributes)
                if kind == .secondaryAudio {
                    // The streams that it may be mixed with, in pairs of bytes.
                    let others = try list.byte(place)
                    place += 2 + others + others % 2
                }
                guard let kind else {
                    if let found = try BluRayGraphics(list, at: entry) { graphics.append(found) }
                    continue
                }
                // Other types lie in clips of their own.
                guard try list.byte(entry + 1) == 1 else { continue }
                streams.append(
                    try BluRayStream(
                        kind: kind, pid: list.short(entry + 2), language: language(list, at: attributes, kind: kind)))
            }
        }
        return (streams, graphics)
    }

    private static func language(_ list: DiscBytes, at place: Int, kind: Kind) throws(DiscFault) -> String? {
        switch (kind, try list.byte(place + 1)) {
        case (.video, _): nil
        // Text has a code of its letters before it, as audio has its format.
        case (.subtitle, let coding) where coding != 0x92: try letters(list, place + 2)
        default: try letters(list, place + 3)
        }
    }

    private static func letters(_ list: DiscBytes, _ place: Int) throws(DiscFault) -> String? {
        let letters = try (0..<3).map { offset throws(DiscFault) in UInt8(try list.byte(place + offset) | 0x20) }
        guard letters.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) else { return nil }
        let language = String(decoding: letters, as: UTF8.self)
        return language == "und" ? nil : language
    }
}

/// A stream of interactive graphics that a playlist lists. Pure.
public struct BluRayGraphics: Sendable, Equatable {
    /// The number by which the transport stream calls it.
    public let pid: Int
    /// The path beside the parts that it lies in; nil: in the clip itself.
    public let path: Int?

    /// A stream.
    public init(pid: Int, path: Int? = nil) { (self.pid, self.path) = (pid, path) }

    /// nil for a kind of entry that there is not.
    init?(_ list: DiscBytes, at entry: Int) throws(DiscFault) {
        switch try list.byte(entry + 1) {
        case 1: self.init(pid: try list.short(entry + 2))
        case 2: self.init(pid: try list.short(entry + 4), path: try list.byte(entry + 2))
        case 3, 4: self.init(pid: try list.short(entry + 3), path: try list.byte(entry + 2))
        default: return nil
        }
    }
}
