import AetherCore
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherSources

/// A reader and its server, each of its own.
struct Web {
    let origin: TestOrigin
    let loop = TransferLoop()

    /// Serves a pattern of so many bytes as /film.
    init(size: Int = 5_000_000) throws {
        origin = try TestOrigin(["/film": .pattern(size), "/empty": .bytes([]), "/small": .bytes(Array("small".utf8))])
    }

    /// Without pauses between attempts: tests count attempts, not time.
    static var options: HTTPOptions {
        var options = HTTPOptions()
        options.opening.first = .zero
        options.reading.first = .zero
        // Less than the files: whether a transfer has reached their end by itself is up to the threads.
        options.ringSize = 1 << 20
        return options
    }

    func reader(_ path: String, _ options: HTTPOptions = Web.options) throws -> HTTPReader {
        try HTTPReader(origin.address + path, options: options, loop: loop, jitter: { 0 })
    }

    /// Offsets that were asked for, in order; -1 for a request for all.
    var asked: [Int] { origin.requests.map { $0.offset ?? -1 } }

    func opened(_ path: String, _ options: HTTPOptions = Web.options) throws -> HTTPReader {
        let reader = try reader(path, options)
        try reader.open()
        return reader
    }

    func fault(_ path: String, _ options: HTTPOptions = Web.options) throws -> NetworkFault.Kind? {
        do {
            _ = try readAll(opened(path, options), piece: 100_000)
            return nil
        } catch IOReaderError.network(let fault) {
            return fault.kind
        }
    }
}

func read(_ reader: any IOReader, _ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
        let wanted = count - bytes.count
        let found = try room.withUnsafeMutableBytes { try reader.read(UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted])) }
        if found == 0 { break }
        bytes += room[..<found]
    }
    return bytes
}

@Suite struct HTTPReaderTests {
    private let size = 5_000_000
    private static let whole = TestOrigin.pattern(0..<5_000_000)
    private var all: [UInt8] { Self.whole }

    // MARK: - Reading

    @Test(arguments: [
        "/film", "/~norange/film", "/~chunked/film", "/~unbounded/film", "/~whole/film", "/~close/film", "/~etag=a/film",
    ])
    func allBytesComeInOneRequest(_ path: String) throws {
        let web = try Web()
        let reader = try web.opened(path)
        #expect(try readAll(reader, piece: 70_000) == all)
        #expect(try readAll(reader) == [])
        #expect(web.asked == [0])
    }

    @Test func whatItIsIsKnownWhenItIsOpen() throws {
        let web = try Web()
        for (path, size, isSeekable) in [
            ("/film", Int64(5_000_000), true), ("/~whole/film", 5_000_000, true), ("/~norange/film", 5_000_000, false),
            ("/empty", 0, true), ("/~unbounded,norange/film", nil, false), ("/~chunked,norange/film", nil, false),
        ] {
            let reader = try web.opened(path)
            #expect(reader.size == size && reader.isSeekable == isSeekable, "\(path) \(String(describing: reader.size))")
        }
    }

    /// The second file is asked for as a whole, also where it is read from its middle on.
    @Test func aServerWithoutPartsIsFoundOutOnce() throws {
        let web = try Web()
        #expect(try readAll(web.opened("/~norange/film"), piece: 70_000) == all)
        #expect(try readAll(web.opened("/~norange,a/film"), piece: 70_000) == all)
        let third = try web.reader("/~norange,b/film")
        try third.seek(to: 3_000_000)
        #expect(try read(third, 1000) == Array(all[3_000_000..<3_001_000]) && !third.isSeekable)
        #expect(web.asked == [0, -1, -1])
        // Behind the same address another server says that it knows them.
        let film = try web.opened("/film")
        #expect(film.isSeekable)
        try film.seek(to: 4_000_000)
        #expect(try read(film, 1000) == Array(all[4_000_000..<4_001_000]))
        #expect(web.asked == [0, -1, -1, -1, 4_000_000])
        // Where some files have parts, one without them is not taken for the rule.
        #expect(try !web.opened("/~norange,c/film").isSeekable)
        _ = try web.opened("/~etag=a/film")
        #expect(web.asked == [0, -1, -1, -1, 4_000_000, 0, 0])
    }

