import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// Files of web servers that are kept between runs. Each reader here has a loop of its own, as in another program.
struct DiskCacheTests {
    private let web: Web
    private let folder: TemporaryFolder
    private static let size = 1_000_000

    init() throws {
        web = try Web(size: Self.size)
        folder = try TemporaryFolder()
    }

    private func options(limit: Int64 = 100_000_000) -> HTTPOptions {
        var options = Web.options
        options.netrcFile = folder.path("netrc")
        // A transfer that is far ahead would come over gaps by itself, or not, as threads happen to run.
        options.ringSize = 64 << 10
        options.diskCache = DiskCacheOptions(directory: folder.path("web"), limit: limit)
        return options
    }

    /// One viewing, from the first byte to the last.
    @discardableResult
    private func view(_ path: String, _ options: HTTPOptions? = nil) throws -> [UInt8] {
        let reader = try HTTPReader(
            web.origin.address + path, options: options ?? self.options(), loop: TransferLoop(), jitter: { 0 })
        defer { reader.close() }
        return try readAll(reader, piece: 50_000)
    }

    private func files() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path("web")) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path("web")).sorted()
    }

    private var wanted: [UInt8] { TestOrigin.pattern(0..<Self.size) }
    private func sent(_ index: Int) -> Int { web.origin.requests[index].sent }

    @Test(arguments: ["/~etag=a/film", "/~modified=1/film", "/~etag=a,redir=2/film"])
    func theSecondViewingIsOneConditionalRequest(_ path: String) throws {
        #expect(try view(path) == wanted)
        let before = web.origin.requests.count
        #expect(try view(path) == wanted)
        let requests = web.origin.requests[before...]
        #expect(requests.filter { $0.status == 304 }.count == 1 && requests.allSatisfy { $0.sent < 100 })
        #expect(requests.count == before)
        let last = try #require(requests.last)
        #expect(last.status == 304 && (last.fields["if-none-match"] ?? last.fields["if-modified-since"]) != nil)
    }

    @Test func theDirectoryIsThatOfTheEnvironment() {
        #expect(DiskCacheOptions.directory(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/aether-tui/web")
        #expect(DiskCacheOptions.directory(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/aether-tui/web")
        #expect(DiskCacheOptions.directory([:]) == nil)
    }

    @Test func filesAndDirectoryAreForTheirOwnerAlone() throws {
        try view("/~etag=a/film")
        let names = try files()
        #expect(names.count == 2 && names.allSatisfy { !$0.contains("film") })
        for name in names + [""] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("web") + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == (name.isEmpty ? 0o700 : 0o600))
        }
    }

    /// no-store stands in the first of two lines.
    @Test(arguments: ["/~etag=a,nostore/film", "/film", "/~modified=1,young/film", "/~etag=a,norange/film"])
    func nothingIsKeptOf(_ path: String) throws {
        #expect(try view(path) == wanted)
        #expect(try files() == [])
    }

    @Test func nothingIsKeptOfRequestsWithCredentials() throws {
        var headers = options(), cookies = options(), insecure = options(), hosts = options()
        headers.headers = ["Authorization": "Bearer abc"]
        cookies.cookieFile = "/dev/null"
        insecure.trustsAnybody = true
        hosts.hosts = [try #require(HTTPHostOptions("127.0.0.1"))]
        hosts.hosts[0].headers = ["X-Token": "abc"]
        for options in [headers, cookies, insecure, hosts] { try view("/~etag=a/film", options) }
        let named = web.origin.address.replacingOccurrences(of: "//", with: "//me:secret@") + "/~etag=a/film"
        let reader = try HTTPReader(named, options: options(), loop: TransferLoop())
        _ = try readAll(reader, piece: 50_000)
        try "machine 127.0.0.1 login me password secret".write(toFile: folder.path("netrc"), atomically: true, encoding: .utf8)
        try view("/~etag=a/film")
        #expect(try files() == [])
        var harmless = options()
        harmless.netrcFile = folder.path("none")
        harmless.headers = ["Accept-Language": "de"]
        try view("/~etag=a/film", harmless)
        #expect(try files().count == 2)
    }

    @Test func anotherFileAtThePlaceIsNeverMixedWithTheOld() throws {
        let path = "/~etag=a,change=2,flip/film"
        #expect(try view(path) == wanted)
        let old = try files()
        let other = wanted.map { ~$0 }
        #expect(try view(path) == other)
        #expect(web.origin.requests.count == 2 && sent(1) == Self.size)
        // The old one is gone, and the new one is held.
        #expect(try files().count == 2 && Set(files()).isDisjoint(with: old))
        #expect(try view(path) == other)
        #expect(web.origin.requests.count == 3 && sent(2) == 0)
    }

    @Test func aPartThatIsHeldIsNotAskedForAgain() throws {
        let reader = try HTTPReader(web.origin.address + "/~etag=a/film", options: options(), loop: TransferLoop())
        try reader.seek(to: 200_000)
        #expect(try read(reader, 600_000) == TestOrigin.pattern(200_000..<800_000))
        reader.close()
        let before = web.origin.requests.count
        #expect(try view("/~etag=a/film") == wanted)
        // Blocks of 64 KB from 262 144 to 786 432.
        let asked = web.origin.requests[before...].map { $0.offset }
        #expect(asked == [0, 0, 786_432])
    }

    @Test func whatACrashOrADiskHasSpoiltIsAskedForAgain() throws {
        try view("/~etag=a/film")
        let names = try files()
        let data = folder.path("web") + "/" + names[0], index = folder.path("web") + "/" + names[1]
        var bytes = try Data(contentsOf: URL(filePath: data))
        bytes[70_000] ^= 1
        try bytes.write(to: URL(filePath: data))
        var records = try Data(contentsOf: URL(filePath: index))
        records.removeLast(5)
        try records.write(to: URL(filePath: index))
        // Written anew by Foundation, they have its mode.
        for path in [data, index] { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
        let before = web.origin.requests.count
        #expect(try view("/~etag=a/film") == wanted)
        #expect(web.origin.requests[before...].compactMap { $0.offset } == [0, 65_536, 983_040])
        #expect(try view("/~etag=a/film") == wanted)
        #expect(web.origin.requests.count == before + 4 && sent(before + 3) == 0)
    }

    @Test func theOldestGoesFirstAndTheLimitHolds() throws {
        for name in ["a", "b", "c", "d"] { try view("/~etag=\(name)/film", options(limit: 2_500_000)) }
        let sum = try files().reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("web") + "/" + name)
            return sum + (attributes[.size] as? Int ?? 0)
        }
        #expect(sum <= 2_500_000)
        var before = web.origin.requests.count
        try view("/~etag=d/film", options(limit: 2_500_000))
        #expect(web.origin.requests.count == before + 1 && sent(before) == 0)
        before = web.origin.requests.count
        try view("/~etag=a/film", options(limit: 2_500_000))
        #expect(sent(before) == Self.size)
    }

    @Test func aFileThatIsLargerThanTheCacheIsHeldInPart() throws {
        #expect(try view("/~etag=a/film", options(limit: 600_000)) == wanted)
        let data = try #require(try files().first)
        let size = try FileManager.default.attributesOfItem(atPath: folder.path("web") + "/" + data)[.size] as? Int
        #expect((size ?? 0) > 100_000 && (size ?? 0) <= 600_000)
        #expect(try view("/~etag=a/film", options(limit: 600_000)) == wanted)
    }

    @Test func twoPlayersAtOnceReadWhatIsThere() throws {
        let path = web.origin.address + "/~etag=a/film"
        let readers = try (0..<2).map { _ in try HTTPReader(path, options: options(), loop: TransferLoop(), jitter: { 0 }) }
        var found: [[UInt8]] = [[], []]
        while found[1].count < Self.size {
            for index in 0..<2 { found[index] += try read(readers[index], 30_000 + index * 10_000) }
        }
        #expect(found[1] == wanted && found[0] == Array(wanted.prefix(found[0].count)))
        let before = web.origin.requests.count
        #expect(try view("/~etag=a/film") == wanted)
        #expect(sent(before) == 0 && web.origin.requests.count == before + 1)
    }

    @Test func linksAndFilesOfOthersAreNotUsed() throws {
        try view("/~etag=a/film")
        let data = folder.path("web") + "/" + (try files())[0]
        try FileManager.default.removeItem(atPath: data)
        try Data("kept".utf8).write(to: folder.url.appending(path: "victim"))
        try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: folder.path("victim"))
        #expect(try view("/~etag=a/film") == wanted)
        #expect(try String(contentsOfFile: folder.path("victim"), encoding: .utf8) == "kept")
    }

    @Test func anyBytesAreAnIndexOrNone() throws {
        var index = try #require(CacheIndex(size: 200_000, validator: "\"a\""))
        let records = CacheIndex.record(of: 0, sum: 7) + CacheIndex.record(of: 3, sum: 9) + CacheIndex.record(of: 4, sum: 9)
        index.sums = [0: 7, 3: 9]
        // Block 4 lies behind the file.
        #expect(CacheIndex(index.head + records) == index)
        var random = SeededRandom(seed: 3)
        for _ in 0..<3000 {
            var bytes = index.head + records
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            if let read = CacheIndex(bytes) {
                #expect(read.size == 200_000 && read.sums.keys.allSatisfy { [0, 3].contains($0) })
            }
        }
        #expect(CacheIndex(size: 0, validator: "a") == nil && CacheIndex(size: 1, validator: "\n") == nil)
        #expect(CacheIndex(size: .max, validator: "a") == nil)
    }
}
