import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Recordings of HLS and DASH whose tracks have segments of their own, of which those are read that are played.
@Suite struct SegmentedRecordingTests {
    /// Records a film as the thread that reads hands it over; returns the streams of each file, and the length of all.
    private func record(
        _ film: SegmentedVideo, _ document: String, _ isWanted: (StreamInfo) -> Bool = { _ in true }
    ) throws -> (files: [[String]], seconds: Double) {
        let source = try StreamReading.open(.file(film.path(document))), folder = try TemporaryFolder()
        source.select(Set(source.description.info.streams.filter(isWanted).map(\.id)))
        let order = RecordingOrder(path: folder.path("r.mkv"))
        var recording = RecordingFile(order, of: source.description)
        do throws(MediaError) {
            while true {
                switch try source.read(run: Epoch()) {
                case .packet(let packet): try recording.write(packet)
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
