import AetherCore
import AetherTestSupport
import CCurl
import Glibc
import Testing

@testable import AetherSources

/// The order in which the thread `net` speaks to a sink.
@Suite struct TransferLoopTests {
    private enum Word: Equatable {
        case head, bytes, settled, end
    }

    private final class Sink: TransferSink {
        let words = Monitor<[Word]>([])
        func reached(_ step: ConnectionStep, of transfer: Int) {}
        func take(_ head: HTTPHead, from peer: TransferPeer, of transfer: Int) { words.update { $0.append(.head) } }
        func take(_ bytes: UnsafeRawBufferPointer, of transfer: Int) -> TransferReceipt {
            words.update { $0.append(.bytes) }
            return .taken
        }
        func settled(_ transfer: Int) { words.update { $0.append(.settled) } }
        func end(_ end: TransferEnd, of transfer: Int) { words.update { $0.append(.end) } }
    }

    /// Whoever waits for bytes is not told of each piece, but always of the last one at hand.
    @Test(arguments: ["/film", "/~chunked/film", "/~stall=100000/film"])
    func piecesAreSettledTogetherAndNoneIsForgotten(_ path: String) throws {
        let web = try Web()
        let sink = Sink()
        let address = try #require(WebAddress(web.origin.address + path))
        _ = web.loop.start(TransferOrder(address: address, offset: 0, options: Web.options), sink)
        let isStalled = path.contains("stall")
        // A transfer that stands still is settled, too.
        let words = try #require(
            sink.words.wait(until: SystemTime().now() + .seconds(30)) { words in
                words.last == (isStalled ? .settled : .end) ? words : nil
            })
        #expect(words.first == .head && words.contains(.bytes))
        for (word, next) in zip(words, words.dropFirst()) {
            if word == .settled { #expect(next == .bytes || next == .end) }
            if next == .settled { #expect(word == .bytes) }
        }
        web.origin.release()
    }

    @Test func aHaltedLoopSaysNothingMoreAndEnds() throws {
        let web = try Web(), sink = Sink()
        let address = try #require(WebAddress(web.origin.address + "/~stall=100000/film"))
        do {
            let loop = TransferLoop()
            #expect(loop.halt(until: SystemTime().now()) && !loop.isHalted)
            _ = loop.start(TransferOrder(address: address, offset: 0, options: Web.options), sink)
            #expect(sink.words.wait(until: SystemTime().now() + .seconds(30)) { $0.last == .settled ? true : nil } == true)
            #expect(loop.halt(until: SystemTime().now() + .seconds(30)) && loop.isHalted)
            web.origin.release()
            #expect(loop.halt(until: SystemTime().now() + .seconds(30)))
        }
        #expect(sink.words.read { $0.last } == .settled)
    }

    /// The libraries below libcurl register their own ends with the first transfer, behind the test's: if the loop has halted by then, it had before theirs.
    @Test func theProcessesLoopHaltsBeforeLibrariesAreTakenDown() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit { if TransferLoop.shared.isHalted { _exit(7) } }
            let sink = Sink(), address = try #require(WebAddress("http://127.0.0.1:1/"))
            _ = TransferLoop.shared.start(TransferOrder(address: address, options: Web.options), sink)
            _ = sink.words.wait(until: SystemTime().now() + .seconds(30)) { $0.last == .end ? true : nil }
            exit(1)
        }
    }

    /// Ten files of one server that answers none of them: six connections, and the others wait for their turn.
    @Test func oneServerHasSixConnectionsAtMost() throws {
        let web = try Web(), sinks = (0..<10).map { _ in Sink() }
        let address = try #require(WebAddress(web.origin.address + "/~late/small"))
        for sink in sinks { _ = web.loop.start(TransferOrder(address: address, options: Web.options), sink) }
        #expect(web.origin.waitForRequests(6))
        web.origin.release()
        for sink in sinks {
            #expect(sink.words.wait(until: SystemTime().now() + .seconds(30)) { $0.last == .end ? true : nil } == true)
        }
        #expect(web.origin.requests.count == 10 && web.origin.mostOpenCount == 6)
    }
}
