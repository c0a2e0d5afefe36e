import AetherCore

/// The media facts found in a segment.
public struct SegmentFacts: Sendable, Equatable {
    /// A stream in it. Times in nanoseconds, of the media's own clock.
    public struct Stream: Sendable, Equatable {
        /// Video, else audio.
        public var isVideo: Bool
        /// The codec as CODECS begins with it: "avc1"; "" where it is unknown.
        public var codec: String
        /// The size of the video; nil for audio.
        public var size: StatedSize?
        /// The first time stamp, and the end of the last frame.
        public var start: Int64, end: Int64
        /// The length of a frame, at most.
        public var step: Int64
        /// Its first frame is a key frame.
        public var beginsWithKey: Bool

        /// A stream.
        public init(
            isVideo: Bool, codec: String, size: StatedSize? = nil, start: Int64, end: Int64, step: Int64 = 40_000_000,
            beginsWithKey: Bool = true
        ) {
            (self.isVideo, self.codec, self.size, self.start) = (isVideo, codec, size, start)
            (self.end, self.step, self.beginsWithKey) = (end, step, beginsWithKey)
        }
    }

    /// Where it lies.
    public var subject: String
    /// The duration in the list, in nanoseconds, and the stretch of one clock.
    public var duration: Int64, continuity: Int64
    /// The size in bytes.
    public var size: Int64
    /// Empty for text.
    public var streams: [Stream]

    /// The facts of a segment.
    public init(_ subject: String, duration: Int64, continuity: Int64, size: Int64, streams: [Stream]) {
        (self.subject, self.duration, self.continuity, self.size, self.streams) = (subject, duration, continuity, size, streams)
    }
}

/// Compares segments with the promises of their list and their variant. Pure.
public enum MediaCheck {
    /// Checks the segments of a rendition, in order. `isIndependent`: each is said to begin with a key frame.
    public static func findings(_ segments: [SegmentFacts], isIndependent: Bool) -> [ValidationFinding] {
        var findings: [ValidationFinding] = [], former: SegmentFacts?
        for segment in segments {
            defer { former = segment }
            if let lead = segment.streams.first(where: \.isVideo) ?? segment.streams.first {
                let length = lead.end &- lead.start, tolerance = max(100_000_000, 2 &* lead.step)
                if (length &- segment.duration).magnitude > UInt64(tolerance) {
                    findings.append(
                        ValidationFinding(
                            .durationUntrue, segment.subject,
                            translated("EXTINF says \(seconds(segment.duration)) s, and the media lasts \(seconds(length)) s")))
                }
                if lead.isVideo, !lead.beginsWithKey {
                    let detail =
                        isIndependent
                        ? translated("it does not begin with a key frame, though segments are said to be independent")
                        : translated("it does not begin with a key frame")
                    findings.append(ValidationFinding(.keyFrameMissing, segment.subject, detail))
                }
            }
            guard let former, former.continuity == segment.continuity else { continue }
            for (before, after) in zip(former.streams, segment.streams) where before.isVideo == after.isVideo {
                let gap = after.start &- before.end
                guard gap.magnitude > UInt64(max(100_000_000, 2 &* after.step)) else { continue }
                let detail = jump(isVideo: after.isVideo, seconds(Int64(clamping: gap.magnitude)), isGap: gap > 0)
                findings.append(ValidationFinding(.timestampsJump, segment.subject, detail))
            }
        }
        return findings
    }

    private static func jump(isVideo: Bool, _ seconds: String, isGap: Bool) -> String {
        switch (isVideo, isGap) {
        case (true, true):
            translated("video begins \(seconds) s behind the end of the segment before, without EXT-X-DISCONTINUITY")
        case (true, false):
            translated("video begins \(seconds) s before the end of the segment before, without EXT-X-DISCONTINUITY")
        case (false, true):
            translated("audio begins \(seconds) s behind the end of the segment before, without EXT-X-DISCONTINUITY")
        case (false, false):
            translated("audio begins \(seconds) s before the end of the segment before, without EXT-X-DISCONTINUITY")
        }
    }

    private static func text(_ size: StatedSize) -> String { "\(size.width)x\(size.height)" }

    /// A variant beside the segments of its own rendition, and of one of its audio renditions.
    public static func findings(
        _ variant: Variant, _ own: [SegmentFacts], audio: [SegmentFacts], subject: String
    ) -> [ValidationFinding] {
        var findings: [ValidationFinding] = []
        let streams = (own.first?.streams ?? []) + (audio.first?.streams ?? [])
        if !variant.codecs.isEmpty {
            for stream in streams where !stream.codec.isEmpty {
                let isSaid = (variant.codecs + variant.supplementalCodecs).contains { fits($0.base, stream.codec) }
                if !isSaid {
                    findings.append(
                        ValidationFinding(
                            .codecsUntrue, subject,
                            translated(
                                "CODECS says ‘\(variant.codecs.map(\.text).joined(separator: ","))’, and there is \(stream.codec) in it"
                            )
                        ))
                }
            }
        }
        if let said = variant.size, let found = streams.first(where: \.isVideo)?.size, said != found {
            findings.append(
                ValidationFinding(
                    .resolutionUntrue, subject,
                    translated("RESOLUTION says \(text(said)), and the video has \(text(found))")))
        }
        let peak = Self.peak(own) + Self.peak(audio), average = Self.average(own) + Self.average(audio)
        if variant.peakBitRate > 0, peak > Double(variant.peakBitRate) * 1.1 {
            findings.append(
                ValidationFinding(
                    .bandwidthExceeded, subject,
                    translated("BANDWIDTH says \(variant.peakBitRate), and a segment has \(Int(peak))")))
        }
        if let said = variant.averageBitRate, average > Double(said) * 1.1 {
            findings.append(
                ValidationFinding(
                    .averageExceeded, subject, translated("AVERAGE-BANDWIDTH says \(said), and the segments have \(Int(average))")
                ))
        }
        return findings
    }