    @Test func aShortHopReadsThroughAndALongOneAsks() throws {
        let web = try Web()
        let reader = try web.opened("/film")
        #expect(try read(reader, 1000) == Array(all[..<1000]))
        try reader.seek(to: 200_000)
        #expect(try read(reader, 1000) == Array(all[200_000..<201_000]))
        #expect(web.asked == [0])
        try reader.seek(to: 4_500_000)
        #expect(try read(reader, 1000) == Array(all[4_500_000..<4_501_000]))
        #expect(web.asked == [0, 4_500_000])
    }

    /// As an MP4 with its index at the end is opened: head, index, and on behind the head.
    @Test func theWayToAnIndexAtTheEndAndBackIsTwoRequests() throws {
        let web = try Web(size: 40_000_000)
        let reader = try web.opened("/film")
        #expect(try read(reader, 64 << 10).count == 64 << 10)
        try reader.seek(to: 39_000_000)
        #expect(try readAll(reader, piece: 64 << 10) == TestOrigin.pattern(39_000_000..<40_000_000))
        try reader.seek(to: 64 << 10)
        #expect(try read(reader, 3_000_000) == TestOrigin.pattern(64 << 10..<(64 << 10) + 3_000_000))
        // The tail is held: going there again asks nobody.
        try reader.seek(to: 39_500_000)
        #expect(try readAll(reader, piece: 64 << 10) == TestOrigin.pattern(39_500_000..<40_000_000))
        #expect(web.asked == [0, 39_000_000])
    }

    @Test func aSecondReaderHasTheHeadAlready() throws {
        let web = try Web()
        let first = try web.opened("/film")
        #expect(try read(first, 300_000).count == 300_000)
        let second = try web.opened("/film")
        #expect(second.size == 5_000_000 && second.isSeekable)
        #expect(try read(second, 200_000) == Array(all[..<200_000]))
        let third = try #require(first.makeIndependentReader())
        #expect(try read(third, 200_000) == Array(all[..<200_000]))
        #expect(web.asked == [0])
    }

    @Test func anywhereAtRandomIsTheRightPlace() throws {
        let web = try Web()
        let reader = try web.opened("/~etag=a/film")
        var random = SeededRandom(seed: 3)
        let bytes = all
        for _ in 0..<60 {
            let start = random.below(size), count = 1 + random.below(200_000)
            try reader.seek(to: Int64(start))
            #expect(try read(reader, count) == Array(bytes[start..<min(size, start + count)]))
        }
        #expect(web.origin.requests.dropFirst().allSatisfy { $0.fields["if-range"] == "\"a\"" })
    }

    // MARK: - Servers that go wrong

    @Test(arguments: ["/~drop=700000/film", "/~drop=700000,etag=a/film", "/~drop=700000,chunked/film"])
    func aBodyThatBreaksOffGoesOnAtTheByte(_ path: String) throws {
        let web = try Web()
        #expect(try readAll(web.opened(path), piece: 64 << 10) == all)
        #expect(web.asked == [0, 700_000, 1_400_000, 2_100_000, 2_800_000, 3_500_000, 4_200_000, 4_900_000])
    }

    @Test func aServerWithoutPartsIsReadThroughAgain() throws {
        let web = try Web()
        #expect(try readAll(web.opened("/~norange,etag=a,drop=2000000,drops=2/film"), piece: 64 << 10) == all)
        // Known for what it is, it is not asked for parts any more.
        #expect(web.asked == [0, -1, -1])
    }

