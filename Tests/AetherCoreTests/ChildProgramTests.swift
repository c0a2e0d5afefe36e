import AetherCore
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ChildProgramTests {
    private static let patience = TimeSpan.seconds(60)

    private func run(
        _ script: String, input: [UInt8] = [], limit: Int = 1 << 20, within span: TimeSpan = patience, stop: WakeHandle? = nil,
        keepsComplaints: Bool = false, environment: [String]? = nil
    ) throws -> ChildProgram.Outcome {
        let call = ChildProgram.Call(
            path: "/bin/sh", arguments: ["-c", script], environment: environment, input: input, outputLimit: limit,
            keepsComplaints: keepsComplaints)
        let outcome = ChildProgram(call)?.outcome(until: SystemTime().now() + span, stop: stop)
        return try #require(outcome)
    }

    @Test func bytesGoInAndComeOut() throws {
        // More than the system holds on the way, in both directions at once.
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let outcome = try run("cat", input: bytes)
        #expect(outcome.end == .exited(0) && outcome.output == bytes && outcome.complaints.isEmpty)
    }

    @Test func complaintsAndStatusAreTold() throws {
        let outcome = try run("echo out; echo bad >&2; exit 3", keepsComplaints: true)
        #expect(outcome.end == .exited(3))
        #expect(String(decoding: outcome.output, as: UTF8.self) == "out\n")
        #expect(String(decoding: outcome.complaints, as: UTF8.self) == "bad\n")
        #expect(try run("echo bad >&2; kill -9 $$").end == .killed)
    }

    /// It dies before it has read: that is no signal for us.
    @Test func aProgramThatDoesNotReadIsNoHarm() throws {
        #expect(try run("exec <&-; exit 0", input: [UInt8](repeating: 1, count: 1_000_000)).end == .exited(0))
    }

    @Test func whoSaysTooMuchIsEnded() throws {
        let outcome = try run("yes", limit: 1000)
        #expect(outcome.end == .overflowed && outcome.output.count == 1000)
    }

    @Test func whoTakesTooLongIsEndedWithAllItHasStarted() throws {
        // The deadline has passed when the program has said what it started.
        let folder = try TemporaryFolder(), path = folder.path("number"), stop = WakeHandle()
        try #require(mkfifo(path, 0o600) == 0)
        let said = Mutex("")
        let listener = WorkerThread(name: "listener") {
            let bytes = FileHandle(forReadingAtPath: path)?.readDataToEndOfFile() ?? Data()
            said.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
            stop.wake()
        }
        let outcome = try run("sleep 1000 & echo $! > \(path); wait", stop: stop)
        listener.join()
        #expect(outcome.end == .givenUp)
        let number = try #require(Int32(said.withLock { $0 }.trimmingCharacters(in: .newlines)))
        // Killed already; the system may still have to carry it away.
        // Where there is no such file it is gone.
        while let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8), state.contains(") S ") {}
    }

    @Test func aDeadlineThatHasPassedEndsIt() throws {
        #expect(try run("exec sleep 1000", within: .zero).end == .givenUp)
    }

    @Test func aSignalledHandleEndsItAndEveryLaterOne() throws {
        let stop = WakeHandle()
        stop.wake()
        for _ in 0..<2 { #expect(try run("exec sleep 1000", stop: stop).end == .givenUp) }
    }

    /// A child of the program that lives on holds the output open: the end does not wait for it.
    @Test func theEndOfTheProgramIsTheEnd() throws {
        let outcome = try run("sleep 1000 & echo done")
        #expect(outcome.end == .exited(0) && String(decoding: outcome.output, as: UTF8.self) == "done\n")
    }

    @Test func itGetsTheSurroundingsThatWereNamedAndNothingElse() throws {
        let outcome = try run("echo $A $HOME; ls /proc/self/fd | wc -l", environment: ["A=b", "PATH=/usr/bin:/bin"])
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "b")
        // Three, and the one by which `ls` reads the list.
        #expect(lines.last.flatMap { Int($0) } == 4)
    }

    @Test func onlyWhatCanBeRunIsFound() {
        #expect(ChildProgram.find("sh", in: "relative:/nowhere:/usr/bin:/bin")?.hasSuffix("/sh") == true)
        #expect(ChildProgram.find("passwd", in: "/etc") == nil)
        let missing = ChildProgram(ChildProgram.Call(path: "/no/such/program", arguments: [], outputLimit: 1))?.outcome()
        #expect(missing == nil)
    }
}
