import AetherCore
import AetherMedia

/// The playlists of what is served, by RFC 8216 and its successor's draft. Pure.
struct ServedPlaylists {
    let programme: ServedProgramme
    /// Of the other qualities, the first of which has the tracks from 100 on; nil for one that is not open.
    var others: [ServedProgramme?] = []

    // MARK: - Master

    var master: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
        if !programme.chapters.isEmpty {
            lines.append("#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\"")
        }
        let audio = tracks(.audio), text = tracks(.text), video = tracks(.video).first
        // Audio alone that can be chosen: the first is the variant's own.
        let hasChoice = video != nil || audio.count > 1
        if hasChoice { lines += audio.enumerated().map { media($1, isFirst: $0 == 0, isOwn: video == nil && $0 == 0) } }
        lines += text.map { media($0, isFirst: false) }
        let hasText = !text.isEmpty
        for (index, quality) in ([programme] + others).enumerated() {
            guard let quality, let leader = quality.tracks.first(where: { $0.number == quality.leader }) else { continue }
            let attributes = attributes(leader, of: quality, audio: hasChoice ? audio : [], hasText: hasText)
            lines.append("#EXT-X-STREAM-INF:" + attributes.joined(separator: ","))
            lines.append("\(100 * index + leader.number)/index.m3u8")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `audio`: the tracks that can be chosen with it.
    private func attributes(
        _ leader: ServedTrack, of quality: ServedProgramme, audio: [ServedTrack], hasText: Bool
    ) -> [String] {
        // Each way to choose audio is a way of its own to be decoded: all codecs of one group have to be said.
        var codecs: [String] = []
        for track in [leader] + audio where !codecs.contains(track.codecs) { codecs.append(track.codecs) }
        let isVideo = leader.kind == .video
        // What is encoded comes on top of the source; of video that is, the encoder's bound is known, and no average. Its buffer holds a second.
        var peak = quality.peakBitRate, average = quality.averageBitRate
        if let encoded = leader.coding?.transcoder?.bitRate {
            (peak, average) = ((encoded + (audio.map(\.servedRate).max() ?? 0)) / 4 * 5, 0)
        } else if isVideo, let extra = audio.filter({ $0.bridge != nil }).map(\.servedRate).max() {
            (peak, average) = (peak + extra, average > 0 ? average + extra : 0)
        }
        var attributes = ["BANDWIDTH=\(peak)"]
        if average > 0 { attributes.append("AVERAGE-BANDWIDTH=\(average)") }
        attributes.append("CODECS=\(Self.quoted(codecs.joined(separator: ",")))")
        if isVideo {
            if let supplemental = leader.supplementalCodecs {
                attributes.append("SUPPLEMENTAL-CODECS=\(Self.quoted(supplemental))")
            }
            if let size = leader.info.size { attributes.append("RESOLUTION=\(size.width)x\(size.height)") }
            if let rate = leader.info.frameRate?.value { attributes.append("FRAME-RATE=\(Self.decimal(rate, 3))") }
            attributes.append("VIDEO-RANGE=\(leader.videoRange ?? "SDR")")
        }
        if !audio.isEmpty { attributes.append("AUDIO=\"audio\"") }
        if hasText { attributes.append("SUBTITLES=\"text\"") }
        return attributes
    }

    private func tracks(_ kind: ServedTrack.Kind) -> [ServedTrack] { programme.tracks.filter { $0.kind == kind } }

    private func media(_ track: ServedTrack, isFirst: Bool, isOwn: Bool = false) -> String {
        let isText = track.kind == .text
        var attributes = [
            "TYPE=\(isText ? "SUBTITLES" : "AUDIO")", "GROUP-ID=\"\(isText ? "text" : "audio")\"",
            "NAME=\(Self.quoted("\(track.name)\(isUnique(track) ? "" : " (\(track.number))")"))",
        ]
        if let language = track.info.track?.language { attributes.append("LANGUAGE=\(Self.quoted(language))") }
        attributes.append("DEFAULT=\(isFirst ? "YES" : "NO")")
        attributes.append("AUTOSELECT=\(isFirst || track.info.track?.language != nil ? "YES" : "NO")")
        if isText {
            attributes.append("FORCED=\(track.info.track?.isForced == true ? "YES" : "NO")")
            if track.info.track?.isHearingImpaired == true {
                attributes.append("CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog\"")
            }
        } else if track.channelCount > 0 {
            attributes.append("CHANNELS=\"\(track.isAtmos ? "16/JOC" : "\(track.channelCount)")\"")
        }
        if !isOwn { attributes.append("URI=\"\(track.number)/index.m3u8\"") }
        return "#EXT-X-MEDIA:" + attributes.joined(separator: ",")
    }

    private func isUnique(_ track: ServedTrack) -> Bool {
        programme.tracks.filter { $0.kind == track.kind && $0.name == track.name }.count == 1
    }

    // MARK: - Media

    /// The playlist of a track. `first`: the number of the first segment that is still there.
    func media(_ track: ServedTrack, _ plan: SegmentPlan, first: Int = 0) -> String {
        // It must not change while the list does: segments are half as long again as they should be where key frames come often enough.
        let bound = plan.isComplete || !programme.isOneWay ? TimeSpan.seconds(1) : plan.target.scaled(by: 1.5)
        let longest = Int(max(plan.longest, bound).seconds.rounded())
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(longest)", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
        if plan.isComplete, first == 0 {
            lines.append("#EXT-X-PLAYLIST-TYPE:VOD")
        } else if !programme.isOneWay {
            lines.append("#EXT-X-PLAYLIST-TYPE:EVENT")
        }
        // The mark before the first segment is not written.
        let before = (0..<min(first + 1, plan.forms.count)).count { $0 > 0 && plan.forms[$0] != plan.forms[$0 - 1] }
        if before > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(before)") }
        // A pipe is played from its start, and not from where reading has come to; so is what is still read for its key frames.
        if !plan.isComplete, programme.pace == nil || programme.pace == .asAsked { lines.append("#EXT-X-START:TIME-OFFSET=0") }
        var form: Int?
        for number in first..<max(first, plan.count) {
            guard let range = plan.range(number) else { continue }
            if form != plan.forms[number] {
                if form != nil { lines.append("#EXT-X-DISCONTINUITY") }
                if track.kind != .text { lines.append("#EXT-X-MAP:URI=\"init\(plan.forms[number]).mp4\"") }
                form = plan.forms[number]
            }
            lines.append("#EXTINF:\(Self.decimal((range.upperBound - range.lowerBound).seconds, 6)),")
            lines.append("\(number).\(track.kind == .text ? "vtt" : "m4s")")
        }
        if plan.isComplete { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Chapters

    /// As the session data of HLS has them.
    var chapters: JSON {
        .array(
            programme.chapters.prefix(1000).enumerated().map { index, chapter in
                .object([
                    ("chapter", JSON(index + 1)), ("start-time", JSON(max(0, (chapter.start - programme.origin).seconds))),
                    ("duration", JSON(max(0, chapter.duration.seconds))),
                    ("titles", .array([.object([("language", .string("und")), ("title", .string(chapter.name))])])),
                ])
            })
    }

    // MARK: - Texts

    /// A quoted string can have neither quotation marks nor line breaks.
    static func quoted(_ text: String) -> String {
        "\"" + DisplayText.singleLine(text, limit: 200).replacing("\"", with: "'") + "\""
    }

    /// With so many digits behind the point.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
        let whole = Int((min(1e9, max(0, value)) * Double(scale)).rounded())
        let rest = String(whole % scale)
        return "\(whole / scale)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
