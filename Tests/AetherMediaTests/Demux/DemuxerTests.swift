import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite(.serialized) struct DemuxerTests {
    private func clip(_ ext: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6", "-pix_fmt",
                "yuv420p",
                "-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "2", "-c:a", "aac",
            ], ext: ext)
    }

    @Test(arguments: ["mkv", "mp4", "ts", "avi", "flv"])
    func seeksToTheLastKeyFrameAtOrBeforeThePoint(_ ext: String) throws {
        var demuxer = try Demuxer(try reading(try clip(ext)), interrupt: Interrupt())
        let video = try #require(demuxer.info.decodable(.video).first)
        let start = try #require(video.startTime)
        _ = try DecodedSource.allPackets(&demuxer)
        for second in [3.5, 0.2, 5.9, 2.0] {
            let target = start + .seconds(second)
            try demuxer.seek(to: target, stream: video.index)
            var key: Packet?
            while key == nil {
                let packet = try demuxer.read(epoch: Epoch(1))
                if packet.stream.number == video.index, packet.isKey { key = packet }
            }
            let time = try #require(key?.pts ?? key?.dts)
            #expect(time <= target, "\(second)")
            // TS is searched by bytes and FLV has no index of key frames: both may go further back than needed.
            #expect(target - time <= .seconds(ext == "ts" || ext == "flv" ? 5 : 1.1), "\(second)")
        }
    }

    /// A part of something longer that kept its times: what its header counts from zero is not how long it is.
    @Test(arguments: ["mkv", "mp4"]) func aFileThatBeginsLateIsAsLongAsItLasts(_ ext: String) throws {
        let late = try Fixtures.clip(["-i", try clip(ext), "-c", "copy", "-output_ts_offset", "3600"], ext: ext)
        let info = try Demuxer(try reading(late), interrupt: Interrupt()).info
        #expect((info.startTime - (MediaTime.zero + .seconds(3600))).magnitude < .seconds(0.2))
        #expect((try #require(info.duration) - .seconds(6)).magnitude < .seconds(0.2))
    }

    @Test(arguments: [
        (3620.0, 3600.0, 20.0), (20, 0.5, 20), (20, 0, 20), (20, -3, 20), (20, 20, 20), (20, 3600, 20), (20, 1, 19),
    ])
    func aLengthIsCountedFromTheStart(_ end: Double, _ start: Double, _ length: Double) {
        #expect(SourceInfo.length(fromZero: .seconds(end), start: MediaTime.zero + .seconds(start)) == .seconds(length))
    }

    /// Where to go for the next key frame is told by the index, and a seek there comes out at it.
    @Test(arguments: ["mkv", "mp4", "avi"]) func theIndexTellsTheKeyFramesAroundAPoint(_ ext: String) throws {
        var demuxer = try Demuxer(try reading(try clip(ext)), interrupt: Interrupt())
        let video = try #require(demuxer.info.decodable(.video).first)
        let start = try #require(video.startTime)
        for second in [2.5, 0.7, 4.2] {
            let target = start + .seconds(second)
            try demuxer.seek(to: target, stream: video.index)
            let found = demuxer.keys(around: target, stream: video.index)
            let keys = try #require(found)
            // Two frames of reordering are what MP4's times may lie before.
            let (before, after) = (start + .seconds(second.rounded(.down)), start + .seconds(second.rounded(.up)))
            #expect(keys.before <= before && before - keys.before <= .milliseconds(80), "\(second)")
            #expect((keys.next - after).magnitude <= .milliseconds(160), "\(second)")
            try demuxer.seek(to: keys.next, stream: video.index)
            var packet = try demuxer.read(epoch: Epoch(1))
            while packet.stream.number != video.index || !packet.isKey { packet = try demuxer.read(epoch: Epoch(1)) }
            #expect(packet.pts.map { ($0 - after).magnitude <= .milliseconds(1) } ?? (ext == "avi"), "\(second): \(packet)")
        }
        let (behindTheLast, ofNoStream) = (
            demuxer.keys(around: start + .seconds(5.5), stream: video.index), demuxer.keys(around: start, stream: 99)
        )
        #expect(behindTheLast == nil && ofNoStream == nil)
    }

    @Test func deliversOnlySelectedStreams() throws {
        var demuxer = try Demuxer(try reading(try clip("mkv")), interrupt: Interrupt())
        demuxer.select([1])
        let packets = try DecodedSource.allPackets(&demuxer)
        #expect(packets.count > 250)
        #expect(packets.allSatisfy { $0.stream.number == 1 && $0.epoch == Epoch(7) })
    }

    @Test func readsTheSameFromAPipeAsFromAFile() throws {
        let path = try clip("mkv")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let pipe = try PipeEnds(), writer = pipe.writer
        let thread = WorkerThread(name: "pipe writer") {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            close(writer)
        }
        defer { thread.join() }
        var piped = try Demuxer(.reader(PipeReader(descriptor: pipe.reader, owning: true), name: "-"), interrupt: Interrupt())
        #expect(!piped.info.isSeekable)
        #expect(throws: MediaError.self) { try piped.seek(to: .zero) }
        var plain = try Demuxer(try reading(path), interrupt: Interrupt())
        let packets = try DecodedSource.allPackets(&piped)
        #expect(packets.map(\.ptsTicks) == (try DecodedSource.allPackets(&plain)).map(\.ptsTicks))
        #expect(piped.bytesFetched == bytes.count)
    }

    @Test func interruptUnblocksAnOpenThatWaitsForBytes() throws {
        let pipe = try PipeEnds()
        defer { close(pipe.writer) }
        let interrupt = Interrupt()
        let descriptor = pipe.reader
        let code = Monitor<MediaError.Code?>(nil)
        let thread = WorkerThread(name: "open") {
            do throws(MediaError) {
                _ = try Demuxer(.reader(PipeReader(descriptor: descriptor, owning: true), name: "-"), interrupt: interrupt)
            } catch {
                code.update { $0 = error.code }
            }
        }
        interrupt.raise()
        thread.join()
        #expect(code.read { $0 } == .interrupted)
    }

    @Test func goesOnAfterAnInterruption() throws {
        let interrupt = Interrupt()
        var demuxer = try Demuxer(try reading(try clip("mkv")), interrupt: interrupt)
        _ = try demuxer.read(epoch: Epoch())
        interrupt.raise()
        do {
            _ = try demuxer.read(epoch: Epoch())
            Issue.record("read while interrupted")
        } catch {
            #expect(error.code == .interrupted)
        }
        interrupt.clear()
        try demuxer.seek(to: .seconds(2), stream: 0)
        #expect(try demuxer.read(epoch: Epoch()).pts != nil)
    }

    @Test func playsWhatIsThereOfATruncatedFile() throws {
        let path = try clip("mkv")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var demuxer = try Demuxer(
            .reader(MemoryReader(Array(bytes[..<(bytes.count / 2)])), name: "half.mkv"), interrupt: Interrupt())
        let count = try DecodedSource.allPackets(&demuxer).count
        #expect(count > 100 && count < 400)
    }

    @Test(arguments: [("", MediaError.Code.notMedia), ("This is a letter, not a film.", .notMedia)])
    func refusesWhatIsNotMedia(_ text: String, _ code: MediaError.Code) {
        do {
            _ = try Demuxer(.reader(MemoryReader(Array(text.utf8)), name: "letter"), interrupt: Interrupt())
            Issue.record("opened")
        } catch {
            #expect(error.code == code)
        }
    }
}
