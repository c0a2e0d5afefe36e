import Testing

@testable import AetherSources

/// Cookies of requests that run side by side, in the lines of libcurl.
@Suite struct CookieJarTests {
    private func line(_ name: String, _ value: String, path: String = "/", host: String = "h") -> String {
        [host, "FALSE", path, "FALSE", "0", name, value].joined(separator: "\t")
    }

    @Test func anAnswerTakesNothingBackThatAnotherHasBrought() {
        let jar = CookieJar(), given = [line("token", "first")]
        jar.take(given, given: [])
        // Both requests begin with the first token; the one that was answered later has heard of none.
        jar.take([line("token", "fresh"), line("balancer", "11")], given: given)
        jar.take(given + [line("balancer", "10")], given: given)
        #expect(jar.lines == [line("token", "fresh"), line("balancer", "10")])
    }

    @Test func aCookieIsRenewedByItsNameItsPathAndItsHost() {
        let jar = CookieJar()
        let all = [line("a", "1"), line("a", "1", path: "/x"), line("a", "1", host: "g"), line("b", "1")]
        jar.take(all, given: [])
        jar.take(all.dropLast() + [line("b", "2")], given: all)
        #expect(jar.lines == all.dropLast() + [line("b", "2")])
    }

    @Test func aCookieThatWasDeletedIsGoneButNotItsSuccessor() {
        let jar = CookieJar(), given = [line("a", "1"), line("b", "1")]
        jar.take(given, given: [])
        jar.take([line("a", "1")], given: given)
        #expect(jar.lines == [line("a", "1")])
        jar.take([line("a", "2")], given: [line("a", "1")])
        jar.take([], given: [line("a", "1")])
        #expect(jar.lines == [line("a", "2")])
    }

    @Test func theJarIsBounded() {
        let jar = CookieJar(), many = (0..<200).map { line("n\($0)", "1") }
        jar.take(many + [line("long", String(repeating: "x", count: CookieJar.lineLimit))], given: [])
        #expect(jar.lines == Array(many.suffix(CookieJar.limit)))
        jar.take(["no cookie"], given: [])
        #expect(jar.lines.last == "no cookie" && jar.lines.count == CookieJar.limit)
    }
}