    @Test func aServerThatAlwaysBreaksOffAtTheSamePlaceIsGivenUp() throws {
        let web = try Web()
        #expect(try web.fault("/~norange,drop=2000000/film") == .brokeOff)
        #expect(web.origin.requests.count == 4)
    }

    @Test func aConnectionThatEndsWithoutAnAnswerIsToldFromOneThatBreaksOff() throws {
        let web = try Web()
        web.origin.hangUp()
        #expect(try web.fault("/film") == .hungUp)
        web.origin.pickUp()
        #expect(try readAll(web.opened("/film"), piece: 64 << 10) == all)
    }

    @Test(arguments: ["/~fail=503:2/film", "/~fail=429:1/film", "/~fail=500:1,retry=0/film"])
    func aServersTroubleIsOutlasted(_ path: String) throws {
        let web = try Web()
        #expect(try readAll(web.opened(path), piece: 64 << 10) == all)
    }

    @Test(arguments: [
        ("/none", NetworkFault.Kind.status(404), 1), ("/~fail=410/film", .status(410), 1), ("/~fail=403/film", .status(403), 1),
        ("/~fail=400/film", .status(400), 1), ("/~auth/film", .status(401), 1), ("/~fail=503/film", .status(503), 3),
        ("/~badrange=1/film", .badAnswer, 2), ("/~gzip/film", .badAnswer, 3), ("/~endless/film", .badAnswer, 2),
    ])
    func whatCannotBeHadIsSaid(_ path: String, _ kind: NetworkFault.Kind, _ requests: Int) throws {
        let web = try Web()
        #expect(try web.fault(path) == kind)
        #expect(web.origin.requests.count == requests, "\(web.origin.requests)")
    }

    /// As files lie in stores of objects: compressed, whoever asks. Parts of that are no use.
    @Test func whatIsCompressedUnaskedComesUnpacked() throws {
        let text = Array(String(repeating: "#EXTINF:2,\nsegment.ts\n", count: 5000).utf8), folder = try TemporaryFolder()
        try Data(text).write(to: URL(filePath: folder.path("list")))
        #expect(try Command(["gzip", folder.path("list")]).status == 0)
        let origin = try TestOrigin(["/list": .file(folder.path("list.gz")), "/plain": .bytes(text)])
        let reader = try HTTPReader(origin.address + "/~gzip/list", options: Web.options, loop: TransferLoop())
        try reader.open()
        #expect(reader.size == nil && !reader.isSeekable)
        #expect(try readAll(reader, piece: 1000) == text)
        #expect(origin.requests.map { $0.fields["range"] } == ["bytes=0-", nil])
        #expect(origin.requests.map { $0.fields["accept-encoding"]?.contains("gzip") ?? false } == [false, true])
        // A document is asked for so at once, and may come as it is.
        let document = NamedFile(isDocument: true).options(Web.options)
        for path in ["/~gzip/list", "/plain"] {
            #expect(try readAll(HTTPReader(origin.address + path, options: document, loop: TransferLoop()), piece: 1000) == text)
        }
        #expect(origin.requests.count == 4)
    }

    @Test func lengthsThatLieAreFoundOut() throws {
        let web = try Web()
        // Too much in Content-Length: the end is found by asking behind it.
        #expect(try readAll(web.opened("/~norange,length=0/film"), piece: 64 << 10) == all)
        // Another server: this one is known to have no parts.
        let lying = try Web().opened("/~total=1000/film")
        #expect(lying.size == 5_001_000)
        // A part whose bounds reach the end has no more than these.
        #expect(try readAll(web.opened("/~length=1000/film"), piece: 64 << 10) == all)
    }

    @Test func anotherFileIsNotMixedIn() throws {
        let web = try Web()
        let reader = try web.opened("/~etag=a,change=2,drop=1000000/film")
        #expect(try read(reader, 1_000_000) == Array(all[..<1_000_000]))
        #expect(readError(reader) == .network(NetworkFault(.changed)))
        #expect(web.origin.requests.last?.fields["if-range"] == "\"a\"")
    }

