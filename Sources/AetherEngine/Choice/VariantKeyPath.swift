import AetherCore
import AetherFormats

/// A property of a variant as expressions name it.
enum VariantKeyPath: String, Sendable, CaseIterable {
    case peakBitRate, averageBitRate, videoRange, codecTypes, width, height, lines, frameRate, formatIDs, channels, language
    case isImmersive, isBinaural, isDownmix, score, id

    /// The kinds of value.
    enum Kind: Sendable, Equatable {
        /// Bits a second.
        case rate
        /// Pixels from side to side.
        case pixels
        /// Pixels from top to bottom.
        case lines
        case frames, count, score
        case range, codecs, languages, text, flag

        var isNumber: Bool {
            switch self {
            case .rate, .pixels, .lines, .frames, .count, .score: true
            case .range, .codecs, .languages, .text, .flag: false
            }
        }
    }

    /// Apple's name first, then short ones.
    var names: [String] {
        switch self {
        case .peakBitRate: ["peakBitRate", "peak", "bitrate"]
        case .averageBitRate: ["averageBitRate", "average", "avg"]
        case .videoRange: ["videoAttributes.videoRange", "videoRange", "video.range", "range"]
        case .codecTypes: ["videoAttributes.codecTypes", "codecTypes", "video.codec", "codec", "codecs"]
        case .width: ["videoAttributes.presentationSize.width", "presentationSize.width", "video.width", "width"]
        case .height: ["videoAttributes.presentationSize.height", "presentationSize.height", "video.height", "height"]
        case .lines: ["lines"]
        case .frameRate: ["videoAttributes.nominalFrameRate", "nominalFrameRate", "video.frameRate", "frameRate", "fps"]
        case .formatIDs: ["audioAttributes.formatIDs", "formatIDs", "audio.formats", "audio.codec", "formats"]
        case .channels: ["audioAttributes.renditions.channelCount", "channelCount", "audio.channels", "channels"]
        case .language: ["audioAttributes.renditions.language", "audio.language", "audio.lang", "language", "lang"]
        case .isImmersive: ["audioAttributes.renditions.isImmersive", "isImmersive", "immersive", "atmos"]
        case .isBinaural: ["audioAttributes.renditions.isBinaural", "isBinaural", "binaural"]
        case .isDownmix: ["audioAttributes.renditions.isDownmix", "isDownmix", "downmix"]
        case .score: ["score"]
        case .id: ["id"]
        }
    }

    private static let byName: [String: VariantKeyPath] = {
        var found: [String: VariantKeyPath] = [:]
        for path in allCases { for name in path.names { found[name.lowercased()] = path } }
        return found
    }()

    /// By any of its names, in any case.
    init?(name: String) {
        guard let found = Self.byName[name.lowercased()] else { return nil }
        self = found
    }

    var kind: Kind {
        switch self {
        case .peakBitRate, .averageBitRate: .rate
        case .width: .pixels
        case .height, .lines: .lines
        case .frameRate: .frames
        case .channels: .count
        case .score: .score
        case .videoRange: .range
        case .codecTypes, .formatIDs: .codecs
        case .language: .languages
        case .id: .text
        case .isImmersive, .isBinaural, .isDownmix: .flag
        }
    }

    /// The name that is nearest to a mistyped one; nil where none is near.
    static func name(near typed: String) -> String? {
        let typed = Array(typed.lowercased().prefix(60))
        let near = allCases.flatMap(\.names).map { name in (name, distance(typed, Array(name.lowercased()))) }.min { $0.1 < $1.1 }
        return near.flatMap { $0.1 <= max(1, min(3, typed.count / 3)) ? $0.0 : nil }
    }

    /// Letters to put in, to leave out or to change.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let changed = diagonal + (letter == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }

    // MARK: - Values

    /// The numbers that a variant has of it: none where they are not known, several of several renditions.
    func numbers(of variant: MediaVariant) -> [Double] {
        let size = variant.size
        switch self {
        case .peakBitRate: return [variant.peakBitRate].compactMap { $0 }
        case .averageBitRate: return [variant.averageBitRate].compactMap { $0 }
        case .width: return [size.map { Double($0.width) }].compactMap { $0 }
        case .height: return [size.map { Double($0.height) }].compactMap { $0 }
        case .lines: return [size.map { Double(min($0.width, $0.height)) }].compactMap { $0 }
        case .frameRate: return [variant.videoAttributes?.nominalFrameRate].compactMap { $0 }
        case .channels: return renditions(variant).map(\.channelCount).filter { $0 > 0 }.map { Double($0) }
        case .score: return [variant.score].compactMap { $0 }
        default: return []
        }
    }

    /// The words that a variant has of it.
    func words(of variant: MediaVariant) -> [String] {
        switch self {
        case .videoRange: variant.videoAttributes.map { [$0.videoRange.rawValue] } ?? []
        case .codecTypes: variant.videoAttributes?.codecTypes ?? []
        case .formatIDs: variant.audioAttributes?.formatIDs ?? []
        case .language: renditions(variant).compactMap(\.language)
        case .id: [variant.id]
        default: []
        }
    }

    /// Whether it holds for one rendition of the audio.
    func isSet(in variant: MediaVariant) -> Bool {
        switch self {
        case .isImmersive: renditions(variant).contains(where: \.isImmersive)
        case .isBinaural: renditions(variant).contains(where: \.isBinaural)
        case .isDownmix: renditions(variant).contains(where: \.isDownmix)
        default: false
        }
    }

    private func renditions(_ variant: MediaVariant) -> [MediaVariant.AudioRendition] {
        variant.audioAttributes?.renditions ?? []
    }
}
