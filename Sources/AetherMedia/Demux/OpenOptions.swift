public import AetherCore
public import AetherFormats

/// The input of a demuxer.
public enum MediaInput: Sendable {
    /// Bytes of our own; the name serves messages and the guess at a format by its extension.
    case reader(any IOReader, name: String)
    /// A document that names other files, and the opener for those: playlists and manifests of a web server.
    case document(any IOReader, name: String, opener: DocumentOpener)
    /// A URL that one of libavformat's protocols opens.
    case url(String, trust: CertificateTrust = .system)

    /// The name of the input in messages.
    public var name: String {
        switch self {
        case .reader(_, let name), .document(_, let name, _): name
        case .url(let url, _): url
        }
    }
}

/// Who vouches for the certificates of servers that libavformat's protocols speak with.
public enum CertificateTrust: Sendable, Equatable {
    /// The authorities that the system trusts.
    case system
    /// The authorities in a PEM file, and not the system's.
    case authorities(file: String)
    /// Nobody: certificates are not checked.
    case anybody
}

/// Opens what a document names: who has read the document knows what it may reach.
public struct DocumentOpener: Sendable {
    /// Opens an absolute address. Blocks until the interrupt is raised.
    public let open: @Sendable (_ url: String, Interrupt) throws(IOReaderError) -> any IOReader

    /// An opener.
    public init(open: @escaping @Sendable (_ url: String, Interrupt) throws(IOReaderError) -> any IOReader) { self.open = open }
}

/// The knowledge of a segmented source at the moment when a run of its segments is opened.
public enum SegmentStart: Sendable {
    /// Nothing.
    case unknown
    /// Its streams: a run before had the same init section.
    case known
}

/// The options for opening a source.
public struct OpenOptions: Sendable {
    /// The amount of work to spend before the first packet.
    public enum Analysis: Sendable {
        /// Only what is needed to play: containers whose header describes the streams fully are not decoded ahead. Pixel format
        /// and profile can stay unknown.
        case playback
        /// Everything that can be known, for reports.
        case full
    }

    /// A libavformat demuxer name that replaces the guess by content, for example "h264".
    public var formatHint: String?
    /// Bytes read at most for the analysis; nil: FFmpeg's 5 MB.
    public var probeSize: Int64?
    /// Media time read at most for the analysis; nil: FFmpeg's 5 s.
    public var maxAnalyzeDuration: TimeSpan?
    /// Sent with every http request.
    public var httpHeaders: [String: String]
    /// The work to spend before the first packet.
    public var analysis: Analysis
    /// The bytes are those of segments, which may begin anywhere in what they are taken from; nil: they are a whole source.
    public var segments: SegmentStart?
    /// Keys for encrypted media (Common Encryption).
    public var keys = ContentKeys()
    /// Steps in the reading of manifests that a host adds.
    public var stages: [any ManifestStage] = []
    /// The key of single frames in MPEG-TS and raw audio; nil: they are clear.
    public var frameKey: FrameKey?
    /// Where the source is taken apart and its streams are decoded; nil: in this process.
    public var box: (any MediaBox)? = ProcessBox.current as? any MediaBox
    /// Frames a second of the video that subtitles counted in frames (MicroDVD) belong to; nil: 23.976.
    public var subtitleFrameRate: Double?

    /// Options; all have defaults.
    public init(
        formatHint: String? = nil, probeSize: Int64? = nil, maxAnalyzeDuration: TimeSpan? = nil,
        httpHeaders: [String: String] = [:], analysis: Analysis = .playback
    ) {
        self.formatHint = formatHint
        self.probeSize = probeSize
        self.maxAnalyzeDuration = maxAnalyzeDuration
        self.httpHeaders = httpHeaders
        self.analysis = analysis
    }
}
