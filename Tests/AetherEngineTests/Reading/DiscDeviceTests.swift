import AetherCore
import AetherDiscs
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Discs on devices of blocks, and in drives.
@Suite struct DiscDeviceTests {
    private func opened(_ path: String) throws -> any IOReader {
        let input = try MediaInput(.location(.file(path)), interrupt: Interrupt())
        guard case .reader(let reader, _) = input else { throw MediaError(.internalFailure, "open") }
        return reader
    }

    @Test(.enabled(if: DVDFixture.isPossible && LoopDevice.isPossible, Comment(rawValue: LoopDevice.missing)))
    func aDVDOnADeviceIsItsImage() throws {
        let image = try DVDFixture.made().image, device = try LoopDevice(image)
        defer { device.detach() }
        let ours = try opened(device.path), theirs = try opened(image)
        #expect(ours is TitleReader && ours.size == theirs.size)
        #expect(try ours.bytes(limit: .max) == theirs.bytes(limit: .max))
        #expect(MediaLocation.file(device.path).traits == .file, "it is no drive: nothing goes to and fro")
    }

    @Test(.enabled(if: LoopDevice.isPossible, Comment(rawValue: LoopDevice.missing)))
    func aBluRayDiscOnADeviceIsItsImage() throws {
        let folder = try TemporaryFolder(), path = folder.path("disc.iso")
        try Data(UDFWriter.image(BluRayFixture.made().files())).write(to: URL(filePath: path))
        let device = try LoopDevice(path)
        defer { device.detach() }
        let ours = try opened(device.path), theirs = try opened(path)
        #expect(ours is BluRayReader && ours.size == theirs.size)
        #expect(try ours.bytes(limit: .max) == theirs.bytes(limit: .max))
    }

    @Test(.enabled(if: LoopDevice.isPossible, Comment(rawValue: LoopDevice.missing)))
    func aDeviceThatIsNoDiscIsTold() throws {
        let folder = try TemporaryFolder(), path = folder.path("empty")
        #expect(try Command(["truncate", "-s", "2M", path]).status == 0)
        let device = try LoopDevice(path)
        defer { device.detach() }
        let error = SourceTrial.refusal(of: .file(device.path))
        #expect(error?.code == .notMedia, "\(String(describing: error))")
    }

    /// A drive that has no disc, or is none any more, tells so before anything is read.
    @Test(arguments: [DriveFault.empty, .trayOpen, .notReady, .noTable, .changed, .noProgram("is not installed")])
    func theStateOfADriveIsTold(_ fault: DriveFault) {
        let error = MediaError(.drive(fault), "/dev/sr0")
        #expect(error.code == .cannotOpen && error.reason == fault.reason)
        #expect(MediaError(.drive(.forbidden("/dev/sr0", group: "cdrom")), "/dev/sr0").cause == -EACCES)
    }

    @Test func openingADriveIsBrokenOffWithTheInterrupt() throws {
        let folder = try TemporaryFolder()
        try ProgramFile.write("cat > /dev/null", to: folder.path("aether-disc"))
        let reader = DriveReader(path: "/dev/sr0", program: folder.path("aether-disc"))
        let interrupt = Interrupt(), worker = WorkerThread(name: "raise") { interrupt.raise() }
        let error = #expect(throws: MediaError.self) {
            try MediaInput.compact(reader, name: "/dev/sr0", DiscChoice(), interrupt)
        }
        withExtendedLifetime(worker) { #expect(error?.code == .interrupted) }
    }

    @Test(.enabled(if: DriveProgram.find() != nil, "aether-disc is not built"))
    func anAudioCDInADrivePlaysWithItsTracksAsChapters() async throws {
        let folder = try TemporaryFolder()
        let wave = try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=440:r=44100:d=3", "-ac", "2", "-f", "s16le"], ext: "raw")
        try FileManager.default.copyItem(atPath: wave, toPath: folder.path("cd.bin"))
        let sheet = """
            TITLE "Songs"
            PERFORMER "Band"
            FILE "cd.bin" BINARY
              TRACK 01 AUDIO
                TITLE "First"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Second"
                INDEX 01 00:01:00
            """
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("cd.cue")))
        let reader = DriveReader(path: folder.path("cd.cue"), program: try DriveProgram.required())
        let input = try MediaInput.compact(reader, name: "/dev/sr0", DiscChoice(), Interrupt())
        guard case .reader(let title as CompactReader, _) = input else { throw MediaError(.internalFailure, "open") }
        let disc = CompactDescription(title)
        let source = try ContainerSource(input, options: disc.options(OpenOptions()), interrupt: Interrupt())
        let info = disc.described(source.description.info)
        #expect(info.chapters.map(\.name) == ["First", "Second"] && info.metadata.title == "Songs")
        #expect(abs((info.duration?.seconds ?? 0) - 3) < 0.02 && title.traits == .drive)
    }
}
