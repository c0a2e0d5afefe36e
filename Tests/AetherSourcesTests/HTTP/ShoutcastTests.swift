import AetherCore
import AetherTestSupport
import CLinux
import Glibc
import Synchronization
import Testing

@testable import AetherSources

/// Radio stations with Shoutcast's first version: its own status line, and titles between the audio.
@Suite struct ShoutcastTests {
    /// A server that gives one answer to one request, and ends.
    private final class Station: Sendable {
        let port: UInt16
        private let thread: WorkerThread
        private let asked: Monitor<String>

        init(_ answer: [UInt8]) throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in(
                sin_family: sa_family_t(AF_INET), sin_port: 0, sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian),
                sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    _ = bind(listener, pointer, length)
                    _ = listen(listener, 4)
                    _ = getsockname(listener, pointer, &length)
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            let request = Monitor("")
            thread = WorkerThread(name: "station") {
                let connection = accept(listener, nil, nil)
                var head: [UInt8] = [], byte: UInt8 = 0
                while head.suffix(4) != [13, 10, 13, 10], recv(connection, &byte, 1, 0) == 1 { head.append(byte) }
                request.update { [head] in $0 = String(decoding: head, as: UTF8.self) }
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                close(connection)
                close(listener)
            }
            asked = request
        }

        /// The head of the request, when it has ended.
        func wait() -> String {
            thread.join()
            return asked.read { $0 }
        }
    }

    private static func text(_ title: String) -> [UInt8] {
        var bytes = Array("StreamTitle='\(title)';".utf8)
        while bytes.count % 16 != 0 { bytes.append(0) }
        return [UInt8(bytes.count / 16)] + bytes
    }

    private func all(_ reader: any IOReader) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 777)
        while true {
            let count = try room.withUnsafeMutableBytes { try reader.read($0) }
            guard count > 0 else { return bytes }
            bytes += room[..<count]
        }
    }

    @Test func aStationOfTheFirstVersionIsReadWithItsTitles() throws {
        let audio = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var answer = Array("ICY 200 OK\r\nicy-name: Old\r\nContent-Type: audio/mpeg\r\nicy-metaint: 1000\r\n\r\n".utf8)
        answer += audio[..<1000] + Self.text("First") + audio[1000..<2000] + [0] + audio[2000...] + Self.text("Second")
        let station = try Station(answer)
        var options = HTTPOptions()
        options.asksForSongs = true
        let reader = try HTTPReader("http://127.0.0.1:\(station.port)/", options: options)
        try reader.open()
        #expect(reader.songInterval == 1000 && !reader.isSeekable)
        let titles = Mutex<[String]>([])
        let songs = try #require(SongReader(reader) { title in titles.withLock { $0.append(title) } })
        #expect(try all(songs) == audio)
        #expect(titles.withLock { $0 } == ["First", "Second"])
        #expect(station.wait().contains("Icy-MetaData: 1"))
    }

    @Test func itsStatusLineCountsAtTheHeadAlone() throws {
        var lines = HTTPHeadLines()
        func take(_ text: String) -> HTTPHeadLines.Step { Array(text.utf8).withUnsafeBytes { lines.take($0) } }
        #expect(take("ICY 200 OK\r\n") == .more)
        #expect(take("icy-metaint: 8192\r\n") == .more)
        #expect(take("ICY 404 no\r\n") == .more)
        var found: HTTPHead?
        if case .done(let head) = take("\r\n") { found = head }
        let head = try #require(found)
        #expect(head.status == 200 && head.fields["icy-metaint"] == "8192")
    }

    /// Whatever the bytes, and however they are parted: all audio comes out, no title is unsafe.
    @Test(arguments: 0..<200 as Range<UInt64>) func anyBytesArePartedAlikeHoweverTheyCome(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let interval = Int.random(in: 1...300, using: &random)
        let bytes = (0..<2000).map { _ in UInt8.random(in: 0...(Bool.random(using: &random) ? 3 : 255), using: &random) }
        func parted(_ size: (inout SeededRandom) -> Int) throws -> ([UInt8], [String]) {
            var stream = try #require(SongStream(interval: interval)), audio: [UInt8] = [], titles: [String] = [], place = 0
            while place < bytes.count {
                var piece = Array(bytes[place..<min(bytes.count, place + size(&random))])
                place += piece.count
                let (count, found) = piece.withUnsafeMutableBytes { stream.take($0) }
                audio += piece[..<count]
                titles += found
            }
            return (audio, titles)
        }
        let whole = try parted { _ in bytes.count }, pieces = try parted { Int.random(in: 1...40, using: &$0) }
        #expect(whole.0 == pieces.0 && whole.1 == pieces.1)
        #expect(whole.1.allSatisfy { !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
    }
}
