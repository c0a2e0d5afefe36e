import AetherCore
import Testing

@testable import AetherTerminal

@Suite struct StrayLinesTests {
    private let start = HostTime(nanoseconds: 1_000_000_000)

    @Test func linesAreCleanedAndPutTogether() {
        var lines = StrayLines()
        #expect(lines.take("x.mpd:2: \u{1B}]0;EVIL\u{7}\u{1B}[2Jerr".utf8, now: start) == [])
        #expect(lines.take("or\r\n\n \t\n\u{9B}31mnext\n".utf8, now: start) == ["x.mpd:2: ]0;EVIL[2Jerror", "31mnext"])
        #expect(lines.take([0x61, 0xFF, 0x1B, 0x0A], now: start) == ["a\u{FFFD}"])
        #expect(lines.take("no end \u{1B}[?1049l".utf8, now: start) == [])
        #expect(lines.finish() == ["no end [?1049l"])
        #expect(lines.finish() == [])
    }

    @Test func aLineWithoutAnEndIsBounded() {
        var lines = StrayLines()
        for _ in 0..<10 { #expect(lines.take(repeatElement(0x61, count: 20_000), now: start) == []) }
        let line = lines.take([0x0A], now: start)
        #expect(line.count == 1 && line[0].unicodeScalars.count <= 501)
    }

    @Test func aFloodIsCountedAndNotPassedOn() {
        var lines = StrayLines()
        let flood = Array(String(repeating: "damaged\n", count: 5000).utf8)
        #expect(lines.take(flood, now: start).count == 40)
        // A second later ten more.
        let later = lines.take(flood, now: start + .seconds(1))
        #expect(later.count == 11 && later.first == "(4960 lines of libraries left out)")
        #expect(lines.finish() == ["(4990 lines of libraries left out)"])
        // Time that stands, or runs back, gives nothing.
        #expect(lines.take("x\n".utf8, now: start).isEmpty)
        #expect(lines.take("y\n".utf8, now: start + .seconds(100)) == ["(1 lines of libraries left out)", "y"])
    }

    @Test func secretsOfURLsAreLeftOut() {
        var lines = StrayLines()
        #expect(lines.take("GET https://me:pw@h/?token=x\n".utf8, now: start) == ["GET https://***@h/?…"])
    }
}
