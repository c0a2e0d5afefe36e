import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// Files of ftp and sftp servers.
struct FileServerTests {
    private static let size = 3_000_000
    private let loop = TransferLoop()
    private let bytes = TestOrigin.pattern(0..<size)

    private func server(_ change: (inout FileServer.Habits) -> Void = { _ in }) throws -> FileServer {
        var habits = FileServer.Habits()
        change(&habits)
        return try FileServer(["film.mkv": bytes, "empty": []], habits)
    }

    private func reader(_ address: String) throws -> HTTPReader {
        var options = Web.options
        options.ringSize = 256 << 10
        options.netrcFile = "/dev/null"
        return try HTTPReader(address, options: options, loop: loop, jitter: { 0 })
    }

    @Test func aFileOfFTPIsReadAndSought() throws {
        let server = try server()
        let reader = try reader(server.address + "/films/film.mkv")
        try reader.open()
        #expect(reader.size == Int64(Self.size) && reader.isSeekable && !reader.traits.isLocal)
        #expect(try read(reader, 1000) == Array(bytes[..<1000]))
        try reader.seek(to: 2_500_000)
        #expect(try read(reader, 1_000_000) == Array(bytes[2_500_000...]))
        try reader.seek(to: 1000)
        #expect(try readAll(reader, piece: 100_000) == Array(bytes[1000...]))
        #expect(server.commands.contains("REST 2500000") && server.commands.contains("CWD films"))
        // Names and passwords nobody has given.
        #expect(server.commands.contains("USER anonymous"))
    }

    @Test func nameAndPasswordOfTheAddressAreUsed() throws {
        let server = try server { $0.account = "me:p@ss" }
        let address = server.address.replacingOccurrences(of: "//", with: "//me:p%40ss@")
        #expect(try readAll(reader(address + "/film.mkv"), piece: 100_000) == bytes)
        #expect(throws: IOReaderError.network(NetworkFault(.denied))) { try reader(server.address + "/film.mkv").open() }
    }

    /// As often as its transfers are cut, and no byte more or less.
    @Test func aTransferThatBreaksOffGoesOnAtTheByte() throws {
        let server = try server { $0.drop = 400_000 }
        #expect(try readAll(reader(server.address + "/film.mkv"), piece: 100_000) == bytes)
        #expect(server.commands.filter { $0.hasPrefix("REST") } == (1...7).map { "REST \($0 * 400_000)" })
    }

    @Test func anotherFileAtThePlaceIsSaid() throws {
        let server = try server {
            $0.drop = 400_000
            $0.changesAt = 3
        }
        #expect(throws: IOReaderError.network(NetworkFault(.changed))) {
            try readAll(reader(server.address + "/film.mkv"), piece: 100_000)
        }
        #expect(server.transfers == 3)
    }

    @Test func aServerWithoutSizesIsReadForward() throws {
        let server = try server { $0.knowsSizes = false }
        let reader = try reader(server.address + "/film.mkv")
        try reader.open()
        #expect(reader.size == nil && !reader.isSeekable)
        #expect(try readAll(reader, piece: 100_000) == bytes)
    }

    @Test func whatIsNotThereAndWhatIsEmptyAreToldApart() throws {
        let server = try server()
        #expect(throws: IOReaderError.network(NetworkFault(.missing))) { try reader(server.address + "/none").open() }
        let empty = try reader(server.address + "/empty")
        try empty.open()
        #expect(empty.size == 0)
        #expect(try readAll(empty, piece: 100) == [])
    }

    @Test(arguments: [
        ("ftp://host/a.mkv", "ftp", 21), ("ftps://host/a.mkv", "ftps", 990), ("sftp://host/a.mkv", "sftp", 22),
        ("dav://host/a.mkv", "http", 80), ("davs://host:444/a.mkv", "https", 444),
    ])
    func addressesOfFilesAreKnown(_ text: String, _ scheme: String, _ port: Int) throws {
        #expect(HTTPReader.opens(text) && HTTPReader.reads(text) == text.hasPrefix("dav"))
        #expect(try #require(WebAddress(text)).origin == WebOrigin(scheme: scheme, host: "host", port: port))
    }

    @Test func nothingOnTheWebLeadsToThem() throws {
        let web = try #require(WebAddress("http://host/list")), files = try #require(WebAddress("ftp://host/list"))
        for text in ["ftp://host/x", "sftp://host/x", "ftps://host/x", "file:///x"] { #expect(web.resolved(text) == nil) }
        #expect(files.resolved("film.mkv")?.text == "ftp://host/film.mkv" && files.resolved("ftp://other/x") == nil)
        for code in [301, 302, 307] {
            let answer = HTTPAnswer(HTTPHead(status: code, fields: ["location": "ftp://host/x"]), asked: 0, known: nil)
            guard case .redirect(let target) = answer else { throw IOReaderError.closed }
            guard case .failure = RedirectPolicy.next(from: web, to: target, hops: 0) else { throw IOReaderError.closed }
        }
    }

    @Test(arguments: [
        (0 as Int64, 100 as Int64, 206, "bytes 0-99/100"), (40, 60, 206, "bytes 40-99/100"), (100, 0, 416, "bytes */100"),
        (0, 0, 200, nil), (0, -1, 200, nil), (1, Int64.max, 200, nil),
    ])
    func whatAServerSaysOfAFileIsAHead(_ asked: Int64, _ length: Int64, _ status: Int, _ range: String?) {
        let head = FileHead.head(asked: asked, length: length, change: 7)
        #expect(head.status == status && head.fields["content-range"] == range && head.validator == "@7")
    }

    @Test(.enabled(if: SecureShellServer.isAvailable, "no sshd or ssh-keygen here: scripts/setup.sh test installs them"))
    func aFileOfSFTPIsReadAndSought() throws {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: folder.url.appending(path: "film.mkv"))
        let server = try SecureShellServer()
        var options = Web.options
        options.ringSize = 256 << 10
        options.sshFolder = server.folder
        let address = server.address + folder.path("film.mkv")
        let reader = try HTTPReader(address, options: options, loop: loop, jitter: { 0 })
        try reader.open()
        #expect(reader.size == Int64(Self.size) && reader.isSeekable)
        #expect(try read(reader, 1000) == Array(bytes[..<1000]))
        try reader.seek(to: 2_500_000)
        #expect(try read(reader, 1_000_000) == Array(bytes[2_500_000...]))
        reader.close()
        // A server that nobody knows is not trusted.
        options.sshFolder = folder.url.path
        // On a connection of its own: that of the other reader would be used again.
        let stranger = try HTTPReader(address, options: options, loop: TransferLoop(), jitter: { 0 })
        do {
            try stranger.open()
            Issue.record("an unknown host was trusted")
        } catch {
            guard case .network(let fault) = error else { throw error }
            #expect(fault.kind == .hostKey, "\(fault)")
        }
    }
}
