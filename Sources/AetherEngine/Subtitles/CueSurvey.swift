import AetherCore
import AetherMedia
import AetherSources

/// Thread `cues`: reads a local file once from start to end for the texts of its subtitle tracks, so that the list of cues and its search
/// know all of them soon. It runs when a core and the disk have nothing else to do; what it finds is bounded as all cues are (`CueStore`).
/// Bitmaps are left to playing: they are large.
struct CueSurvey {
    let location: MediaLocation
    let options: OpenOptions
    let cues: CueStore
    /// The page of teletext that is shown by now.
    let teletextPage: @Sendable () -> Int?
    let interrupt: Interrupt
    /// Told once, when all of them are known.
    let done: @Sendable () -> Void
    /// 64 GiB: more than a video of three hours from a disc. The cues of a longer source are known as it plays.
    private static let byteLimit: Int64 = 64 << 30
    private static let log = Log.module("subtitles")

    /// Whether a source is worth reading twice: a local file with text tracks.
    static func isUseful(_ location: MediaLocation?, _ info: SourceInfo) -> Bool {
        guard case .file = location else { return false }
        return !info.isSegmented && !texts(of: info).isEmpty
    }

    private static func texts(of info: SourceInfo) -> [StreamInfo] {
        info.streams.filter { $0.kind == .subtitle && $0.isDecodable && $0.track.map { !$0.isBitmapSubtitle } ?? false }
    }

    func run() {
        guard !cues.isSurveyed, location.traits.isRepeatable else { return }
        do throws(MediaError) {
            // Another page of teletext is read from the start, too.
            while true {
                let page = teletextPage()
                try read(page)
                if page == teletextPage() { break }
            }
            done()
        } catch {
            // The list says how far it was read.
            if error.code != .interrupted { Self.log.info("survey of subtitles: \(error)") }
        }
    }

    /// Returns at the end, where another page is wanted meanwhile, and where it is left to playing to find the rest.
    private func read(_ page: Int?) throws(MediaError) {
        let source = try ContainerSource(
            try MediaInput(.location(location), follows: true, interrupt: interrupt), options: options, interrupt: interrupt)
        let info = source.description.info, texts = Self.texts(of: info)
        var harvest = SubtitleHarvest(info: info, cues: cues, teletextPage: page, reader: .survey)
        cues.beginSurvey(of: Set(texts.compactMap { $0.track?.id }))
        cues.advanceSurvey(to: info.startTime)
        var streams = Set(texts.map(\.id))
        // A pause between two texts is no leap of time: what is never silent tells both apart.
        if info.timesMayLeap, let lead = info.decodable(.video).first ?? info.decodable(.audio).first { streams.insert(lead.id) }
        source.select(streams)
        do throws(MediaError) {
            while source.bytesFetched < Self.byteLimit {
                switch try source.read(run: Epoch()) {
                case .packet(let packet):
                    if let time = packet.pts ?? packet.dts { cues.advanceSurvey(to: time) }
                    if teletextPage() != page { return }
                    _ = harvest.take(packet)
                // Behind one, the times of the source are known to who plays it.
                case .discontinuity: return
                default: break
                }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
            cues.endSurvey()
        }
    }
}
