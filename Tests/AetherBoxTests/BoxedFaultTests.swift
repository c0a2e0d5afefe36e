import AetherCore
import AetherTestSupport
import Testing

@testable import AetherBox
@testable import AetherMedia

/// Workers that break: what is played all the same, and what is said in the end.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxedFaultTests {
    /// Three seconds of video in groups of 20 frames (0.8 s).
    private static func clip() throws -> String { try BoxedParityTests.shapes[0].clip() }

    /// The frames of the video that a box of such workers decodes; packets come from a demuxer of this process.
    private func frames(
        _ fault: String, patience: TimeSpan = .seconds(60), keysOnly: Bool = false
    ) throws -> (frames: [MediaTime], damage: Int, error: MediaError?) {
        let clip =
            keysOnly
            ? try BoxedParityTests.Shape("h264", ["libx264", "-g", "1"], audio: nil, ext: "mkv").clip() : try Self.clip()
        let (box, folder) = try BoxedFixture.breaking(fault, patience: patience)
        var demuxer = try BoxedFixture.demuxer(clip, box: nil)
        let stream = try #require(demuxer.info.streams.first { $0.kind == .video })
        demuxer.select([stream.index])
        let packets = try BoxedFixture.packets(&demuxer)
        var record = RecordWriter()
        ParametersRecord.put(stream.parameters, to: &record)
        var reader = RecordReader(record.bytes)
        let parameters = ParametersRecord.parameters(&reader, box: box)
        try #require(reader.isWhole)
        var decoder = try VideoDecoder(parameters, threadCount: 1), times: [MediaTime] = []
        defer { withExtendedLifetime(folder) {} }
        do throws(MediaError) {
            for packet in packets.map(Optional.some) + [nil] {
                _ = try decoder.send(packet)
                try take(&decoder, &times)
            }
        } catch {
            return (times, decoder.damageCount, error)
        }
        return (times, decoder.damageCount, nil)
    }

    private func take(_ decoder: inout VideoDecoder, _ times: inout [MediaTime]) throws(MediaError) {
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                if let pts = frame.pts { times.append(pts) }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
    }

    /// Each way to break costs the rest of one group of frames.
    @Test(arguments: ["crash-1000-1040", "fill-1000-1040", "lie-1000-1040"])
    func decoderThatBreaksOnceGoesOnAtTheNextKeyFrame(_ fault: String) throws {
        let (frames, damage, error) = try frames(fault)
        #expect(error == nil && damage == 1)
        #expect(frames.contains { $0 < .seconds(1) } && frames.contains { $0 >= .seconds(1.6) })
        #expect(frames.filter { $0 >= .seconds(1.6) }.count >= 34)
        #expect(frames == frames.sorted())
    }

    @Test func decoderThatStandsStillIsReplaced() throws {
        let (frames, damage, error) = try frames("hang-1000-1040", patience: .seconds(2))
        #expect(error == nil && damage == 1)
        #expect(frames.filter { $0 >= .seconds(1.6) }.count >= 34)
    }

    /// Where each frame is a key frame, the one behind the place ends the next worker, too; then a second is passed by.
    @Test func placeThatBreaksTwiceIsPassedBy() throws {
        let (frames, damage, error) = try frames("crash-1000-1400", keysOnly: true)
        #expect(error == nil && damage == 2)
        #expect(frames.filter { $0 < .seconds(1) }.count >= 24)
        #expect(!frames.contains { $0 >= .seconds(1) && $0 < .seconds(2) } && frames.contains { $0 >= .seconds(2.1) })
    }

    @Test func sourceThatBreaksThriceIsGivenUpWithOneSentence() throws {
        let (frames, _, error) = try frames("crash-1000-9000", keysOnly: true)
        #expect(frames.filter { $0 < .seconds(1) }.count >= 24)
        #expect(error?.code == .decodeFailed)
        #expect(error?.description == "cannot decode ‘h264’: its decoder crashed")
    }

    @Test func demuxerThatBreaksOnceGoesOn() throws {
        let clip = try Self.clip()
        var plain = try BoxedFixture.demuxer(clip, box: nil)
        let expected = try BoxedFixture.packets(&plain)
        // After the fault questions are counted anew: of 217 packets 200 are read before, the rest takes fewer questions, and it comes once.
        let (box, folder) = try BoxedFixture.breaking("readcrash-33-33")
        defer { withExtendedLifetime(folder) {} }
        var boxed = try BoxedFixture.demuxer(clip, box: box)
        let packets = try BoxedFixture.packets(&boxed)
        #expect(boxed.damageCount == 1)
        // A packet or two of the other stream beside the place may be left out.
        #expect(packets.count <= expected.count && packets.count >= expected.count - 4)
        for stream in [0, 1] {
            let times = packets.filter { $0.stream.number == stream }.compactMap(\.dts)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test func demuxerThatBreaksAlwaysIsGivenUp() throws {
        let (box, folder) = try BoxedFixture.breaking("readcrash-1-9000")
        defer { withExtendedLifetime(folder) {} }
        var boxed = try BoxedFixture.demuxer(try Self.clip(), box: box)
        do throws(MediaError) {
            _ = try BoxedFixture.packets(&boxed)
            Issue.record("it was read to the end")
        } catch {
            #expect(error.code == .readFailed)
            #expect(error.description.hasSuffix("its decoder crashed"))
        }
    }
}
