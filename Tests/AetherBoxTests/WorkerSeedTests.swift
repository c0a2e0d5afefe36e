import AetherCore
import AetherTestSupport
import CBox
import CBoxTrial
import Foundation
import Testing

@testable import AetherBox

/// Workers that are copies of one program.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct WorkerSeedTests {
    /// The processes of a program: their numbers and those of their parents.
    private func processes(of path: String) throws -> [(number: Int32, parent: Int32)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { number in
            // One that has just ended has no files any more.
            guard let line = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8), line.hasPrefix(path + "\0"),
                let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
                let parent = status.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap({ Int32($0) })
            else { return nil }
            return (number, parent)
        }
    }

    @Test func workersAreCopiesOfOneProgramInAllOfTheBox() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        var one = try box.worker(), other = try box.worker()
        let alone = try { () throws in
            var worker = try BoxWorker(path: BoxTests.program, patience: .seconds(60))
            return try worker.parts()
        }()
        #expect(try one.parts() == alone)
        #expect(try other.parts() == alone)
        let found = try processes(of: folder.url.appending(path: "never-0-0").path)
        let seed = try #require(found.first { $0.parent == getpid() })
        #expect(found.count == 3)
        #expect(found.filter { $0.parent == seed.number }.count == 2)
    }

    @Test func copiesThatWereOrderedAreTakenFirst() throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: "never-0-0")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: BoxTests.program)
        let seed = WorkerSeed(path: link.path, patience: .seconds(60))
        seed.orderFirst()
        var first = try seed.worker(.plain), reader = try seed.worker(.fonts)
        var second = try seed.worker(.plain), third = try seed.worker(.plain)
        let parts = try first.parts()
        for other in [try second.parts(), try third.parts(), try reader.parts()] { #expect(other == parts) }
        // The program, the three and the one that reads fonts.
        #expect(try processes(of: link.path).count == 5)
    }

    @Test func copiesThatNobodyTookEnd() throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: "never-0-0")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: BoxTests.program)
        let seed = WorkerSeed(path: link.path, patience: .seconds(60))
        seed.orderFirst()
        // Once this one is there, the three that were ordered before it are.
        var reader = try seed.worker(.fonts)
        _ = try reader.parts()
        let before = Set(try processes(of: link.path).map(\.number))
        #expect(before.count == 5)
        seed.endSpares()
        var fresh = try seed.worker(.plain)
        _ = try fresh.parts()
        #expect(Set(try processes(of: link.path).map(\.number)).subtracting(before).count == 1, "one that was ordered was taken")
    }

    @Test(
        .enabled(if: BoxTests.hasFilters, "the kernel has no seccomp filters"),
        arguments: [TRIAL_OPEN, TRIAL_CONNECT, TRIAL_EXEC, TRIAL_FORK])
    func copiesMayDoNoMoreThanAProgramOfTheirOwn(_ attack: trial) throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        defer { withExtendedLifetime(folder) {} }
        func outcome(_ worker: consuming BoxWorker) -> [UInt8]? {
            do throws(BoxFault) {
                return try worker.answer(to: BoxMessage(.trial, [UInt8(attack.rawValue)])).bytes
            } catch {
                return nil
            }
        }
        let copied = outcome(try box.worker())
        #expect(copied != [0])
        #expect(copied == outcome(try BoxWorker(path: BoxTests.program, patience: .seconds(60))))
    }

    @Test func copyHoldsNoDescriptorButItsOwn() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        defer { withExtendedLifetime(folder) {} }
        var worker = try box.worker()
        #expect(try worker.answer(to: BoxMessage(.trial, [UInt8(TRIAL_LOOK_AT_DESCRIPTORS.rawValue)])).bytes == [0])
    }

    @Test func programThatWasKilledIsStartedAgain() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        let path = folder.url.appending(path: "never-0-0").path
        _ = try box.worker()
        let seed = try #require(try processes(of: path).first { $0.parent == getpid() })
        #expect(kill(seed.number, SIGKILL) == 0)
        var worker = try box.worker()
        _ = try worker.parts()
    }

    @Test func workerThatIsBusyEndsWithThePlayer() throws {
        var control: Int32 = -1, theirs: Int32 = -1
        #expect(box_socket_pair(&control, &theirs) == 0)
        let program = try ChildProcess(
            path: BoxTests.program, arguments: ["seed"], environment: [], input: theirs, output: theirs)
        close(theirs)
        defer { withExtendedLifetime(program) {} }
        var ours: Int32 = -1
        #expect(box_socket_pair(&ours, &theirs) == 0)
        #expect(box_send(control, "w", 1, theirs, 0) == 1)
        close(theirs)
        let line = BoxLine(socket: ours, closes: true)
        var copy: Int32 = -1
        #expect(try line.receive(descriptor: &copy).kind == .born)
        defer { close(copy) }
        try line.send(BoxMessage(.trial, [UInt8(TRIAL_HANG.rawValue)]))
        // A player that dies closes its end.
        close(control)
        var ended = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 60_000) == 1)
    }

    @Test func timesOfWorkersAreCountedAlsoWhenTheyHaveEnded() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        defer { withExtendedLifetime(folder) {} }
        var worker = try box.worker(), rounds = 0
        let text = [UInt8](repeating: 0xE4, count: 1 << 16)
        while box.cpuSeconds < 0.05, rounds < 20_000 {
            _ = try worker.answer(to: BoxMessage(.guessCharacterSet, text))
            rounds += 1
        }
        let seconds = box.cpuSeconds
        #expect(seconds >= 0.05, "after \(rounds) texts")
        worker.abandon()
        #expect(box.cpuSeconds >= seconds)
    }

    @Test func programThatIsMissingIsSaid() {
        #expect(throws: BoxFault.missing) {
            _ = try WorkerSeed(path: "/nowhere/aether-decoder", patience: .seconds(60)).worker(.plain)
        }
    }
}