    /// Checks renditions between which a player changes: the same stretches, and borders at the same times.
    public static func alignment(_ lists: [(subject: String, index: any SegmentIndex)]) -> [ValidationFinding] {
        guard let first = lists.first else { return [] }
        var findings: [ValidationFinding] = []
        for other in lists.dropFirst() {
            for number in other.index.numbers.prefix(100_000) {
                guard let segment = other.index.segment(number), segment.start >= first.index.start,
                    segment.start < first.index.end,
                    let match = first.index.number(at: segment.start + Ticks(50, timescale: 1000)).flatMap({
                        first.index.segment($0)
                    })
                else { continue }
                if match.continuity != segment.continuity {
                    findings.append(
                        ValidationFinding(
                            .discontinuitiesDiffer, other.subject,
                            translated(
                                "at \(seconds(segment.start.span.nanoseconds)) s its discontinuity sequence is another one than in \(first.subject)"
                            )
                        ))
                    break
                }
                if (match.start.span.nanoseconds &- segment.start.span.nanoseconds).magnitude > 100_000_000 {
                    findings.append(
                        ValidationFinding(
                            .variantsUnaligned, other.subject,
                            translated(
                                "a segment begins at \(seconds(segment.start.span.nanoseconds)) s, and none does in \(first.subject)"
                            ))
                    )
                    break
                }
            }
        }
        return findings
    }

    /// A segment of text, whose cues have to touch its time. `bytes` are those of the file.
    public static func findings(text bytes: [UInt8], _ segment: Segment, count: Int) -> [ValidationFinding] {
        guard let file = WebVTTFile(bytes) else { return [] }
        let head = String(decoding: bytes.prefix(1000), as: UTF8.self), subject = segment.address.text
        guard count > 1 else { return [] }
        guard !head.contains("X-TIMESTAMP-MAP") else { return [] }
        let outside = file.cues.first {
            $0.end.nanoseconds < segment.start.span.nanoseconds || $0.start.nanoseconds > segment.end.span.nanoseconds
        }
        var findings = [ValidationFinding(.cueClockMissing, subject, translated("a segment of WebVTT has no X-TIMESTAMP-MAP"))]
        if let outside {
            findings.append(
                ValidationFinding(
                    .cueOutside, subject,
                    translated(
                        "a cue at \(seconds(outside.start.nanoseconds)) s lies outside of the segment at \(seconds(segment.start.span.nanoseconds)) s"
                    )))
        }
        return findings
    }

    /// A list that was asked for again after a target duration and a half.
    public static func refresh(_ before: HLSSegmentList, _ after: HLSSegmentList) -> [ValidationFinding] {
        let subject = after.address.text, old = before.segments, new = after.segments
        var findings: [ValidationFinding] = []
        if new.numbers.lowerBound < old.numbers.lowerBound {
            findings.append(
                ValidationFinding(
                    .sequenceGoesBack, subject,
                    translated("EXT-X-MEDIA-SEQUENCE went from \(old.numbers.lowerBound) to \(new.numbers.lowerBound)")))
        }
        if !after.isEnded, new.numbers.upperBound <= old.numbers.upperBound {
            findings.append(
                ValidationFinding(.listStale, subject, translated("nothing new came for a target duration and a half")))
        }
        for number in new.numbers.clamped(to: old.numbers) {
            guard let a = old.segment(number), let b = new.segment(number), a.address != b.address || a.duration != b.duration
            else {
                continue
            }
            findings.append(
                ValidationFinding(.segmentChanged, subject, translated("segment \(number) is another one than before")))
            break
        }
        return findings
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        (nanoseconds < 0 ? "-" : "") + PackageList.seconds(Int64(clamping: nanoseconds.magnitude))
    }

    /// Bits a second of the segment with most; those that are shorter than half a second tell nothing.
    private static func peak(_ segments: [SegmentFacts]) -> Double {
        segments.filter { $0.duration >= 500_000_000 }.map { Double($0.size) * 8e9 / Double($0.duration) }.max() ?? 0
    }

    private static func average(_ segments: [SegmentFacts]) -> Double {
        let duration = segments.reduce(0.0) { $0 + Double($1.duration) }
        return duration > 0 ? segments.reduce(0.0) { $0 + Double($1.size) } * 8e9 / duration : 0
    }

    /// Whether a name of CODECS is one of a codec: several names mean the same.
    private static func fits(_ said: String, _ found: String) -> Bool {
        let families: [Set<String>] = [
            ["avc1", "avc3", "dva1", "dvav"], ["hvc1", "hev1", "dvh1", "dvhe"], ["av01", "dav1"], ["vp09", "vp9"],
            ["vp08", "vp8"],
            ["mp4a", "mp3"], ["vvc1", "vvi1"],
        ]
        return said == found || families.contains { $0.contains(said) && $0.contains(found) }
    }
}
