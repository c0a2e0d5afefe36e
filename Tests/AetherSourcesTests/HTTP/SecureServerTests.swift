import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// TLS and HTTP/2, with a server that others made.
@Suite(.enabled(if: SecureServer.isAvailable, "no nginx or openssl here"))
struct SecureServerTests {
    private let folder: TemporaryFolder
    private let server: SecureServer
    private let loop = TransferLoop()
    private static let bytes = TestOrigin.pattern(0..<3_000_000)

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.bytes).write(to: folder.url.appending(path: "film"))
        // Its workers are nobody, and want to read it.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("film"))
        server = try SecureServer(folder.url)
    }

    private func kind(_ path: String, _ change: (inout HTTPOptions) -> Void) throws -> NetworkFault.Kind? {
        var options = HTTPOptions()
        change(&options)
        do {
            let reader = try HTTPReader(server.address + path, options: options, loop: loop)
            #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
            return nil
        } catch IOReaderError.network(let fault) {
            return fault.kind
        }
    }

    @Test func aCertificateThatNobodyVouchesForIsRefused() throws {
        #expect(try kind("/film") { _ in } == .certificate)
        #expect(try kind("/film") { $0.caFile = server.certificate } == nil)
        #expect(try kind("/film") { $0.trustsAnybody = true } == nil)
        // That of another name is no better.
        var options = HTTPOptions()
        options.caFile = server.certificate
        let other = server.address.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        #expect(throws: IOReaderError.self) { try HTTPReader(other + "/film", options: options, loop: loop).open() }
    }

    @Test func fromHTTPSThereIsNoWayDown() throws {
        #expect(try kind("/down") { $0.caFile = server.certificate } == .redirection)
    }

    @Test func aNameAndAPasswordOpenWhatIsClosed() throws {
        #expect(try kind("/private/film") { $0.caFile = server.certificate } == .status(401))
        var options = HTTPOptions()
        options.caFile = server.certificate
        let address = server.address.replacingOccurrences(of: "//", with: "//me:p%40ss%20word@") + "/private/film"
        let reader = try HTTPReader(address, options: options, loop: loop)
        #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        let wrong = server.address.replacingOccurrences(of: "//", with: "//me:wrong@") + "/private/film"
        #expect(throws: IOReaderError.network(NetworkFault(.status(401)))) {
            try HTTPReader(wrong, options: options, loop: TransferLoop()).open()
        }
    }

    /// Two requests a second: each further one gets 429, and is made again later.
    @Test func aServerThatWantsToBeAskedLessIsAskedLess() throws {
        var options = HTTPOptions()
        options.caFile = server.certificate
        for _ in 0..<3 {
            let reader = try HTTPReader(server.address + "/few/film", options: options, loop: TransferLoop())
            #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        }
        #expect(server.log.contains { $0.contains(" 429 ") }, "\(server.log)")
    }

    /// Where libcurl speaks HTTP/3 the second request offers it to a server that has promised it, and nobody is there.
    @Test func aServerThatPromisesHTTP3AndHasNoneIsReadAllTheSame() throws {
        let loop = TransferLoop()
        var options = HTTPOptions()
        options.caFile = server.certificate
        for _ in 0..<3 {
            let reader = try HTTPReader(server.address + "/newer/film", options: options, loop: loop)
            #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        }
        #expect(server.log.allSatisfy { $0.hasPrefix("HTTP/2") }, "\(server.log)")
        #expect(throws: IOReaderError.network(NetworkFault(.status(404)))) {
            try HTTPReader(server.address + "/newer/missing", options: options, loop: loop).open()
        }
    }

    @Test func aFolderIsAListOfItsFiles() throws {
        var options = HTTPOptions()
        options.caFile = server.certificate
        let reader = try HTTPReader(server.address + "/list/", options: options, loop: loop)
        #expect(try reader.content() == .page)
        let page = String(decoding: try readAll(reader), as: UTF8.self)
        #expect(page.contains("href=\"film\"") && page.contains("3000000"), "\(page)")
    }

    @Test func seeksWorkOverHTTP2() throws {
        var options = HTTPOptions()
        options.caFile = server.certificate
        options.ringSize = 256 << 10
        let reader = try HTTPReader(server.address + "/film", options: options, loop: loop)
        var random = SeededRandom(seed: 11)
        for _ in 0..<30 {
            let start = random.below(Self.bytes.count), count = 1 + random.below(300_000)
            try reader.seek(to: Int64(start))
            #expect(try read(reader, count) == Array(Self.bytes[start..<min(Self.bytes.count, start + count)]))
        }
        reader.close()
        #expect(server.log.allSatisfy { $0.hasPrefix("HTTP/2") }, "\(server.log)")
    }
}
