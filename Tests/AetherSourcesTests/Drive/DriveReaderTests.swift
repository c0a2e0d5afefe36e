import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// The player's side: the order of requests, programs that misbehave, and the real program with an image in the place of a drive.
@Suite struct DriveReaderTests {
    @Test func requestsFillTheWindowAndFollowTheReader() throws {
        var reading = DriveReading(count: 10_000)
        let first = reading.requests()
        #expect(
            first.prefix(4) == [
                .read(number: 1, sector: 0, count: 25), .read(number: 2, sector: 25, count: 50),
                .read(number: 3, sector: 75, count: 100), .read(number: 4, sector: 175, count: 100),
            ])
        let end = reading.pieces.last.map { $0.sector + $0.count } ?? 0
        #expect(end <= DriveReading.window && end > DriveReading.window - 100 && reading.requests().isEmpty)
        let near = reading.seek(to: 30 * 2352 + 5)
        #expect(near == nil && reading.pieces.first?.number == 2, "it is on its way")
        let far = reading.seek(to: 9_999 * 2352 + 5), number = UInt32(first.count + 1)
        #expect(far == .forget(before: number))
        let last = reading.requests()
        #expect(last == [.read(number: number, sector: 9_999, count: 1)])
        let taken = [
            reading.take(number, [1, 2]), reading.take(1, [1]), reading.take(number, [UInt8](repeating: 4, count: 2352)[...]),
        ]
        #expect(taken == [false, true, true], "too short, of no use any more, right")
        var room = [UInt8](repeating: 0, count: 4_000)
        #expect(room.withUnsafeMutableBytes { reading.read($0) } == 2347)
        #expect(room.withUnsafeMutableBytes { reading.read($0) } == 0)
    }

    private func program(_ script: String, in folder: TemporaryFolder) throws -> String {
        try ProgramFile.write(script, to: folder.path("aether-disc"))
        return folder.path("aether-disc")
    }

    @Test func aProgramThatDoesNotRunIsTold() throws {
        let folder = try TemporaryFolder()
        for script in ["exit 127", "printf 'what is this' >&0; cat > /dev/null"] {
            let reader = DriveReader(path: "/dev/sr0", program: try program(script, in: folder))
            #expect(throws: DriveReader.Refusal.fault(DriveProgram.mute)) { try reader.open() }
        }
        let lost = DriveReader(path: "/dev/sr0", program: folder.path("nothing"))
        #expect(throws: DriveReader.Refusal.fault(.noProgram("does not start"))) { try lost.open() }
    }

    @Test func waitingForADriveCanBeBrokenOff() throws {
        let folder = try TemporaryFolder()
        let reader = DriveReader(path: "/dev/sr0", program: try program("cat > /dev/null", in: folder))
        reader.cancel()
        #expect(throws: DriveReader.Refusal.reader(.cancelled)) { try reader.open() }
        reader.resume()
        let worker = WorkerThread(name: "cancel") { reader.cancel() }
        #expect(throws: DriveReader.Refusal.reader(.cancelled)) { try reader.open() }
        withExtendedLifetime(worker) { reader.close() }
        #expect(throws: IOReaderError.closed) { try reader.bytes(limit: 1) }
    }

    @Test func aDiscThatIsTakenOutEndsTheReading() throws {
        let folder = try TemporaryFolder()
        let table = try #require(DriveTable([DriveTable.Track(1, .audio, start: 0)], leadOut: 500))
        let answers: [DriveAnswer] = [
            .opened(table), .sectors(number: 1, lost: 2, bytes: [UInt8](repeating: 9, count: 25 * 2352)[...]),
            .failure(number: 2, .changed),
        ]
        try Data(answers.flatMap(\.frame)).write(to: URL(filePath: folder.path("answers")))
        let reader = DriveReader(
            path: "/dev/sr0", program: try program("cat '\(folder.path("answers"))' >&0; cat > /dev/null", in: folder))
        #expect(try reader.open() == table && reader.size == 500 * 2352 && reader.traits == .drive)
        #expect(reader.makeIndependentReader() == nil)
        #expect(try reader.bytes(limit: 25 * 2352) == [UInt8](repeating: 9, count: 25 * 2352))
        #expect(reader.lostSectors == 2)
        #expect(throws: IOReaderError.posix(ENOMEDIUM)) { try reader.bytes(limit: 1) }
    }

    @Test(.enabled(if: DriveProgram.find() != nil, "aether-disc is not built"))
    func libcdioReadsWhatTheImageHolds() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 5)
        let image = (0..<(2352 * 700)).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(image).write(to: URL(filePath: folder.path("a.bin")))
        let sheet = """
            PERFORMER "Band"
            TITLE "Album"
            FILE "a.bin" BINARY
            TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            TITLE "Two"
            PERFORMER "Guest"
            INDEX 01 00:04:10
            """
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("a.cue")))
        let reader = DriveReader(path: folder.path("a.cue"), program: try DriveProgram.required())
        let table = try reader.open()
        #expect(
            table
                == DriveTable(
                    [
                        DriveTable.Track(1, .audio, start: 0, title: "One"),
                        DriveTable.Track(2, .audio, start: 310, title: "Two", performer: "Guest"),
                    ], leadOut: 700, title: "Album", performer: "Band"))
        #expect(try reader.bytes(limit: .max) == image)
        for place in [0, 1_646_399, 100, 700_000, 699_000, 1_000_001, 1_646_400, 65_536] {
            try reader.seek(to: Int64(place))
            #expect(try reader.bytes(limit: 70_000) == Array(image[place...].prefix(70_000)))
        }
        #expect(reader.lostSectors == 0)
        let lost = DriveReader(path: folder.path("no.cue"), program: try DriveProgram.required())
        #expect(throws: DriveReader.Refusal.fault(.noDrive(folder.path("no.cue")))) { try lost.open() }
        let other = DriveReader(path: folder.path("a.bin.txt"), program: try DriveProgram.required())
        try Data("no disc".utf8).write(to: URL(filePath: folder.path("a.bin.txt")))
        #expect(throws: DriveReader.Refusal.fault(.noDrive(folder.path("a.bin.txt")))) { try other.open() }
    }
}
