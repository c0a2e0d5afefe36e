import AetherCore

/// Systems of digital rights that a manifest may name. None is supported but ClearKey, whose licences are keys.
public enum ContentProtection: String, Sendable, CaseIterable {
    case fairPlay = "FairPlay"
    case widevine = "Widevine"
    case playReady = "PlayReady"
    case clearKey = "ClearKey"
    case other = "an unknown DRM system"
}

/// The reason why a manifest cannot be understood or played: a kind to decide by, and a sentence for people.
public struct StreamFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of trouble.
    public enum Kind: Sendable, Equatable {
        /// The document is empty.
        case empty
        /// A page for people, or another document of markup.
        case webPage
        /// The first line is not #EXTM3U.
        case notAPlaylist
        /// More bytes than a playlist may have.
        case tooLarge(limit: Int)
        /// A line or a value that is longer than any sensible one.
        case tooLong
        /// More segments, variants, keys … than can be meant.
        case tooMany(String)
        /// A number that cannot be read, is negative, or is too large to count with.
        case number(String)
        /// A tag without an attribute that it needs, or with one that makes no sense.
        case attribute(tag: String, name: String)
        /// The end is missing.
        case cutOff
        /// The document names neither variants nor segments.
        case nothingToPlay
        /// A variable without a definition.
        case unknownVariable(String)
        /// A media playlist where a list of variants is, or the other way round: references in circles.
        case wrongKind
        /// An update that does not fit the list before it.
        case updateMismatch
        /// Encrypted with digital rights.
        case protected(ContentProtection)
        /// Encrypted with a key that was not given.
        case missingKey(KeyID)
        /// An encryption method that is not defined.
        case encryption(String)
        /// A key of another length than its cipher's.
        case keyLength(Int, wanted: Int)
        /// The playlist's key does not fit: a segment that it decrypts is not media.
        case wrongKey
        /// An address that is not followed.
        case refusedAddress(Refusal)
        /// No address at all.
        case badAddress
        /// Markup whose tags do not fit.
        case markup
        /// Markup with a document type or entities of its own: it could grow without an end.
        case documentType
        /// Markup that is no manifest: the name of its outermost element.
        case notAManifest(String)
        /// A presentation that has to be asked for at a later time, in nanoseconds since 1970.
        case notYet(Int64)
    }

    /// Why an address is not followed.
    public enum Refusal: String, Sendable {
        case scheme, local, outside, downgrade
    }

    /// The kind.
    public let kind: Kind
    /// The line of the document, from 1; nil where none is to blame.
    public let line: Int?
    /// The address or value that it is about, safe to display and without secrets; "" for none.
    public let subject: String

    /// A fault.
    public init(_ kind: Kind, line: Int? = nil, subject: String = "") {
        self.kind = kind
        self.line = line
        self.subject = DisplayText.singleLine(Redaction.shown(subject), limit: 120)
    }

    /// One sentence without a full stop: "line 12: ‘-5’ is no number for EXTINF".
    public var description: String {
        let place = line.map { "line \($0): " } ?? ""
        let object = subject.isEmpty ? "" : " (‘\(subject)’)"
        return place + words + object
    }

    private var words: String {
        switch kind {
        case .empty: translated("the playlist is empty")
        case .webPage: translated("this is a web page and no playlist")
        case .notAPlaylist: translated("this is not a playlist: it does not begin with #EXTM3U")
        case .tooLarge(let limit): translated("the playlist is larger than \(limit >> 20) MB")
        case .tooLong: translated("this is longer than anything that belongs into a playlist")
        case .tooMany(let things): translated("the playlist has too many \(things)")
        case .number(let name): translated("the number of \(Self.safe(name)) makes no sense")
        case .attribute(let tag, let name): translated("\(Self.safe(tag)) needs a good \(Self.safe(name))")
        case .cutOff: translated("the playlist is cut off")
        case .nothingToPlay: translated("the playlist names nothing to play")
        case .unknownVariable(let name): translated("the variable ‘\(Self.safe(name))’ is not defined")
        case .wrongKind: translated("a list of segments was expected, and this is a list of variants")
        case .updateMismatch: translated("the update does not fit what was there")
        case .protected(let system): translated("the media is protected by \(system.rawValue), which is not supported")
        case .missingKey(let key): translated("the media is encrypted, and its key \(key) is not there (--key)")
        case .encryption(let method): translated("the encryption ‘\(Self.safe(method))’ is not known")
        case .keyLength(let count, let wanted): translated("the key has \(count) bytes instead of \(wanted)")
        case .wrongKey:
            translated("the key that the playlist names does not fit: what it decrypts is not media; get both of them anew")
        case .refusedAddress(.scheme): translated("only http and https addresses are followed")
        case .refusedAddress(.local): translated("a playlist from the network may not name local files")
        case .refusedAddress(.outside): translated("a local playlist may name files of its own folder only")
        case .refusedAddress(.downgrade): translated("a playlist from https may not name plain http")
        case .badAddress: translated("this is not an address")
        case .markup: translated("the markup of the manifest is broken")
        case .documentType: translated("the manifest declares a document type, which is refused")
        case .notAManifest(let root): translated("this is not a manifest: its outermost element is ‘\(Self.safe(root))’")
        case .notYet: translated("the presentation has not begun")
        }
    }

    private static func safe(_ text: String) -> String { DisplayText.singleLine(text, limit: 60) }
}
