import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherFormats

/// Recordings of a source's own bytes.
@Suite struct RecordedBytesTests {
    private final class Said: Sendable {
        private let sentences = Mutex<[String]>([])
        var all: [String] { sentences.withLock { $0 } }
        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    /// The sentences of a recording of these bytes, and the files that it made by their names.
    private func recorded(
        _ chunks: [RecordedBytes], ending: String? = "ts", named name: String = "a", lacksEnding: Bool = true
    ) throws -> (files: [String: [UInt8]], said: [String], progress: RecordingProgress) {
        let folder = try TemporaryFolder(), said = Said()
        var order = RecordingOrder(path: folder.path(name), isAsIs: true)
        order.lacksEnding = lacksEnding
        let recorder = Recorder(order) { said.add($0) }
        recorder.beginBytes(ending: ending)
        for chunk in chunks { recorder.take(chunk) }
        recorder.close()
        recorder.run()
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("")) {
            files[name] = [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
        }
        return (files, said.all, recorder.progress)
    }

    @Test func theFileHasTheBytesAndNoOthers() throws {
        let (files, said, progress) = try recorded([RecordedBytes(bytes: [1, 2, 3]), RecordedBytes(bytes: [4])])
        #expect(files == ["a.ts": [1, 2, 3, 4]] && progress.byteCount == 4 && progress.outcome == .complete)
        #expect(said.count == 1 && said[0].hasPrefix("recorded"))
    }

    @Test func aNameWithAnEndingKeepsIt() throws {
        #expect(try recorded([RecordedBytes(bytes: [1])], named: "x.dat", lacksEnding: false).files == ["x.dat": [1]])
    }

    @Test func anotherHeaderNeedsAnotherFile() throws {
        let (files, _, _) = try recorded([
            RecordedBytes(bytes: [1], ending: "mp4"), RecordedBytes(bytes: [2], ending: "mp4"),
            RecordedBytes(bytes: [3], ending: "mp4", beginsFile: true),
        ])
        #expect(files == ["a.mp4": [1, 2], "a-2.mp4": [3]])
    }

    @Test func aRecordingOfNothingSaysSoAndMakesNoFile() throws {
        let (files, said, progress) = try recorded([])
        #expect(files.isEmpty && progress.byteCount == 0)
        #expect(said == ["nothing was recorded and no file was made: nothing new came while it went on"])
    }

    @Test func aFileThatIsThereIsLeftAlone() throws {
        let folder = try TemporaryFolder(), said = Said()
        try Data([9]).write(to: URL(filePath: folder.path("b.ts")))
        let recorder = Recorder(RecordingOrder(path: folder.path("b.ts"), isAsIs: true)) { said.add($0) }
        recorder.beginBytes(ending: "ts")
        recorder.take(RecordedBytes(bytes: [1]))
        recorder.close()
        recorder.run()
        #expect([UInt8](try Data(contentsOf: URL(filePath: folder.path("b.ts")))) == [9])
        #expect(said.all.count == 1 && said.all[0].contains("File exists"))
    }

    // MARK: - The tap

    @Test func aRecordingInTheMiddleBeginsWithAWholePacket() {
        var bytes = [UInt8](repeating: 1, count: 100)
        for _ in 0..<6 { bytes += [0x47] + [UInt8](repeating: 2, count: 187) }
        #expect(bytes.withUnsafeBytes { ByteTap.packetStart($0) } == 100)
        #expect([UInt8](repeating: 0, count: 900).withUnsafeBytes { ByteTap.packetStart($0) } == nil)
        #expect([UInt8]().withUnsafeBytes { ByteTap.packetStart($0) } == nil)
    }

    @Test(arguments: [
        ("mpegts", "ts", true), ("mp3", "mp3", true), ("ogg", "ogg", false), ("matroska,webm", "mkv", false),
        ("mov,mp4,m4a,3gp,3g2,mj2", "mp4", false), ("something", "bin", false),
    ])
    func theEndingIsTheContainers(name: String, ending: String, anywhere: Bool) {
        let form = StreamForm(name)
        #expect(form.ending == ending && form.beginsAnywhere == anywhere)
    }

    // MARK: - Segments

    private func segment(_ number: Int64) throws -> Segment {
        Segment(
            number: number, continuity: 0, start: Ticks(number * 2, timescale: 1), duration: Ticks(2, timescale: 1),
            address: try #require(StreamAddress("http://host/\(number)")))
    }
    private func section(_ name: String) throws -> InitSection {
        InitSection(address: try #require(StreamAddress("http://host/\(name)")))
    }

    @Test func wholeSegmentsFollowOneAnotherBehindOneHeader() throws {
        var joint = SegmentJoint()
        let reader = SegmentJointReader(), header = (section: try section("init"), bytes: [UInt8]([7, 7]))
        var found: [RecordedBytes] = []
        for number in Int64(0)...2 {
            let segment = try segment(number)
            for byte in [UInt8(number), UInt8(number) + 100] {
                let whole = [byte].withUnsafeBytes { joint.take($0, of: segment, header: header, by: reader.id) }
                if let whole { found.append(whole) }
            }
            if let whole = joint.end(by: reader.id) { found.append(whole) }
        }
        #expect(found.map(\.bytes) == [[7, 7, 0, 100], [1, 101], [2, 102]])
        #expect(found.allSatisfy { $0.span == .seconds(2) && $0.ending == "mp4" && !$0.beginsFile })
    }

    @Test func aSegmentIsRecordedOnceAndABrokenOneNever() throws {
        var joint = SegmentJoint()
        let reader = SegmentJointReader(), other = SegmentJointReader()
        func read(_ number: Int64, by reader: SegmentJointReader, ends: Bool = true) throws -> [UInt8]? {
            let segment = try segment(number)
            _ = [0x47, UInt8(number)].withUnsafeBytes { joint.take($0, of: segment, header: nil, by: reader.id) }
            return ends ? joint.end(by: reader.id)?.bytes : nil
        }
        #expect(try read(4, by: reader) == [0x47, 4])
        // Playing went back in the middle of the next one, and comes on again.
        #expect(try read(5, by: reader, ends: false) == nil)
        #expect(try read(3, by: other) == nil && read(4, by: other) == nil)
        #expect(try read(5, by: other) == [0x47, 5])
        joint.beginFile()
        #expect(try read(5, by: other) == [0x47, 5])
    }

    @Test func anotherInitSectionBeginsAnotherFile() throws {
        var joint = SegmentJoint()
        let reader = SegmentJointReader()
        var found: [RecordedBytes?] = []
        for (number, name) in [(Int64(0), "a"), (1, "b"), (2, "b")] {
            let header = (section: try section(name), bytes: Array(name.utf8)), segment = try segment(number)
            _ = [UInt8(number)].withUnsafeBytes { joint.take($0, of: segment, header: header, by: reader.id) }
            found.append(joint.end(by: reader.id))
        }
        #expect(found.map { $0?.beginsFile } == [false, true, false])
        #expect(found.map { $0?.bytes } == [[97, 0], [98, 1], [2]])
    }
}

/// A reader by its identity alone.
private final class SegmentJointReader {
    var id: ObjectIdentifier { ObjectIdentifier(self) }
}
