import AetherCore
import AetherMedia
import AetherSources

/// A request to the `subtitles` thread.
struct SubtitleRequests {
    enum Request: Sendable {
        /// Find the files that belong to a video and read them. The folder is told where the host knows it.
        case search(beside: MediaLocation, in: (any Folder)?, isSong: Bool)
        case load(ExternalSubtitleTrack, isWanted: Bool)
    }
    var waiting: [Request] = []
    var isStopped = false
    /// One of them is carried out.
    var isUnderWay = false

    /// Whether more may be found yet.
    var isBusy: Bool { !isStopped && (isUnderWay || !waiting.isEmpty) }
}

/// Thread `subtitles`: reads files of subtitles into the cue list, one after the other, away from the demuxer.
struct SubtitleStage {
    let requests: Monitor<SubtitleRequests>
    let interrupt: Interrupt
    let cues: CueStore
    /// The video's first time stamp: what the files count from.
    let startTime: MediaTime
    /// Frames a second of the file.
    let frameRate: Double?
    /// How web servers are spoken to.
    var http = HTTPOptions()
    let report: @Sendable (StageEvent) -> Void
    private static let log = Log.module("subtitles")
    /// Tracks of all files.
    private static let trackLimit = 64

    func run() {
        var nextNumber = 1
        while true {
            let request: SubtitleRequests.Request?? = requests.wait { requests in
                requests.isUnderWay = false
                if requests.isStopped { return .some(nil) }
                if requests.waiting.isEmpty { return nil }
                requests.isUnderWay = true
                return .some(requests.waiting.removeFirst())
            }
            switch request {
            case .some(.some(.search(let location, let folder, let isSong))):
                let search = SidecarSearch(beside: location, in: folder, http: http, isSong: isSong)
                let tracks = search?.tracks(interrupt) ?? []
                for track in tracks { load(track, isWanted: false, &nextNumber) }
            case .some(.some(.load(let track, let isWanted))): load(track, isWanted: isWanted, &nextNumber)
            default: return
            }
        }
    }

    private func load(_ track: ExternalSubtitleTrack, isWanted: Bool, _ nextNumber: inout Int) {
        guard !interrupt.isRaised else { return }
        let file = SubtitleFile(
            location: track.location, formatHint: track.formatHint, frameRate: frameRate, interrupt: interrupt,
            language: track.language, http: http.adding(track.httpHeaders))
        do throws(MediaError) {
            let streams = try file.read()
            var found: [TrackInfo] = []
            for stream in streams where nextNumber <= Self.trackLimit {
                let id = TrackID(.external, nextNumber)
                nextNumber += 1
                for subtitle in stream.subtitles { cues.add(subtitle.shifted(by: startTime - .zero), track: id) }
                found.append(TrackInfo(id, track, stream))
            }
            Self.log.info("\(track.location.displayName): \(streams.map { "\($0.codec), \($0.subtitles.count) texts" })")
            if !found.isEmpty { report(.subtitlesFound(found, isWanted: isWanted, in: track)) }
        } catch {
            if error.code == .interrupted { return }
            Self.log.warning("\(error)")
            if isWanted { report(.notice("\(error)")) }
        }
    }
}

extension TrackInfo {
    /// A stream of a subtitle file.
    init(_ id: TrackID, _ track: ExternalSubtitleTrack, _ stream: SubtitleFile.Stream) {
        let name = track.name.map { DisplayText.singleLine($0, limit: 100) } ?? ""
        self.init(
            id: id, kind: .subtitle, codec: stream.codec, name: name.isEmpty ? track.location.displayName : name,
            language: stream.language ?? track.language, isDefault: track.isDefault, isForced: track.isForced,
            isHearingImpaired: track.isHearingImpaired, isCommentary: track.isCommentary, isBitmapSubtitle: stream.isBitmap,
            assHeader: stream.assHeader)
    }
}

extension DecodedSubtitle {
    /// The subtitle at another time.
    func shifted(by span: TimeSpan) -> DecodedSubtitle {
        DecodedSubtitle(
            start: start + span, end: end.map { $0 + span }, body: body, placement: placement, markup: markup,
            isReplacedByNext: isReplacedByNext)
    }
}
