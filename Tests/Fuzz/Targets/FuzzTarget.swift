/// Every parser of outside bytes, with what must hold for whatever it is given.
public enum FuzzTarget: String, CaseIterable, Sendable, Codable {
    case assText = "ass-text"
    case boxAnswers = "box-answers"
    case broadcastGuide = "broadcast-guide"
    case channelList = "channel-list"
    case cueSheet = "cue-sheet"
    case disc
    case displayText = "display-text"
    case dolbyVision = "dolby-vision"
    case dtvcc
    case dvbRegions = "dvb-regions"
    case ebuStl = "ebu-stl"
    case hdr10Plus = "hdr10-plus"
    case hlsPlaylist = "hls-playlist"
    case inputDecoder = "input-decoder"
    case inspection
    case ipcLine = "ipc-line"
    case lyrics
    case manifest
    case manifestPatch = "manifest-patch"
    case matroskaChapters = "matroska-chapters"
    case mediaIndex = "media-index"
    case outputCut = "output-cut"
    case package
    case playlist
    case playlistCheck = "playlist-check"
    case sami
    case sampleProtection = "sample-protection"
    case subtitleBytes = "subtitle-bytes"
    case terminalReplies = "terminal-replies"
    case textEncoding = "text-encoding"
    case thumbnailCues = "thumbnail-cues"
    case transport
    case ttml
    case usf
    case vobsub
    case webIndex = "web-index"
    case webvtt
    case xmltv
    #if !WITHOUT_UI
        case driveFrames = "drive-frames"
        case initSection = "init-section"
        case servedRequest = "served-request"
        case settings
        case shareFrames = "share-frames"
        case songStream = "song-stream"
        case themeParser = "theme-parser"
        case variantPredicate = "variant-predicate"
        case webAnswer = "web-answer"
        case worker
    #endif

    /// Parses the bytes and stops the process where a promise is broken.
    public func run(_ input: UnsafeBufferPointer<UInt8>) {
        switch self {
        case .assText: fuzzASSText(input)
        case .boxAnswers: fuzzBoxAnswers(input)
        case .broadcastGuide: fuzzBroadcastGuide(input)
        case .channelList: fuzzChannelList(input)
        case .cueSheet: fuzzCueSheet(input)
        case .disc: fuzzDisc(input)
        case .displayText: fuzzDisplayText(input)
        case .dolbyVision: fuzzDolbyVision(input)
        case .dtvcc: fuzzDTVCC(input)
        case .dvbRegions: fuzzDVBRegions(input)
        case .ebuStl: fuzzEBU(input)
        case .hdr10Plus: fuzzHDR10Plus(input)
        case .hlsPlaylist: fuzzHLSPlaylist(input)
        case .inputDecoder: fuzzInputDecoder(input)
        case .inspection: fuzzInspection(input)
        case .ipcLine: fuzzIPCLine(input)
        case .lyrics: fuzzLyrics(input)
        case .manifest: fuzzManifest(input)
        case .manifestPatch: fuzzManifestPatch(input)
        case .matroskaChapters: fuzzMatroskaChapters(input)
        case .mediaIndex: fuzzMediaIndex(input)
        case .outputCut: fuzzOutputCut(input)
        case .package: fuzzPackage(input)
        case .playlist: fuzzPlaylist(input)
        case .playlistCheck: fuzzPlaylistCheck(input)
        case .sami: fuzzSAMI(input)
        case .sampleProtection: fuzzSampleProtection(input)
        case .subtitleBytes: fuzzSubtitleBytes(input)
        case .terminalReplies: fuzzTerminalReplies(input)
        case .textEncoding: fuzzTextEncoding(input)
        case .thumbnailCues: fuzzThumbnailCues(input)
        case .transport: fuzzTransport(input)
        case .ttml: fuzzTTML(input)
        case .usf: fuzzUSF(input)
        case .vobsub: fuzzVobSub(input)
        case .webIndex: fuzzWebIndex(input)
        case .webvtt: fuzzWebVTT(input)
        case .xmltv: fuzzXMLTV(input)
        #if !WITHOUT_UI
            case .driveFrames: fuzzDriveFrames(input)
            case .initSection: fuzzInitSection(input)
            case .servedRequest: fuzzServedRequest(input)
            case .settings: fuzzSettings(input)
            case .shareFrames: fuzzShareFrames(input)
            case .songStream: fuzzSongStream(input)
            case .themeParser: fuzzThemeParser(input)
            case .variantPredicate: fuzzVariantPredicate(input)
            case .webAnswer: fuzzWebAnswer(input)
            case .worker: fuzzWorker(input)
        #endif
        }
    }
}
