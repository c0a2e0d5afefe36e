import AetherCore
import Glibc
import Synchronization
import Testing

@testable import AetherSources

/// The reading of discs with scratches, and of a drive whose disc is taken out.
@Suite struct SectorSalvageTests {
    private let table: DriveTable
    init() throws {
        table = try #require(
            DriveTable([DriveTable.Track(1, .audio, start: 0), DriveTable.Track(2, .audio, start: 300)], leadOut: 5_000))
    }

    private func fill(
        _ salvage: inout SectorSalvage, _ drive: ScriptedDrive, from sector: Int, count: Int
    ) throws(DriveRefusal) -> (lost: Int, bytes: [UInt8]) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count * DriveSector.size, alignment: 16)
        defer { room.deallocate() }
        let lost = try salvage.fill(room, from: sector, of: table, drive)
        return (lost, [UInt8](room))
    }

    private func expected(_ sectors: Range<Int>, without lost: Set<Int> = []) -> [UInt8] {
        sectors.flatMap { lost.contains($0) ? [UInt8](repeating: 0, count: DriveSector.size) : ScriptedDrive.bytes($0) }
    }

    @Test func aWholeDiscComesInBlocks() throws {
        var salvage = SectorSalvage()
        let drive = ScriptedDrive(table)
        let (lost, bytes) = try fill(&salvage, drive, from: 290, count: 100)
        #expect(lost == 0 && bytes == expected(290..<390))
        #expect(drive.state.withLock { $0.asked } == [290..<300, 300..<325, 325..<350, 350..<375, 375..<390])
    }

    @Test func aScratchedSectorIsSilentAndTheOthersAreNot() throws {
        var salvage = SectorSalvage()
        let (lost, bytes) = try fill(&salvage, ScriptedDrive(table, scratched: [7, 9]), from: 0, count: 50)
        #expect(lost == 2 && bytes == expected(0..<50, without: [7, 9]))
    }

    @Test func aLongScratchIsNotTriedSectorBySector() throws {
        var salvage = SectorSalvage()
        let drive = ScriptedDrive(table, scratched: Set(25..<225))
        let (lost, bytes) = try fill(&salvage, drive, from: 0, count: 100)
        #expect(lost == 75 && bytes == expected(0..<100, without: Set(25..<100)))
        let asked = drive.state.withLock { $0.asked.filter { $0.count == 1 }.count }
        #expect(asked == 4 + 2 + 1, "each may take a drive seconds")
        #expect(try fill(&salvage, drive, from: 100, count: 150).lost == 125)
        #expect(try fill(&salvage, drive, from: 250, count: 50).lost == 0)
    }

    @Test func whatCannotBeReadAtAllEnds() throws {
        var salvage = SectorSalvage()
        let drive = ScriptedDrive(table, scratched: Set(0..<5_000))
        #expect(try fill(&salvage, drive, from: 0, count: 700).lost == 700)
        #expect(throws: DriveRefusal.unreadable) { try fill(&salvage, drive, from: 700, count: 100) }
    }

    @Test func aDiscThatIsTakenOutIsNoSilence() throws {
        var salvage = SectorSalvage()
        let drive = ScriptedDrive(table)
        drive.state.withLock { $0.isThere = false }
        #expect(throws: DriveRefusal.changed) { try fill(&salvage, drive, from: 0, count: 25) }
    }

    @Test func filesAndGapsAreNotRead() throws {
        let table = try #require(
            DriveTable(
                [
                    DriveTable.Track(1, .files, start: 10), DriveTable.Track(2, .audio, start: 40),
                    .init(3, .mixed, start: 20_000),
                ],
                leadOut: 30_000, session: 20_000))
        var salvage = SectorSalvage()
        let drive = ScriptedDrive(table), room = UnsafeMutableRawBufferPointer.allocate(byteCount: 60 * 2352, alignment: 16)
        defer { room.deallocate() }
        #expect(try salvage.fill(room, from: 0, of: table, drive) == 0)
        #expect(drive.state.withLock { $0.asked } == [40..<60])
        #expect(try salvage.fill(room, from: 8_590, of: table, drive) == 0)
        #expect(drive.state.withLock { $0.asked }.last == 8_590..<8_600)
    }
}

