import AetherCore
import AetherTestSupport
import CCurl
import Testing

@testable import AetherSources

/// Answers that come in pieces, or with something behind them, and what libcurl's numbers are called.
struct OddAnswerTests {
    @Test func aHeadThatComesInTwoPiecesIsRead() throws {
        let web = try Web(size: 300_000)
        // Two calls, and so two packets: it does not wait between them.
        web.origin.release()
        let reader = try web.opened("/~headstall=30/film")
        #expect(try readAll(reader, piece: 100_000) == TestOrigin.pattern(0..<300_000))
        #expect(web.origin.requests.count == 1)
    }

    @Test func aHeadThatDoesNotEndIsGivenUp() throws {
        let web = try Web()
        var options = Web.options
        (options.stallLimit, options.opening.span) = (.milliseconds(200), .zero)
        #expect(try web.fault("/~headstall=30/film", options) == .timedOut)
    }

    /// More than the stated length: it is no part of this file, nor the head of the next answer.
    @Test func whatComesBehindAnAnswerIsNoPartOfIt() throws {
        let web = try Web(size: 300_000), film = TestOrigin.pattern(0..<300_000)
        for _ in 0..<3 { #expect(try readAll(web.opened("/~garbage=50/film"), piece: 100_000) == film) }
        let reader = try web.opened("/~garbage=50/film")
        try reader.seek(to: 250_000)
        #expect(try readAll(reader, piece: 10_000) == Array(film[250_000...]))
        #expect(try readAll(web.opened("/~garbage=50,chunked/film"), piece: 100_000) == film)
    }

    @Test(arguments: [
        ("", NetworkFault.Kind.hostKey), ("SSL peer certificate or SSH remote key was not OK", .hostKey),
        ("SSL certificate problem: certificate has expired", .certificate),
        ("server certificate verification failed. CAfile: none CRLfile: none", .certificate),
    ])
    func aKeyOfSSHIsNotCalledACertificate(_ words: String, _ kind: NetworkFault.Kind) {
        #expect(CurlFault.fault(CURLE_PEER_FAILED_VERIFICATION, errno: 0, detail: words).kind == kind)
    }
}
