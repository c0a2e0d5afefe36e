/// The tags of playlists that mean something here (RFC 8216bis, 4.4; the last three are of the common extension for stills).
enum HLSTag: String, CaseIterable {
    case m3u = "EXTM3U"
    case version = "EXT-X-VERSION"
    case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
    case start = "EXT-X-START"
    case define = "EXT-X-DEFINE"
    case targetDuration = "EXT-X-TARGETDURATION"
    case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
    case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
    case endList = "EXT-X-ENDLIST"
    case playlistType = "EXT-X-PLAYLIST-TYPE"
    case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
    case partInf = "EXT-X-PART-INF"
    case serverControl = "EXT-X-SERVER-CONTROL"
    case inf = "EXTINF"
    case byteRange = "EXT-X-BYTERANGE"
    case discontinuity = "EXT-X-DISCONTINUITY"
    case key = "EXT-X-KEY"
    case map = "EXT-X-MAP"
    case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
    case gap = "EXT-X-GAP"
    case bitRate = "EXT-X-BITRATE"
    case part = "EXT-X-PART"
    case dateRange = "EXT-X-DATERANGE"
    case skip = "EXT-X-SKIP"
    case preloadHint = "EXT-X-PRELOAD-HINT"
    case renditionReport = "EXT-X-RENDITION-REPORT"
    case media = "EXT-X-MEDIA"
    case streamInf = "EXT-X-STREAM-INF"
    case iFrameStreamInf = "EXT-X-I-FRAME-STREAM-INF"
    case sessionData = "EXT-X-SESSION-DATA"
    case sessionKey = "EXT-X-SESSION-KEY"
    case contentSteering = "EXT-X-CONTENT-STEERING"
    case imageStreamInf = "EXT-X-IMAGE-STREAM-INF"
    case imagesOnly = "EXT-X-IMAGES-ONLY"
    case tiles = "EXT-X-TILES"

    /// The list of variants or of segments in which alone the tag stands; nil for both.
    var belongsToVariants: Bool? {
        switch self {
        case .m3u, .version, .independentSegments, .start, .define: nil
        case .media, .streamInf, .iFrameStreamInf, .sessionData, .sessionKey, .contentSteering, .imageStreamInf: true
        default: false
        }
    }

    /// The tag whose name stands in a range of the document.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        // Half of all.
        if range.count == 6, bytes[range.upperBound - 1] == UInt8(ascii: "F"), bytes[range.upperBound - 2] == UInt8(ascii: "N"),
            bytes[range.upperBound - 3] == UInt8(ascii: "I")
        {
            self = .inf
            return
        }
        guard range.count < HLSTag.byLength.count else { return nil }
        for candidate in HLSTag.byLength[range.count] {
            // Names differ at their ends sooner than at their beginnings.
            var offset = range.count - 1
            while offset >= 0, bytes[range.lowerBound + offset] == candidate.name[offset] { offset -= 1 }
            if offset < 0 {
                self = candidate.tag
                return
            }
        }
        return nil
    }

    private static let byLength: [[(tag: HLSTag, name: [UInt8])]] = {
        let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0
        var table = [[(tag: HLSTag, name: [UInt8])]](repeating: [], count: longest + 1)
        for tag in allCases { table[tag.rawValue.utf8.count].append((tag, Array(tag.rawValue.utf8))) }
        return table
    }()
}
