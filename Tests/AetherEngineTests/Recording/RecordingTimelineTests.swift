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
        let shift = timeline.take(stream, at: .seconds(seconds), lasting: .milliseconds(40), isKey: isKey)
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

    @Test func ofAudioAloneAnyPacketCanBegin() {
        var timeline = RecordingTimeline(lead: Self.audio, leadHasKeys: false)
        #expect(place(&timeline, Self.audio, 5) == 0)
        #expect(place(&timeline, Self.audio, 5.02).map { abs($0 - 0.02) < 1e-6 } == true)
    }

    @Test func aFurtherPartHasItsNumberBeforeTheEnding() {
        #expect(RecordingOrder(path: "/a/b.c/film.mkv").path(ofPart: 1) == "/a/b.c/film.mkv")
        #expect(RecordingOrder(path: "/a/b.c/film.mkv").path(ofPart: 2) == "/a/b.c/film-2.mkv")
        #expect(RecordingOrder(path: "/a/b.c/film").path(ofPart: 3) == "/a/b.c/film-3")
        #expect(RecordingOrder(path: "x.ts").form == .mpegTS)
        #expect(RecordingOrder(path: "x").form == .matroska)
    }
}
