import Glibc
import Testing

@testable import AetherSources

/// Tables of contents, and the answers of the kernel and of the program about discs.
@Suite struct DriveTableTests {
    private typealias Track = DriveTable.Track

    @Test(arguments: [
        // Music alone: each track ends where the next one begins.
        ([Track(1, .audio, start: 0), Track(2, .audio, start: 900)], nil as Int?, [900, 50_000]),
        // Music behind data, as games have it.
        ([Track(1, .files, start: 0), Track(2, .audio, start: 900)], nil, [900, 50_000]),
        // A second session behind the music: what lies between is no music.
        ([Track(1, .audio, start: 0), Track(2, .mixed, start: 20_000)], 20_000, [8_600, 50_000]),
        // Some drives say where the pause before its first track begins.
        ([Track(1, .audio, start: 0), Track(2, .files, start: 20_000)], 19_850, [8_600, 50_000]),
        // Data behind music in the same session: its pause of two seconds is data.
        ([Track(1, .audio, start: 0), Track(2, .files, start: 20_000)], nil, [19_850, 50_000]),
        // The first session is none that something lies before.
        ([Track(1, .audio, start: 0), Track(2, .files, start: 20_000)], 0, [19_850, 50_000]),
        // A track that is shorter than what would have to lie behind it: the table lies, and the track is kept.
        ([Track(1, .audio, start: 0), Track(2, .files, start: 100)], 100, [100, 50_000]),
    ])
    func tracksEnd(_ tracks: [DriveTable.Track], _ session: Int?, _ ends: [Int]) throws {
        let table = try #require(DriveTable(tracks, leadOut: 50_000, session: session))
        #expect(tracks.indices.map(table.end) == ends)
        for index in tracks.indices {
            #expect(table.stretch(at: tracks[index].start).kind == tracks[index].kind)
            #expect(table.stretch(at: ends[index] - 1).end == ends[index])
        }
    }

    @Test func whatNoDiscHasIsNoTable() {
        let track = Track(1, .audio, start: 0)
        #expect(DriveTable([], leadOut: 10) == nil && DriveTable([track], leadOut: 0) == nil)
        #expect(DriveTable([track, Track(2, .audio, start: 0)], leadOut: 10) == nil, "two at one place")
        #expect(DriveTable([track, Track(1, .audio, start: 5)], leadOut: 10) == nil, "two of one number")
        #expect(DriveTable([Track(100, .audio, start: 0)], leadOut: 10) == nil)
        #expect(DriveTable([Track(1, .audio, start: -1)], leadOut: 10) == nil)
        #expect(DriveTable([track], leadOut: DriveTable.sectorLimit + 1) == nil)
    }

    @Test func betweenTracksIsNothing() throws {
        let table = try #require(
            DriveTable([Track(1, .audio, start: 150), Track(2, .mixed, start: 20_000)], leadOut: 30_000, session: 20_000))
        #expect(table.stretch(at: 0) == (nil, 150) && table.stretch(at: 8_600) == (nil, 20_000))
        #expect(table.stretch(at: 30_000).kind == nil)
    }

    @Test func theModeIsSeenInTheSector() {
        func isMode2(_ head: [UInt8]) -> Bool {
            (head + [UInt8](repeating: 0, count: 2336 - head.count)).withUnsafeBytes { DriveTable.isMode2($0) }
        }
        #expect(isMode2([1, 1, 0x62, 0x0F, 1, 1, 0x62, 0x0F]), "video")
        #expect(isMode2([0, 0, 0x09, 0, 0, 0, 0x09, 0, 1] + Array("CD001".utf8)), "a file system in mode 2")
        #expect(!isMode2([1] + Array("CD001".utf8)), "one in mode 1")
        #expect(!isMode2([]), "an empty sector of mode 1 stands there twice, too")
    }

    @Test func theKernelsAnswersAreUnderstood() throws {
        #expect(throws: DriveFault.empty) { try OpticalDrive.contents(drive: 1, disc: -5) }
        #expect(throws: DriveFault.trayOpen) { try OpticalDrive.contents(drive: 2, disc: -5) }
        #expect(throws: DriveFault.notReady) { try OpticalDrive.contents(drive: 3, disc: -5) }
        #expect(throws: DriveFault.empty) { try OpticalDrive.contents(drive: 4, disc: 1) }
        for (number, contents) in [
            (100, OpticalDrive.Contents.compact), (105, .compact), (101, .files), (0, .files), (-22, .files),
        ] {
            #expect(try OpticalDrive.contents(drive: 4, disc: number) == contents)
        }
        #expect(OpticalDrive("/dev/null") == nil && OpticalDrive("/no/such/device") == nil && OpticalDrive("/dev") == nil)
    }

    @Test func faultsTellWhatToDo() {
        #expect(DriveFault.forbidden("/dev/sr0", group: "cdrom").reason.contains("sudo usermod -aG cdrom $USER"))
        #expect(OpticalDrive.fault(EACCES, "/dev/null") == .forbidden("/dev/null", group: ""))
        #expect(
            OpticalDrive.fault(ENOMEDIUM, "/dev/sr0") == .empty && OpticalDrive.fault(ENXIO, "/dev/sr0") == .noDrive("/dev/sr0"))
    }

    @Test func messagesComeAsTheyWereSent() throws {
        let table = try #require(
            DriveTable(
                [
                    Track(3, .audio, start: 32, title: "Eins", performer: "Bänd"),
                    Track(4, .mixed, start: 9_000, title: String(repeating: "é", count: 500)),
                ], leadOut: 20_000, session: 9_000, title: "Album"))
        var frames = WireFrames()
        let bytes: [UInt8] =
            DriveRequest.open("/dev/sr0").frame + DriveRequest.read(number: 7, sector: 20, count: 100).frame
            + DriveRequest.forget(before: 9).frame
        bytes.withUnsafeBytes { frames.take($0) }
        #expect(try frames.next().flatMap { DriveRequest($0) } == .open("/dev/sr0"))
        #expect(try frames.next().flatMap { DriveRequest($0) } == .read(number: 7, sector: 20, count: 100))
        #expect(try frames.next().flatMap { DriveRequest($0) } == .forget(before: 9))
        DriveAnswer.opened(table).frame.withUnsafeBytes { frames.take($0) }
        guard let frame = try frames.next(), case .opened(let read) = DriveAnswer(frame) else { throw DriveRefusal.noTable }
        #expect(read.tracks[0] == table.tracks[0] && read.leadOut == 20_000 && read.session == 9_000 && read.title == "Album")
        #expect(read.tracks[1].title == String(repeating: "é", count: 200), "long texts are cut")
        for refusal in DriveRefusal.allCases {
            DriveAnswer.failure(number: 2, refusal).frame.withUnsafeBytes { frames.take($0) }
            #expect(try frames.next().flatMap { DriveAnswer($0) } == .failure(number: 2, refusal))
        }
        DriveRequest.read(number: 7, sector: 20, count: 101).frame.withUnsafeBytes { frames.take($0) }
        #expect(try frames.next().flatMap { DriveRequest($0) } == nil, "more than one request may ask for")
    }
}
