import AetherTestSupport
import Foundation
import Testing

/// `aetherctl download` from outside: killed anywhere, and started again.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct DownloadTests {
    private let folder: TemporaryFolder
    private static let count = 12

    init() throws { folder = try TemporaryFolder() }

    private static func size(_ number: Int) -> Int { 300_000 + number * 1000 }

    private func origin() throws -> TestOrigin {
        let list = (0..<Self.count).map { "#EXTINF:2,\ns\($0).ts\n" }.joined()
        var files: [String: TestOrigin.Content] = [
            "/l.m3u8": .bytes(Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(list)#EXT-X-ENDLIST\n".utf8)),
            "/film.mp4": .pattern(20_000_000),
        ]
        for number in 0..<Self.count { files["/s\(number).ts"] = .pattern(Self.size(number)) }
        return try TestOrigin(files)
    }

    /// The segments that the journal has, by the names that their server has for them.
    private func finished(_ package: String) throws -> Set<String> {
        guard let text = try? String(contentsOfFile: package + "/journal.log", encoding: .utf8) else { return [] }
        let numbers = text.matches(of: #/"number":"([0-9]+)"/#).map { String($0.output.1) }
        return Set(numbers.map { "/s\($0).ts" })
    }

    /// Starts a download and kills it when the server has sent so many bytes.
    private func kill(_ address: String, _ package: String, _ origin: TestOrigin, after bytes: Int) throws {
        let process = Process(), before = origin.requests.count
        process.executableURL = URL(filePath: try #require(Programs.control))
        process.arguments = ["download", address, "-o", package]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(origin.wait { requests in requests.dropFirst(before).reduce(0) { $0 + $1.sent } >= bytes })
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test(arguments: 1...5) func aKilledDownloadFetchesNothingTwiceThatWasFinished(_ seed: Int) throws {
        let origin = try origin(), package = folder.path("p"), all = (0..<Self.count).reduce(0) { $0 + Self.size($1) }
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<4 {
            let kept = try finished(package), before = origin.requests.count
            let left = all - kept.reduce(0) { $0 + Self.size(Int($1.filter(\.isNumber)) ?? 0) }
            if left == 0 { break }
            try kill(origin.address + "/l.m3u8", package, origin, after: Int(random.next() % UInt64(left)))
            #expect(origin.requests.dropFirst(before).allSatisfy { !kept.contains($0.target) })
        }
        let kept = try finished(package), before = origin.requests.count
        let command = try Command([#require(Programs.control), "download", origin.address + "/l.m3u8", "-o", package])
        #expect(command.status == 0 && command.standardError == "", "\(command.standardError)")
        let asked = origin.requests.dropFirst(before).map(\.target).filter { $0.hasSuffix(".ts") }
        #expect(kept.isDisjoint(with: asked))
        for number in 0..<Self.count {
            let bytes = try Data(contentsOf: URL(filePath: package + "/r1/s\(number).ts"))
            #expect([UInt8](bytes) == TestOrigin.pattern(0..<Self.size(number)))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: package + "/r1")
        #expect(names.count == Self.count + 1, "\(names)")
    }

    @Test(arguments: [1_000, 9_000_000, 19_000_000]) func aKilledFileGoesOnBehindItsLastPiece(_ bytes: Int) throws {
        let origin = try origin(), package = folder.path("p")
        try kill(origin.address + "/film.mp4", package, origin, after: bytes)
        let before = origin.requests.count, kept = try piece(package)
        let command = try Command([#require(Programs.control), "download", origin.address + "/film.mp4", "-o", package])
        #expect(command.status == 0, "\(command.standardError)")
        #expect(try [UInt8](Data(contentsOf: URL(filePath: package + "/media.mp4"))) == TestOrigin.pattern(0..<20_000_000))
        // The last byte that is there is asked for again, to see that the file is the same.
        let sent = origin.requests.dropFirst(before).reduce(0) { $0 + $1.sent }
        #expect(sent <= 20_000_000 - max(0, kept - 1), "\(sent) behind \(kept)")
    }

    /// The bytes of the file that the journal has.
    private func piece(_ package: String) throws -> Int {
        guard let text = try? String(contentsOfFile: package + "/journal.log", encoding: .utf8) else { return 0 }
        return text.split(separator: "\n").last.flatMap { $0.firstMatch(of: #/"size":"?([0-9]+)/#) }.flatMap { Int($0.output.1) }
            ?? 0
    }

    /// Two films of one file name, one after the other, in one directory, and the first one once more.
    @Test func aDownloadLeavesThatOfAnotherSourceAlone() throws {
        let origin = try TestOrigin(["/a/film.mp4": .bytes([1, 2, 3]), "/b/film.mp4": .bytes([4, 5, 6])])
        let control = try #require(Programs.control)
        for path in ["/a/film.mp4", "/b/film.mp4", "/a/film.mp4"] {
            let command = try Command(
                ["sh", "-c", "cd \"$1\" && exec \"$2\" download \"$3\"", "sh", folder.url.path, control, origin.address + path])
            #expect(command.status == 0, "\(command.standardError)")
        }
        let found = try ["film.aepkg", "film 2.aepkg"].map { name in
            try [UInt8](Data(contentsOf: URL(filePath: folder.path(name + "/media.mp4"))))
        }
        #expect(found == [[1, 2, 3], [4, 5, 6]])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".aepkg") }.count == 2)
    }

    @Test func aPlanAloneFetchesNothing() throws {
        let origin = try origin()
        let command = try Command([#require(Programs.control), "download", "--dry-run", origin.address + "/l.m3u8"])
        #expect(command.status == 0 && command.standardOutput.contains("\"event\":\"rendition\""))
        #expect(origin.requests.map(\.target) == ["/l.m3u8"])
    }

    @Test func anErrorOfAWishHasACaret() throws {
        let command = try Command([#require(Programs.control), "download", "--primary", "heigt < 3", "x"])
        #expect(command.status == 64 && command.standardError.contains("--primary: unknown key path ‘heigt’"))
    }
}
