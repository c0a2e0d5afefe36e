import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherTerminal

/// Objects in /dev/shm: made, read as a terminal does, and removed.
@Suite(.serialized) struct SharedMemoryRingTests {
    /// The objects of the ring that this name is of, "/aether-tui-PROCESS-RING-SLOT-NUMBER": other tests of this process make some, too.
    private func objects(besides name: String) -> [String] {
        let ring = name.dropFirst().split(separator: "-").prefix(4).joined(separator: "-") + "-"
        let names = FileManager.default.enumerator(atPath: "/dev/shm")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasPrefix(ring) }
    }

    private func write(_ ring: SharedMemoryRing, _ bytes: [UInt8], slot: Int) -> String? {
        bytes.withUnsafeBytes { ring.write($0, slot: slot) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Plays the terminal's part: opens by name, reads, removes.
    private func take(_ name: String) -> [UInt8]? {
        let descriptor = shm_open(name, O_RDONLY, 0)
        guard descriptor >= 0 else { return nil }
        defer {
            close(descriptor)
            shm_unlink(name)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o777 == 0o600 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        return read(descriptor, &bytes, bytes.count) == bytes.count ? bytes : nil
    }

    @Test func aTerminalReadsWhatWasWritten() throws {
        let ring = SharedMemoryRing()
        var last = ""
        for round in 0..<4 {
            for slot in 0..<ring.slots {
                let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ round &+ slot) }
                let name = try #require(write(ring, bytes, slot: slot))
                #expect(name.hasPrefix("/") && !name.dropFirst().contains("/") && name.utf8.count < 64)
                #expect(take(name) == bytes)
                #expect(take(name) == nil)
                last = name
            }
        }
        #expect(objects(besides: last).isEmpty)
    }

    @Test func slotsDoNotShareNames() {
        let a = SharedMemoryRing(slots: 4), b = SharedMemoryRing(slots: 4)
        let names = (0..<4).flatMap { [write(a, [1], slot: $0), write(b, [2], slot: $0)] }.compactMap { $0 }
        #expect(Set(names).count == 8)
    }

    @Test func leavesNothingBehind() throws {
        var name = ""
        do {
            let ring = SharedMemoryRing()
            for slot in 0..<3 { name = try #require(write(ring, [1, 2, 3], slot: slot)) }
            #expect(objects(besides: name).count == 3)
        }
        #expect(objects(besides: name).isEmpty)
    }

    @Test func anAbandonedSlotTakesAnotherName() throws {
        let ring = SharedMemoryRing()
        let first = try #require(write(ring, [1], slot: 0))
        ring.abandon(slot: 0)
        #expect(take(first) == nil)
        let second = try #require(write(ring, [2], slot: 0))
        #expect(second != first && take(second) == [2])
    }

    /// A terminal that has not read the object yet must not see it change: the old object goes, a new one comes.
    @Test func neverWritesIntoAnObjectThatExists() throws {
        let ring = SharedMemoryRing()
        let name = try #require(write(ring, [1, 1, 1], slot: 0))
        let reader = shm_open(name, O_RDONLY, 0)
        defer { close(reader) }
        #expect(write(ring, [2, 2, 2], slot: 0) == name)
        var bytes: [UInt8] = [0, 0, 0]
        #expect(read(reader, &bytes, 3) == 3 && bytes == [1, 1, 1])
        #expect(take(name) == [2, 2, 2])
    }

    @Test func refusesWhatIsNoSlot() {
        let ring = SharedMemoryRing(slots: 3)
        #expect(write(ring, [1], slot: 3) == nil && write(ring, [1], slot: -1) == nil)
        ring.abandon(slot: 9)
        #expect(SharedMemoryRing(slots: 1).slots == 3 && SharedMemoryRing(slots: 99).slots == 6)
    }

    @Test func removesWhatDeadProgramsLeft() throws {
        // A process that has ended and been waited for.
        let child = Process()
        child.executableURL = URL(filePath: "/bin/true")
        try child.run()
        child.waitUntilExit()
        let dead = "/dev/shm/aether-tui-\(child.processIdentifier)-test-0-1", fresh = dead + "f"
        let alive = "/dev/shm/aether-tui-1-test-0-1"
        for path in [dead, fresh, alive] { #expect(FileManager.default.createFile(atPath: path, contents: Data([1]))) }
        defer { for path in [dead, fresh, alive] { unlink(path) } }
        for path in [dead, alive] {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: path)
        }
        _ = SharedMemoryRing()
        #expect(!FileManager.default.fileExists(atPath: dead))
        #expect(FileManager.default.fileExists(atPath: fresh) && FileManager.default.fileExists(atPath: alive))
    }
}
