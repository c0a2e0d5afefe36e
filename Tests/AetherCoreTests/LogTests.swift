import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@Suite struct LogTests {
    @Test func theLastThousandLinesAreKeptInOrder() {
        let log = Log()
        for number in 0..<2_345 { log.add(.info, "test", "line \(number)") }
        #expect(log.total == 2_345)
        #expect(log.lines.map(\.text) == (1_345..<2_345).map { "line \($0)" })
        #expect(zip(log.lines, log.lines.dropFirst()).allSatisfy { $0.host <= $1.host })
    }

    /// Eight threads at once, with a reader: every line is counted, and those of one thread stand in its order.
    @Test func linesOfManyThreadsAreAllCounted() {
        let log = Log()
        let writers = (0..<8).map { writer in
            WorkerThread(name: "test") { for number in 0..<500 { log.add(.verbose, "\(writer)", "\(number)") } }
        }
        let reader = WorkerThread(name: "test") { for _ in 0..<50 { #expect(log.lines.count <= 1000) } }
        for thread in writers + [reader] { thread.join() }
        #expect(log.total == 4_000 && log.lines.count == 1000)
        for writer in 0..<8 {
            let numbers = log.lines.filter { $0.module == "\(writer)" }.compactMap { Int($0.text) }
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        }
    }

    @Test(arguments: [
        ("warning", [false, false, true, true], [false, false, true, true]),
        ("net=verbose", [true, true, true, true], [false, true, true, true]),
        ("error,net=off", [false, false, false, false], [false, false, false, true]),
        ("net=info,off", [false, true, true, true], [false, false, false, false]),
    ])
    func aFilterTakesLevelsByPart(_ text: String, _ net: [Bool], _ demux: [Bool]) throws {
        let filter = try #require(LogFilter(text)), levels = [LogLevel.verbose, .info, .warning, .error]
        #expect(levels.map { filter.takes($0, of: "net") } == net)
        #expect(levels.map { filter.takes($0, of: "demux") } == demux)
    }

    @Test(arguments: ["", "loud", "net", "net=", "=info", "nets=info", "net=info=info", "info,", "INFO"])
    func anythingElseIsNoFilter(_ text: String) { #expect(LogFilter(text) == nil) }

    /// Every part that writes lines can be named.
    @Test func partsAreThoseOfTheSources() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        var names: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) ?? .init()
        where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /Log\.module\("([a-z-]+)"\)/) {
                names.insert(String(match.1))
            }
        }
        #expect(names.count > 20 && names.subtracting(LogFilter.names).isEmpty, "\(names.subtracting(LogFilter.names))")
    }

    @Test func aHostIsHandedWhatItWants() {
        let log = Log(), heard = Monitor<[String]>([])
        log.hand(LogFilter("error,net=verbose") ?? LogFilter()) { line in
            heard.update { $0.append("\(line.module): \(line.text)") }
        }
        log.add(.warning, "demux", "no")
        log.add(.error, "demux", "a\tb")
        log.add(.verbose, "net", "http://me:secret@host/x?token=secret")
        log.hand(to: nil)
        log.add(.error, "net", "later")
        let lines = heard.read { $0 }
        #expect(lines.first == "demux: a b" && lines.count == 2 && !lines[1].contains("secret"), "\(lines)")
    }

    @Test func whatStrangersSayIsOneSafeLine() {
        let log = Log()
        log.add(.error, "test", "a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}e\0")
        #expect(log.lines.map(\.text) == ["a[2Jb cde"])
        log.add(.error, "test", String(repeating: "x", count: 100_000))
        #expect(log.lines.last?.text.count == 2001)
    }

    /// To a file go the lines of its level and above, one each, and none after it was taken away.
    @Test func aFileGetsItsLevelAndAbove() throws {
        let pipe = try PipeEnds()
        defer { close(pipe.reader) }
        let log = Log()
        log.add(.error, "before", "no file yet")
        log.write(to: pipe.writer, level: .warning)
        for (level, text) in [(LogLevel.verbose, "v"), (.info, "i"), (.warning, "w\nw"), (.error, "e")] {
            log.add(level, "part", text)
        }
        log.write(to: -1, level: .verbose)
        log.add(.error, "after", "no file any more")
        // The log has closed its end: everything that was written can be read to the end.
        var bytes = [UInt8](repeating: 0, count: 4096), text = ""
        while case let count = read(pipe.reader, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasSuffix(" W part: w w") == true && lines.last?.hasSuffix(" E part: e") == true)
        #expect(lines.allSatisfy { $0.prefix { $0 != " " }.wholeMatch(of: /\d+\.\d{3}/) != nil })
        #expect(log.total == 6 && log.lines.count == 6)
    }

    /// A full device takes nothing: the line is lost, and nothing else.
    @Test func aFullDiskLosesLinesOnly() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        let log = Log()
        log.write(to: full, level: .verbose)
        for number in 0..<3 { log.add(.info, "test", "\(number)") }
        #expect(log.lines.map(\.text) == ["0", "1", "2"])
    }

    @Test func levelsAreOrdered() {
        let levels = [LogLevel.verbose, .info, .warning, .error]
        #expect(levels == levels.sorted() && levels.map(\.letter) == ["V", "I", "W", "E"])
    }
}

/// Percentiles of the last 256 durations.
@Suite struct LatencyWindowTests {
    @Test func nothingIsNothing() {
        let window = LatencyWindow()
        #expect(window.percentiles == nil)
        window.record(.milliseconds(2))
        #expect(window.percentiles == Percentiles(p50: 2, p95: 2, p99: 2))
        window.reset()
        #expect(window.percentiles == nil)
    }

    /// 1 … 100 ms in an order that is not theirs.
    @Test func percentilesAreOfTheSortedValues() {
        let window = LatencyWindow()
        for number in 0..<100 { window.record(.milliseconds(Double(number * 37 % 100 + 1))) }
        #expect(window.percentiles == Percentiles(p50: 51, p95: 96, p99: 100))
    }

    @Test func onlyTheLast256Count() {
        let window = LatencyWindow()
        for _ in 0..<1000 { window.record(.seconds(9)) }
        for _ in 0..<256 { window.record(.milliseconds(1)) }
        #expect(window.percentiles == Percentiles(p50: 1, p95: 1, p99: 1))
        // Three of 256 are more than one in a hundred.
        for _ in 0..<3 { window.record(.milliseconds(50)) }
        #expect(window.percentiles == Percentiles(p50: 1, p95: 1, p99: 50))
    }

    @Test func recordingFromManyThreadsLosesNothing() {
        let window = LatencyWindow()
        let threads = (0..<4).map { _ in WorkerThread(name: "test") { for _ in 0..<64 { window.record(.milliseconds(3)) } } }
        for thread in threads { thread.join() }
        window.record(.milliseconds(9))
        #expect(window.percentiles == Percentiles(p50: 3, p95: 3, p99: 3))
    }
}
