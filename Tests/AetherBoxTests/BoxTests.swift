import AetherCore
import AetherTestSupport
import CBoxTrial
import Foundation
import Testing

@testable import AetherBox

/// The box, from inside: a worker that tries what a captured decoder would.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxTests {
    static let program = Programs.folder.appending(path: "aether-box-trial").path
    static let decoder = Programs.folder.appending(path: "aether-decoder").path
    /// Whether the kernel has what shuts calls off; without it nothing of this holds.
    static let hasFilters: Bool = {
        do throws(BoxFault) {
            var worker = try BoxWorker(path: program)
            return try worker.parts().contains(.seccomp)
        } catch {
            return false
        }
    }()

    private enum Outcome: Equatable { case did, refused(Int32), killed }

    private func attempt(_ attack: Int) throws(BoxFault) -> Outcome {
        var worker = try BoxWorker(path: Self.program, patience: .seconds(60))
        do throws(BoxFault) {
            let answer = try worker.answer(to: BoxMessage(.trial, [UInt8(attack)]))
            let number = Int32(answer.bytes.first ?? 255)
            return number == 0 ? .did : .refused(number)
        } catch {
            guard error == .ended else { throw error }
            return worker.wasKilled() == true ? .killed : .refused(0)
        }
    }

    /// The fault that ends a worker when it is asked.
    private func fault(of worker: inout BoxWorker, at wish: BoxMessage) -> BoxFault? {
        do throws(BoxFault) {
            _ = try worker.answer(to: wish)
            return nil
        } catch {
            return error
        }
    }

    @Test func programOfThePlayerIsInAllOfTheBoxThatTheKernelHas() throws {
        var worker = try BoxWorker(path: Self.decoder, patience: .seconds(60))
        let parts = try worker.parts()
        #expect(parts.isSuperset(of: [.noNewPrivileges, .notDumpable, .limits]))
        #expect(parts.contains(.seccomp) == Self.hasFilters)
        #expect(parts.isSubset(of: .all))
    }

    @Test func workerAnswers() throws {
        #expect(try attempt(Int(TRIAL_NOTHING.rawValue)) == .did)
    }

    @Test(.enabled(if: hasFilters, "the kernel has no seccomp filters"))
    func filesAreRefused() throws {
        #expect(try attempt(Int(TRIAL_OPEN.rawValue)) == .refused(EACCES))
        #expect(try attempt(Int(TRIAL_WRITE_FILE.rawValue)) == .refused(EACCES))
        #expect(!FileManager.default.fileExists(atPath: "/tmp/aether-box-trial"))
    }

    @Test(
        .enabled(if: hasFilters, "the kernel has no seccomp filters"),
        arguments: [
            TRIAL_SOCKET, TRIAL_CONNECT, TRIAL_EXEC, TRIAL_FORK, TRIAL_KILL_PARENT, TRIAL_PTRACE, TRIAL_RAISE_LIMIT,
        ])
    func attackEndsTheWorker(_ attack: trial) throws {
        #expect(try attempt(Int(attack.rawValue)) == .killed)
    }

    @Test(.enabled(if: hasFilters, "the kernel has no seccomp filters"))
    func codeAndRightsAreRefused() throws {
        #expect(try attempt(Int(TRIAL_EXECUTABLE_MEMORY.rawValue)) == .refused(EACCES))
        #expect(try attempt(Int(TRIAL_GAIN_RIGHTS.rawValue)) == .refused(EPERM))
    }

    @Test func nothingOfOursIsOpenThere() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(file >= 0)
        #expect(try attempt(Int(TRIAL_LOOK_AT_DESCRIPTORS.rawValue)) == .did)
    }

    @Test func threadsOfDecodersWork() throws {
        #expect(try attempt(Int(TRIAL_THREAD.rawValue)) == .did)
    }

    @Test func memoryHasABound() throws {
        #expect(try attempt(Int(TRIAL_MEMORY.rawValue)) == .refused(ENOMEM))
    }

    @Test func crashIsToldAsTheEnd() throws {
        #expect(try attempt(Int(TRIAL_CRASH.rawValue)) == .killed)
    }

    @Test func workerThatStandsStillIsToldApart() throws {
        var worker = try BoxWorker(path: Self.program, patience: .milliseconds(300))
        #expect(fault(of: &worker, at: BoxMessage(.trial, [UInt8(TRIAL_HANG.rawValue)])) == .hung)
    }

    @Test func wishThatNoWorkerKnowsEndsIt() throws {
        var worker = try BoxWorker(path: Self.decoder, patience: .seconds(60))
        #expect(fault(of: &worker, at: BoxMessage(.trial, [1])) == .ended)
    }

    @Test func programThatIsMissingIsSaid() {
        #expect(throws: BoxFault.missing) { _ = try BoxWorker(path: "/nowhere/aether-decoder") }
    }
}
