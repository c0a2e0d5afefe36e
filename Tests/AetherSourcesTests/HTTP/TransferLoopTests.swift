import AetherCore
import AetherTestSupport
import CCurl
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