    @Test func silenceIsGivenUpAndAskedAgain() throws {
        let web = try Web()
        var options = Web.options
        options.stallLimit = .milliseconds(200)
        // The second request does not stall. A slow machine may take any of them for silent, and asks again.
        options.opening = options.reading
        #expect(try readAll(web.opened("/~stall=100000,stalls=1,etag=a/film", options), piece: 64 << 10) == all)
        #expect(web.asked.count >= 2 && web.asked[0] == 0)
    }

    @Test func nobodyThereIsSaidAtOnce() throws {
        let port = try Web().origin.number
        let loop = TransferLoop()
        func kind(_ url: String) throws -> NetworkFault.Kind? {
            do {
                try HTTPReader(url, options: Web.options, loop: loop).open()
                return nil
            } catch {
                guard case .network(let fault) = error else { throw error }
                return fault.kind
            }
        }
        // The port of a server that has ended.
        #expect(try kind("http://127.0.0.1:\(port)/") == .refused)
        #expect(try kind("http://nobody.invalid/") == .noSuchHost)
        #expect(try kind("http://") == .invalidAddress)
    }

    // MARK: - Redirections

    @Test func redirectionsAreFollowedAndRemembered() throws {
        let web = try Web()
        let reader = try web.opened("/~redir=3/film")
        #expect(try read(reader, 1000) == Array(all[..<1000]))
        try reader.seek(to: 4_000_000)
        #expect(try read(reader, 1000) == Array(all[4_000_000..<4_001_000]))
        #expect(
            web.origin.requests.map(\.target) == [
                "/~redir=3/film", "/~redir=2/film", "/~redir=1/film", "/~redir=0/film", "/~redir=0/film",
            ])
        // The short answers of redirections leave their connection to the next request.
        #expect(web.origin.connectionCount < web.origin.requests.count)
    }

    @Test(arguments: ["/~redir=6/film", "/~to=file:!!!etc!passwd/film", "/~to=ftp:!!127.0.0.1!/film"])
    func redirectionsHaveBounds(_ path: String) throws {
        #expect(try Web().fault(path) == .redirection)
    }

    @Test func whatIsMeantForOneServerGoesToNoOther() throws {
        let web = try Web(), other = try TestOrigin(["/film": .pattern(1000)])
        let target = other.address.replacingOccurrences(of: "/", with: "!") + "!film"
        var options = Web.options
        options.headers = ["X-Token": "hunter2", "Cookie": "a=hunter2"]
        let url = web.origin.address.replacingOccurrences(of: "http://", with: "http://me:hunter2@") + "/~to=\(target)/film"
        let reader = try HTTPReader(url, options: options, loop: web.loop)
        #expect(try readAll(reader) == TestOrigin.pattern(0..<1000))
        let first = try #require(web.origin.requests.first?.fields), second = try #require(other.requests.first?.fields)
        #expect(first["x-token"] == "hunter2" && first["cookie"] == "a=hunter2" && first["authorization"] != nil)
        #expect(!"\(second)".contains("hunter2") && second["authorization"] == nil && second["user-agent"] == "aether-tui")
    }

    /// Portals set a cookie on the way to the file; it goes to that server alone, and to all its files of the session.
    @Test func aCookieThatAServerSetsComesBack() throws {
        let web = try Web(), options = Web.options
        func read(_ address: String, _ options: HTTPOptions) throws -> [UInt8] {
            try readAll(try HTTPReader(address + "/~cookie=hunter2/film", options: options, loop: web.loop), piece: 1 << 20)
        }
        #expect(try read(web.origin.address, options) == all)
        let cookies = { web.origin.requests.map { $0.fields["cookie"] } }
        #expect(cookies().prefix(2) == [nil, "hunter2=1"])
        let count = cookies().count
        #expect(try read(web.origin.address, options) == all)
        #expect(cookies().dropFirst(count).allSatisfy { $0 == "hunter2=1" })
        // Another name is another server.
        let later = cookies().count
        #expect(try read(web.origin.address.replacingOccurrences(of: "127.0.0.1", with: "localhost"), options) == all)
        #expect(cookies()[later] == nil)
        // Another session begins without.
        let last = cookies().count
        #expect(try read(web.origin.address, Web.options) == all)
        #expect(cookies()[last] == nil && !"\(options)".contains("hunter2"))
    }

    /// A redirection to a refusal: two requests, and its sentence.
    @Test func aRefusalBehindARedirectionIsTheEnd() throws {
        let web = try Web()
        #expect(try web.fault("/~to=!nowhere/film") == .status(404))
        #expect(web.origin.requests.count == 2)
    }

    @Test func anAddressThatExpiresIsAskedForAnew() throws {
        let web = try Web(), other = try TestOrigin(["/film": .pattern(5_000_000)])
        let target = other.address.replacingOccurrences(of: "/", with: "!") + "!~drop=1000000!film"
        let reader = try web.opened("/~to=\(target)/film")
        #expect(try readAll(reader, piece: 64 << 10) == all)
        // Each break was mended at the address that the redirection had led to.
        #expect(web.origin.requests.count == 1 && other.requests.count == 5)
    }

    // MARK: - Cancelling

    @Test(arguments: ["/~late/film", "/~stall=1000/film"])
    func cancelEndsAWaitAtOnceAndLosesNothing(_ path: String) throws {
        let web = try Web()
        let reader = try web.reader(path)
        let outcome = Mutex<IOReaderError?>(nil)
        let thread = WorkerThread(name: "web read") {
            while true {
                if let error = readError(reader) { return outcome.withLock { $0 = error } }
            }
        }
        #expect(web.origin.waitForRequests(1))
        reader.cancel()
        thread.join()
        #expect(outcome.withLock { $0 } == .cancelled)
        web.origin.release()
        reader.resume()
        try reader.seek(to: 0)
        #expect(try readAll(reader, piece: 64 << 10) == all)
    }

    @Test func closingGivesConnectionsBack() throws {
        let web = try Web()
        let reader = try web.opened("/~stall=1000/film")
        #expect(try read(reader, 1000).count == 1000)
        reader.close()
        #expect(web.origin.waitForSilence())
        #expect(readError(reader) == .closed)
    }

    @Test func aReaderThatIsLetGoOfGivesItsConnectionsBack() throws {
        let web = try Web()
        _ = try web.opened("/~stall=1000/film")
        #expect(web.origin.waitForSilence())
    }

    @Test func manyReadersLeaveNothingBehind() throws {
        let web = try Web(size: 200_000)
        _ = try readAll(web.opened("/film"))
        for _ in 0..<100 { #expect(try readAll(web.opened("/film"), piece: 64 << 10).count == 200_000) }
        // Read to its end, a file leaves its connection for the next.
        #expect(web.origin.connectionCount == 1)
    }

    @Test func aPrivateAddressIsRefusedWhereItIsNotPermitted() throws {
        let web = try Web()
        final class Sink: TransferSink {
            let end = Monitor<TransferEnd?>(nil)
            func reached(_ step: ConnectionStep, of transfer: Int) {}
            func take(_ head: HTTPHead, from peer: TransferPeer, of transfer: Int) {}
            func take(_ bytes: UnsafeRawBufferPointer, of transfer: Int) -> TransferReceipt { .taken }
            func end(_ end: TransferEnd, of transfer: Int) { self.end.update { $0 = end } }
        }
        let sink = Sink()
        let address = try #require(WebAddress(web.origin.address + "/film"))
        _ = web.loop.start(TransferOrder(address: address, offset: 0, permitsPrivate: false, options: Web.options), sink)
        #expect(sink.end.wait { $0 } == .failed(NetworkFault(.privateAddress)))
        #expect(web.origin.requests.isEmpty)
    }
}
