import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// Who is trusted, and who gets to see what was meant for another: with servers that others made.
@Suite(.enabled(if: SecureServer.isAvailable, "no nginx or openssl here"))
struct TrustTests {
    private let folder: TemporaryFolder
    private static let bytes = TestOrigin.pattern(0..<100_000)

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.bytes).write(to: folder.url.appending(path: "film"))
        // Its workers are nobody, and want to read it.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("film"))
    }

    private func kind(_ address: String, _ options: HTTPOptions) throws -> NetworkFault.Kind? {
        do {
            #expect(try readAll(HTTPReader(address, options: options, loop: TransferLoop()), piece: 64 << 10) == Self.bytes)
            return nil
        } catch IOReaderError.network(let fault) {
            return fault.kind
        }
    }

    /// Its authority is trusted: what is wrong is its time, or its name.
    @Test(arguments: [SecureServer.Certificate.expired, .misnamed])
    func aCertificateOfAnotherTimeOrNameIsRefused(_ certificate: SecureServer.Certificate) throws {
        let server = try SecureServer(folder.url, certificate)
        var options = HTTPOptions()
        options.caFile = server.certificate
        #expect(try kind(server.address + "/film", options) == .certificate)
        #expect(server.log.isEmpty, "something was asked for: \(server.log)")
        options.trustsAnybody = true
        #expect(try kind(server.address + "/film", options) == nil)
    }

    @Test func aClientsCertificateIsShownToItsOwnServerAlone() throws {
        let far = try SecureServer(folder.url), near = try SecureServer(folder.url, other: far.address)
        // The other one would take it, too: what it gets to see is decided here.
        let authorities = folder.path("authorities")
        try Data(both([near.certificate, far.certificate]).utf8).write(to: URL(filePath: authorities))
        var options = HTTPOptions()
        options.caFile = authorities
        #expect(try kind(near.address + "/vouched/film", options) == .status(403))
        options.clientCertificate = near.clientCertificate
        #expect(try kind(near.address + "/vouched/film", options) == nil)
        let shown = near.trustLog(of: 2)
        #expect(shown.last?.contains("cert=SUCCESS") == true, "\(shown)")
        #expect(try kind(near.address + "/other/film", options) == nil)
        #expect(far.trustLog(of: 1) == ["/film cert=NONE cookie=-"])
    }

    @Test func aCookieOfTheFileGoesWhereItSaysAndNowhereElse() throws {
        let far = try SecureServer(folder.url),
            near = try SecureServer(folder.url, other: far.address.replacing("127.0.0.1", with: "localhost"))
        let cookies = folder.path("cookies")
        try Data("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tTRUE\t0\tid\thunter2\n".utf8).write(
            to: URL(filePath: cookies))
        var options = HTTPOptions()
        (options.cookieFile, options.trustsAnybody) = (cookies, true)
        #expect(try kind(near.address + "/other/film", options) == nil)
        #expect(near.trustLog(of: 1) == ["/other/film cert=NONE cookie=id=hunter2"])
        #expect(far.trustLog(of: 1) == ["/film cert=NONE cookie=-"])
    }

    private func both(_ paths: [String]) throws -> String {
        try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
    }

    @Test(.enabled(if: SecureFileServer.isAvailable, "no python3 or openssl here"))
    func aFileOfFTPSIsReadAndSoughtAndItsServerMustBeTrusted() throws {
        let server = try SecureFileServer(folder.url.appending(path: "film"))
        var options = HTTPOptions()
        options.netrcFile = "/dev/null"
        #expect(try kind(server.address + "/film", options) == .certificate)
        #expect(server.commands.isEmpty, "something was said to a stranger: \(server.commands)")
        options.caFile = server.certificate
        let reader = try HTTPReader(server.address + "/film", options: options, loop: TransferLoop())
        try reader.open()
        #expect(reader.size == 100_000 && reader.isSeekable)
        try reader.seek(to: 70_000)
        #expect(try readAll(reader, piece: 10_000) == Array(Self.bytes[70_000...]))
        #expect(server.commands.contains("PROT P"), "\(server.commands)")
    }
}
