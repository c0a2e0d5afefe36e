import AetherTestSupport
import Foundation
import Testing

/// The fuzzer's targets without the fuzzer, so that they compile and hold in every run of the tests: each in a process of its own, for
/// what breaks a promise stops it. With `AETHER_FUZZ_LAST=PATH` the last input of all is left there (`--filter` one target's name).
@Suite struct FuzzTargetTests {
    @Test(arguments: FuzzTarget.allCases) func promisesHoldForSeedsAndWhatGrowsFromThem(_ target: FuzzTarget) async {
        await #expect(processExitsWith: .success) { [target = target as FuzzTarget] in
            for seed in try FuzzTargetTests.seeds(of: target) + [[]] {
                for input in Mutations(of: seed, count: FuzzTargetTests.count(of: target)) {
                    if let path = getenv("AETHER_FUZZ_LAST") { try Data(input).write(to: URL(filePath: String(cString: path))) }
                    input.withUnsafeBufferPointer(target.run)
                }
            }
        }
    }

    @Test func aBrokenPromiseIsSeen() async {
        await #expect(processExitsWith: .failure) { precondition(FuzzTarget.allCases.isEmpty) }
    }

    @Test(arguments: FuzzTarget.allCases) func everyTargetHasASeed(_ target: FuzzTarget) throws {
        #expect(try !FuzzTargetTests.seeds(of: target).isEmpty)
    }

    /// Inputs of each seed. One of the worker's is a file that is opened and decoded, which takes 3 ms and not some microseconds.
    private static func count(of target: FuzzTarget) -> Int { target.rawValue == "worker" ? 200 : 2000 }

    private static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Seeds/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }
}
