public import AetherCore
import CFFmpeg

/// A track of texts that is made for a file, out of cues of any format: SubRip in Matroska, timed text (tx3g) in MP4.
public struct FileMuxerText: Sendable {
    /// The name of the stream that the cues come from.
    public var id: StreamID
    /// The track, for its name, its language and its marks; nil for none of them.
    public var track: TrackInfo?

    /// A track.
    public init(id: StreamID, track: TrackInfo?) { (self.id, self.track) = (id, track) }

    /// AV_DISPOSITION bits of its marks.
    var disposition: Int32 {
        guard let track else { return 0 }
        return (track.isDefault ? AV_DISPOSITION_DEFAULT : 0) | (track.isForced ? AV_DISPOSITION_FORCED : 0)
            | (track.isHearingImpaired ? AV_DISPOSITION_HEARING_IMPAIRED : 0)
    }

    /// The header of timed text (3GPP TS 26.245, 5.16): white text at the bottom in the middle, one style, one font.
    static let timedTextHeader: [UInt8] =
        [0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]
        + [0, 0, 0, 18] + Array("ftab".utf8) + [0, 1, 0, 1, 5] + Array("Serif".utf8)
}

/// A text that is shown for a while.
public struct FileMuxerCue: Sendable, Equatable {
    /// The time at which it appears, and the one at which it goes, on the axis of the packets.
    public var start, end: MediaTime
    /// The text; an image cannot be written.
    public var body: SubtitleCue.Body

    /// A cue.
    public init(start: MediaTime, end: MediaTime, body: SubtitleCue.Body) {
        (self.start, self.end, self.body) = (start, end, body)
    }

    /// The payload of a packet in such a form; empty for nothing to show.
    func payload(_ form: FileMuxerForm) -> [UInt8] {
        let isMarked = form == .matroska
        let text: String =
            switch body {
            case .text(let text): text
            case .richText(let runs): runs.map { isMarked ? Self.marked($0) : $0.text }.joined()
            case .image: ""
            }
        // An empty line would end a cue of SubRip.
        let bytes = Array(text.split(separator: "\n").joined(separator: "\n").utf8)
        guard form == .mp4, !bytes.isEmpty else { return bytes }
        let held = bytes.prefix(Int(UInt16.max))
        return [UInt8(held.count >> 8), UInt8(held.count & 0xff)] + held
    }

    private static func marked(_ run: SubtitleTextRun) -> String {
        var text = run.text
        if run.isUnderlined { text = "<u>\(text)</u>" }
        if run.isItalic { text = "<i>\(text)</i>" }
        if run.isBold { text = "<b>\(text)</b>" }
        return text
    }
}
