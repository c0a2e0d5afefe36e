import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Recordings of HLS and DASH whose tracks have segments of their own, of which those are read that are played.
@Suite struct SegmentedRecordingTests {
    /// Records a film as the thread that reads hands it over, which begins a new run behind so many packets; returns the streams of each file, and the
    /// length of all.
    private func record(
        _ film: SegmentedVideo, _ document: String, runEnd: Int? = nil, _ isWanted: (StreamInfo) -> Bool = { _ in true }
    ) throws -> (files: [[String]], seconds: Double) {
        let source = try StreamReading.open(.file(film.path(document))), folder = try TemporaryFolder()
        source.select(Set(source.description.info.streams.filter(isWanted).map(\.id)))
        let order = RecordingOrder(path: folder.path("r.mkv"))
        var recording = RecordingFile(order, of: source.description), count = 0
        do throws(MediaError) {
            while true {
                switch try source.read(run: Epoch()) {
                case .packet(let packet):
                    if count == runEnd { recording.beginRun() }
                    count += 1
                    try recording.write(packet)
                case .described(let description): recording.describe(description)
                default: continue
                }
            }
        } catch {
            #expect(error.code == .endOfMedia, "\(error)")
        }
        try recording.finish()
        var files: [[String]] = [], seconds = 0.0
        while FileManager.default.fileExists(atPath: order.path(ofPart: files.count + 1)) {
            let made = try ContainerSource(
                try MediaInput(.location(.file(order.path(ofPart: files.count + 1))), interrupt: Interrupt()),
                options: OpenOptions(), interrupt: Interrupt()
            ).description.info
            files.append(made.streams.map(\.codecName))
            seconds += made.duration?.seconds ?? 0
        }
        return (files, seconds)
    }

    @Test(arguments: [SegmentedVideo.Shape.ladder, .transport, .fragments, .dashTimeline])
    func tracksThatAreNotPlayedHoldUpNoRecording(_ shape: SegmentedVideo.Shape) throws {
        let made = try record(try SegmentedVideo(shape), shape.manifest) { $0.kind == .video }
        #expect(made.files == [["h264"]] && abs(made.seconds - 4) < 0.2, "\(made)")
    }

    @Test(arguments: [SegmentedVideo.Shape.ladder, .transport, .dashTimeline])
    func theTrackThatIsPlayedIsRecordedFromTheStart(_ shape: SegmentedVideo.Shape) throws {
        var hasAudio = false
        let made = try record(try SegmentedVideo(shape), shape.manifest) { stream in
            guard stream.kind == .audio else { return true }
            defer { hasAudio = true }
            return !hasAudio
        }
        #expect(made.files == [["h264", "aac"]] && abs(made.seconds - 4) < 0.2, "\(made)")
    }

    /// Packets that wait for the format of another track are no less recorded where the person goes elsewhere.
    @Test func whatWasReadBeforeASeekIsRecorded() throws {
        let shape = SegmentedVideo.Shape.ladder
        let made = try record(try SegmentedVideo(shape), shape.manifest, runEnd: 10) { $0.kind == .video }
        #expect(made.files.first == ["h264"] && abs(made.seconds - 4) < 0.3, "\(made)")
    }

    /// As where an advertisement begins that is encoded as the film is.
    @Test func aDiscontinuityOfOneFormatGoesOnInTheSameFile() throws {
        let film = try SegmentedVideo(.muxedLadder)
        try film.rewrite("l0.m3u8") { text in
            text.components(separatedBy: "#EXTINF").joined(separator: "#EXT-X-DISCONTINUITY\n#EXTINF")
        }
        let made = try record(film, "l0.m3u8")
        #expect(made.files == [["h264", "aac"]] && abs(made.seconds - 4) < 0.3, "\(made)")
    }
}
