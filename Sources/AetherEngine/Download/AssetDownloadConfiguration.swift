public import AetherFormats
public import AetherSources

/// A track that a download is to have (AVMediaSelection): a kind and a language.
public struct AssetMediaSelection: Sendable, Equatable {
    /// The kinds of track that are chosen by language.
    public enum Kind: String, Sendable {
        case audio, text
    }

    /// The kind.
    public let kind: Kind
    /// The language as a person writes it: "en", "fra", "pt-BR"; nil: all languages.
    public let language: String?

    /// A wish for the tracks of a language; nil: of all languages.
    public init(_ kind: Kind, language: String?) { (self.kind, self.language) = (kind, language) }

    /// The wishes of a list with commas: "en,fr", or "all".
    public static func list(_ kind: Kind, _ text: String) -> [AssetMediaSelection] {
        let words = text.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.filter { !$0.isEmpty }.prefix(64)
        return words.map { AssetMediaSelection(kind, language: $0.lowercased() == "all" ? nil : String($0)) }
    }
}

/// A quality to fetch, and the tracks that go with it (AVAssetDownloadContentConfiguration).
public struct AssetDownloadContentConfiguration: Sendable {
    /// Wishes for the variant: the first one that leaves any variant counts, and the best of those variants is fetched. Empty: the best of
    /// all.
    public var variantQualifiers: [MediaVariantQualifier]
    /// The tracks to fetch. Where none of a kind is named it is the default audio track, and no text.
    public var mediaSelections: [AssetMediaSelection]

    /// A configuration.
    public init(variantQualifiers: [MediaVariantQualifier] = [], mediaSelections: [AssetMediaSelection] = []) {
        (self.variantQualifiers, self.mediaSelections) = (variantQualifiers, mediaSelections)
    }
}

/// The parts of a source that a download fetches (AVAssetDownloadConfiguration).
public struct AssetDownloadConfiguration: Sendable {
    /// The source: HLS, DASH, or one file.
    public var asset: MediaLocation
    /// The title for people; nil: the source's own title.
    public var title: String?
    /// The media that is played by default.
    public var primaryContentConfiguration = AssetDownloadContentConfiguration()
    /// Further media to choose from. A configuration that no variant meets is left out, and told.
    public var auxiliaryContentConfigurations: [AssetDownloadContentConfiguration] = []
    /// Of the variants that an auxiliary configuration leaves, the one that shares most with the primary variant is taken, instead of the
    /// best one.
    public var optimizesAuxiliaryContentConfigurations = true

    /// The best variant with its default audio track.
    public init(asset: MediaLocation, title: String? = nil) { (self.asset, self.title) = (asset, title) }
}

/// Where a download goes, and how it is fetched.
public struct AssetDownloadOptions: Sendable {
    /// The folder of the package; nil: a folder in the working folder, with the title's name, or of `muxedFile` one beside that with
    /// `.aepkg` behind its name, which is removed when the file is complete.
    public var folder: String?
    /// How servers are spoken to.
    public var http = HTTPOptions()
    /// Keys for encrypted media that a person has given.
    public var keys = ContentKeys()
    /// Encrypted segments stay so, and their keys are put beside them, for this person alone. Otherwise segments that are encrypted as a
    /// whole are kept in clear.
    public var keepsKeys = false
    /// Bytes a second at most; nil: as fast as it goes.
    public var rateLimit: Int?
    /// Requests at a time, 1 to 16.
    public var connections = 4

    /// A file of .mkv or .mp4 that all of the package is put into by stream copy when it is complete; nil: none. A file that is there is an
    /// error, before anything is fetched. Where the package has segments missing no file is made.
    public var muxedFile: String?

    /// Only reports the files that would be fetched, of a source in segments.
    public var isDryRun = false

    /// The defaults.
    public init() {}
}