/// The program's side of the wire, with a drive that is written by hand.
@Suite struct DriveServiceTests {
    /// Speaks with a service over a socket.
    private final class Peer {
        let socket: Int32
        private var frames = WireFrames()
        private let worker: WorkerThread

        init(_ open: @escaping @Sendable (String) throws(DriveRefusal) -> ScriptedDrive) {
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            socket = ends[0]
            let theirs = ends[1]
            worker = WorkerThread(name: "drive-service") {
                var service = DriveService(socket: theirs)
                service.run(open)
                close(theirs)
            }
        }

        deinit { close(socket) }

        func send(_ requests: DriveRequest...) {
            let bytes = requests.flatMap(\.frame)
            _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// The next answer; nil: the service has hung up.
        func answer() throws -> DriveAnswer? {
            var room = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                if let frame = try frames.next() { return DriveAnswer(frame) }
                let count = recv(socket, &room, room.count, 0)
                guard count > 0 else { return nil }
                room.withUnsafeBytes { frames.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }

    private let table: DriveTable
    init() throws { table = try #require(DriveTable([DriveTable.Track(1, .audio, start: 0)], leadOut: 500)) }

    @Test func sectorsComeInTheOrderOfTheRequests() throws {
        let drive = ScriptedDrive(table, scratched: [3])
        let peer = Peer { _ in drive }
        peer.send(.open("/dev/sr0"), .read(number: 1, sector: 0, count: 5), .read(number: 2, sector: 490, count: 20))
        #expect(try peer.answer() == .opened(table))
        let first = (0..<5).flatMap { $0 == 3 ? [UInt8](repeating: 0, count: 2352) : ScriptedDrive.bytes($0) }
        #expect(try peer.answer() == .sectors(number: 1, lost: 1, bytes: first[...]))
        #expect(try peer.answer() == .sectors(number: 2, lost: 0, bytes: (490..<500).flatMap(ScriptedDrive.bytes)[...]))
    }

    @Test func whatIsTakenBackIsNotRead() throws {
        let drive = ScriptedDrive(table), peer = Peer { _ in drive }
        peer.send(
            .open("/dev/sr0"), .read(number: 1, sector: 100, count: 5), .read(number: 2, sector: 200, count: 5),
            .forget(before: 3), .read(number: 3, sector: 7, count: 1))
        #expect(try peer.answer() == .opened(table))
        #expect(try peer.answer() == .sectors(number: 3, lost: 0, bytes: ScriptedDrive.bytes(7)[...]))
        #expect(drive.state.withLock { $0.asked } == [7..<8])
    }

    @Test func anotherDiscIsNotPlayedOn() throws {
        let drive = ScriptedDrive(table), peer = Peer { _ in drive }
        peer.send(.open("/dev/sr0"))
        #expect(try peer.answer() == .opened(table))
        // The same disc once more goes on.
        drive.state.withLock { $0.hasChanged = true }
        peer.send(.read(number: 1, sector: 7, count: 1))
        #expect(try peer.answer() == .sectors(number: 1, lost: 0, bytes: ScriptedDrive.bytes(7)[...]))
        drive.state.withLock {
            $0.hasChanged = true
            $0.table = DriveTable([DriveTable.Track(1, .audio, start: 0)], leadOut: 499)
        }
        peer.send(.read(number: 2, sector: 7, count: 1))
        #expect(try peer.answer() == .failure(number: 2, .changed))
    }

    @Test func aRefusalIsToldAndTheEndOfIt() throws {
        for (table, refusal) in [(table, DriveRefusal.empty), (nil, .noTable)] as [(DriveTable?, DriveRefusal)] {
            let peer = Peer { _ throws(DriveRefusal) in
                if table != nil { throw .empty }
                return ScriptedDrive(nil)
            }
            peer.send(.open("/dev/sr0"))
            #expect(try peer.answer() == .failure(number: 0, refusal) && peer.answer() == nil)
        }
        let peer = Peer { _ in ScriptedDrive(nil) }
        peer.send(.read(number: 1, sector: 0, count: 1))
        #expect(try peer.answer() == nil, "nothing is open")
    }
}
