import AetherCore
import Testing

@testable import AetherEngine

/// Where packets that are played lie in a recording.
@Suite struct RecordingTimelineTests {
    private static let video: StreamID = StreamID(source: 0, number: 0), audio = StreamID(source: 0, number: 1)

    private func timeline() -> RecordingTimeline { RecordingTimeline(lead: Self.video, leadHasKeys: true) }

    /// The place of a packet in the recording, in seconds; nil where it is left out.
    private func place(_ timeline: inout RecordingTimeline, _ stream: StreamID, _ seconds: Double, isKey: Bool = false) -> Double?
    {
        let time = MediaTime.seconds(seconds)
        let shift = timeline.take(.init(stream: stream, decoded: time, shown: time, duration: .milliseconds(40), isKey: isKey))
        return shift.map { (.seconds(seconds) + $0 as MediaTime).seconds }
    }

    @Test func itBeginsWithAKeyFrame() {
        var timeline = timeline()
        #expect(place(&timeline, Self.audio, 10) == nil)
        #expect(place(&timeline, Self.video, 10.04) == nil)
        #expect(place(&timeline, Self.video, 10.5, isKey: true) == 0)
        #expect(place(&timeline, Self.audio, 10.4) == nil)
        #expect(place(&timeline, Self.audio, 10.6).map { abs($0 - 0.1) < 1e-6 } == true)
        #expect(place(&timeline, Self.video, 10.54) != nil)
    }

    @Test func whatIsSeenTwiceIsRecordedOnce() {
        var timeline = timeline()
        for frame in 0..<100 { #expect(place(&timeline, Self.video, Double(frame) * 0.04, isKey: frame % 25 == 0) != nil) }
        timeline.beginRun()
        for frame in 50..<100 { #expect(place(&timeline, Self.video, Double(frame) * 0.04, isKey: frame % 25 == 0) == nil) }
        #expect(place(&timeline, Self.video, 4) == 4)
    }

    @Test func whatIsSkippedLeavesNoHole() {
        var timeline = timeline()
        for frame in 0..<50 { _ = place(&timeline, Self.video, Double(frame) * 0.04, isKey: frame % 25 == 0) }
        timeline.beginRun()
        #expect(place(&timeline, Self.audio, 100) == nil)
        #expect(place(&timeline, Self.video, 100.04) == nil)
        #expect(place(&timeline, Self.video, 101, isKey: true).map { abs($0 - 2) < 0.05 } == true)
        #expect(place(&timeline, Self.audio, 101.02).map { abs($0 - 2.02) < 0.05 } == true)
        #expect(abs(timeline.span.seconds - 2.06) < 0.1)
    }

    /// Whether a frame of video is recorded, its times in milliseconds.
    private func takes(_ timeline: inout RecordingTimeline, decoded: Double?, shown: Double, isKey: Bool = false) -> Bool {
        let times = [decoded, shown].map { $0.map { MediaTime.zero + .milliseconds($0) } }
        return timeline.take(
            .init(stream: Self.video, decoded: times[0], shown: times[1], duration: .milliseconds(40), isKey: isKey)) != nil
    }

    /// As Matroska gives them: the demuxer knows no times of decoding before it has seen how many frames are reordered.
    private static let reordered: [(decoded: Double?, shown: Double)] = [
        (nil, 0), (nil, 160), (0, 80), (40, 40), (80, 120), (120, 320), (160, 240), (200, 200),
    ]

    @Test func framesWithoutATimeOfDecodingAreRecorded() {
        var timeline = timeline()
        for (index, frame) in Self.reordered.enumerated() {
            #expect(takes(&timeline, decoded: frame.decoded, shown: frame.shown, isKey: index == 0), "\(frame)")
        }
        #expect(abs(timeline.span.seconds - 0.24) < 1e-6)
        timeline.beginRun()
        for (index, frame) in Self.reordered.enumerated() {
            #expect(!takes(&timeline, decoded: frame.decoded, shown: frame.shown, isKey: index == 0), "\(frame)")
        }
        timeline.beginRun()
        for (index, frame) in Self.reordered.enumerated() {
            let decoded = frame.decoded.map { $0 + 10_000 }
            #expect(takes(&timeline, decoded: decoded, shown: frame.shown + 10_000, isKey: index == 0), "\(frame)")
        }
    }

    @Test func framesShownBeforeTheFirstKeyFrameAreLeftOut() {
        var timeline = timeline()
        #expect(takes(&timeline, decoded: nil, shown: 400, isKey: true))
        #expect(!takes(&timeline, decoded: nil, shown: 360))
        #expect(!takes(&timeline, decoded: 320, shown: 320))
        #expect(takes(&timeline, decoded: 360, shown: 520))
        #expect(takes(&timeline, decoded: 400, shown: 440))
        // So are those where the key frame has a time of decoding.
        timeline = self.timeline()
        #expect(takes(&timeline, decoded: 320, shown: 400, isKey: true))
        #expect(!takes(&timeline, decoded: 360, shown: 360))
        #expect(takes(&timeline, decoded: 400, shown: 520))
        #expect(takes(&timeline, decoded: 440, shown: 440))
    }

    @Test func aStreamWithoutTimesOfDecodingIsRecordedOnce() {
        var timeline = timeline()
        for frame in 0..<50 { #expect(takes(&timeline, decoded: nil, shown: Double(frame) * 40, isKey: frame % 25 == 0)) }
        #expect(abs(timeline.span.seconds - 2) < 1e-6)
        timeline.beginRun()
        for frame in 25..<50 { #expect(!takes(&timeline, decoded: nil, shown: Double(frame) * 40, isKey: frame % 25 == 0)) }
        for frame in 50..<75 { #expect(takes(&timeline, decoded: nil, shown: Double(frame) * 40, isKey: frame % 25 == 0)) }
    }

    @Test func ofAudioAloneAnyPacketCanBegin() {
        var timeline = RecordingTimeline(lead: Self.audio, leadHasKeys: false)
        #expect(place(&timeline, Self.audio, 5) == 0)
        #expect(place(&timeline, Self.audio, 5.02).map { abs($0 - 0.02) < 1e-6 } == true)
    }

    @Test(arguments: [
        ("/a/film.mkv", "/a/film.mkv", true), ("/a/film.mkv", "/a/film-2.mkv", true), ("/a/film.mkv", "/a/film-13.mkv", true),
        ("/a/film.mkv", "/a/film-1.mkv", false), ("/a/film.mkv", "/a/film-02.mkv", false),
        ("/a/film.mkv", "/b/film-2.mkv", false),
        ("/a/film.mkv", "/a/film-2.ts", false), ("b-2", "b-2-3", true), ("film-2.mkv", "film-2.mkv", true),
        ("film.mkv", "film-.mkv", false),
    ])
    func itsPartsAreKnownByTheirNames(path: String, file: String, isPart: Bool) {
        #expect(RecordingOrder(path: path).hasPart(file) == isPart)
    }

    @Test func aFurtherPartHasItsNumberBeforeTheEnding() {
        #expect(RecordingOrder(path: "/a/b.c/film.mkv").path(ofPart: 1) == "/a/b.c/film.mkv")
        #expect(RecordingOrder(path: "/a/b.c/film.mkv").path(ofPart: 2) == "/a/b.c/film-2.mkv")
        #expect(RecordingOrder(path: "/a/b.c/film").path(ofPart: 3) == "/a/b.c/film-3")
        #expect(RecordingOrder(path: "x.ts").form == .mpegTS)
        #expect(RecordingOrder(path: "x").form == .matroska)
    }
}
