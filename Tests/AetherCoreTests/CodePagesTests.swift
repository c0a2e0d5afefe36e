import AetherCore
import AetherTestSupport
import Foundation
import Testing

@Suite(.enabled(if: !Sanitizer.isOn, "the sanitizer maps its own")) struct CodePagesTests {
    /// The mapping of this program's code: where it lies, and how much of it is in memory, in KB.
    static func code() throws -> (start: UInt, end: UInt, resident: Int) {
        let lines = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n")
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let first = try #require(lines.firstIndex { $0.hasSuffix(program) && $0.contains(" r-xp ") })
        let range = lines[first].prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        let resident = try #require(lines[first...].first { $0.hasPrefix("Rss:") }).split(separator: " ")[1]
        return (range[0], range[1], try #require(Int(resident)))
    }

    @Test func whatOnlyTheStartHasRunIsLetGoOnce() async {
        await #expect(processExitsWith: .success) {
            func touch() throws -> Int {
                let code = try CodePagesTests.code()
                var sum: UInt8 = 0
                for page in stride(from: code.start, to: code.end, by: 4096) {
                    sum &+= UnsafePointer<UInt8>(bitPattern: page)?.pointee ?? 0
                }
                withExtendedLifetime(sum) {}
                return try CodePagesTests.code().resident
            }
            let all = try touch()
            var pages = CodePages()
            pages.letGo(where: false)
            let kept = try CodePagesTests.code().resident
            #expect(kept >= all)
            pages.letGo(where: true)
            let left = try CodePagesTests.code().resident
            #expect(left < all / 4, "\(left) KB of \(all)")
            let again = try touch()
            pages.letGo(where: true)
            let second = try CodePagesTests.code().resident
            #expect(again >= all && second >= all)
        }
    }
}
