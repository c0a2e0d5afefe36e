import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// The servers that a document of a web server may reach, and the options that are sent to them.
@Suite struct WebDocumentTests {
    private func fault(_ body: () throws -> HTTPReader) -> NetworkFault.Kind? {
        do {
            _ = try body()
            return nil
        } catch IOReaderError.network(let fault) {
            return fault.kind
        } catch {
            return .other
        }
    }

    private func named(_ reader: HTTPReader, _ address: String) throws -> HTTPReader {
        try reader.openNamed(address, attach: { _ in }, detach: { _ in })
    }

    /// As the document of a public server would have it.
    private func publicDocument(_ web: Web) throws -> HTTPOptions {
        var options = Web.options
        let origin = try #require(WebAddress("http://films.example.org/")).origin
        options.document = Provenance(origin: origin, isPrivate: false, user: nil, password: nil, isSecure: false)
        return options
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func aPublicDocumentReachesNoPrivateAddressWhateverItsName(_ host: String) throws {
        let web = try Web()
        let port = try #require(web.origin.address.split(separator: ":").last)
        let address = "http://\(host):\(port)/film"
        let options = try publicDocument(web)
        #expect(fault { try open(address, options, web) } == .privateAddress)
        #expect(web.origin.requests.isEmpty)
        var allowed = options
        allowed.allowsLAN = true
        #expect(fault { try open(address, allowed, web) } == nil)
    }

    private func open(_ address: String, _ options: HTTPOptions, _ web: Web) throws -> HTTPReader {
        let reader = try HTTPReader(address, options: options, loop: web.loop, jitter: { 0 })
        try reader.open()
        return reader
    }

    @Test func aPrivateDocumentReachesItsNeighbours() throws {
        let web = try Web()
        let document = try web.opened("/small")
        #expect(document.isPrivate)
        #expect(try readAll(named(document, "film"), piece: 100_000).count == 5_000_000)
        #expect(try readAll(named(document, web.origin.address + "/small")) == Array("small".utf8))
    }

    @Test(arguments: [
        "file:///etc/passwd", "concat:a|b", "subfile,,start,0,,:x", "data:text/plain,x", "pipe:0", "ftp://host/x",
        "/dev/null\u{0}",
    ])
    func nothingButWebAddressesIsNamed(_ address: String) throws {
        let web = try Web()
        let document = try web.opened("/small")
        let kind = fault { try named(document, address) }
        #expect(kind == .invalidAddress || kind == .status(404), "\(String(describing: kind))")
        // A name that looks like a path is one of the document's own server.
        #expect(web.origin.requests.allSatisfy { $0.target.hasPrefix("/") })
    }

    @Test func headersAndNamesGoToTheDocumentsServerAlone() throws {
        let web = try Web(), other = try Web()
        var options = Web.options
        options.headers = ["X-Token": "secret"]
        let address = web.origin.address.replacing("http://", with: "http://ann:pass@")
        let document = try HTTPReader(address + "/small", options: options, loop: web.loop, jitter: { 0 })
        try document.open()
        _ = try named(document, "film")
        _ = try named(document, other.origin.address + "/film")
        let own = try #require(web.origin.requests.last), foreign = try #require(other.origin.requests.last)
        #expect(own.fields["x-token"] == "secret" && own.fields["authorization"] == "Basic YW5uOnBhc3M=")
        #expect(foreign.fields["x-token"] == nil && foreign.fields["authorization"] == nil)
    }

    @Test func aPasswordIsProvedByADigestAndNotSent() throws {
        let web = try Web()
        let address = web.origin.address.replacing("http://", with: "http://ann:hunter2@") + "/~digest/film"
        let reader = try HTTPReader(address, options: Web.options, loop: web.loop, jitter: { 0 })
        #expect(try readAll(reader, piece: 100_000).count == 5_000_000)
        let last = try #require(web.origin.requests.last?.fields["authorization"])
        #expect(last.hasPrefix("Digest ") && last.contains("username=\"ann\"") && !last.contains("hunter2"))
        // From then on it is known of the server: the question, and the answer to it.
        let before = web.origin.requests.count
        try reader.seek(to: 3_000_000)
        _ = try read(reader, 1000)
        #expect(web.origin.requests.count - before <= 2)
    }

    @Test func namesAndPasswordsOfTheNetrcGoToTheirHostAlone() throws {
        let web = try Web(), folder = try TemporaryFolder()
        let path = folder.path("netrc")
        try Data("machine 127.0.0.1 login ann password hunter2\n".utf8).write(to: URL(filePath: path))
        var options = Web.options
        options.netrcFile = path
        #expect(try readAll(open(web.origin.address + "/~auth/small", options, web)) == Array("small".utf8))
        #expect(web.origin.requests.last?.fields["authorization"] == "Basic YW5uOmh1bnRlcjI=")
        try Data("machine elsewhere login ann password hunter2\n".utf8).write(to: URL(filePath: path))
        #expect(fault { try open(web.origin.address + "/~auth/small", options, web) } == .status(401))
        #expect(web.origin.requests.last?.fields["authorization"] == nil)
    }

    @Test func whatASecureDocumentNamesIsSecure() throws {
        let web = try Web()
        var options = Web.options
        options.document = Provenance(
            origin: try #require(WebAddress("https://films.example.org/")).origin, isPrivate: true, user: nil, password: nil,
            isSecure: true)
        let document = try open(web.origin.address + "/small", options, web)
        #expect(fault { try named(document, "film") } == .redirection)
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:1,\na.ts\n", WebContent.document), ("ffconcat version 1.0\nfile a\n", .script),
        ("v=0\r\no=- 1 1\r\n", .script),
        ("<?xml version=\"1.0\"?><MPD></MPD>", .document), ("<html>", .page), ("\u{1A}E", .media),
    ])
    func documentsAreToldByTheirContent(_ text: String, _ content: WebContent) {
        #expect(WebContent(Array(text.utf8)) == content)
    }
}
