import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherDesktop

@Suite struct RemoteServerTests {
    private let folder: TemporaryFolder
    private let wake = WakeHandle()
    private var path: String { folder.path("s") }

    init() throws { folder = try TemporaryFolder() }

    private func server() throws -> RemoteServer {
        try RemoteServer(path: path, greeting: .object(["event": .string("hello")]), wake: wake)
    }

    private func text(_ line: [UInt8]?) -> String? { line.map { String(decoding: $0, as: UTF8.self) } }

    /// The requests for which the main thread would be woken.
    private func requests(_ server: RemoteServer, count: Int = 1) -> [RemoteServer.Incoming] {
        var found: [RemoteServer.Incoming] = []
        while found.count < count {
            var one = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&one, 1, 60_000) > 0 else { return found }
            wake.drain()
            found += server.takeRequests()
        }
        return found
    }

    @Test func aRequestIsAskedAnsweredAndNamed() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        #expect(text(try client.nextLine()) == #"{"event":"hello"}"#)
        try client.say(#"{"id":5,"get":"volume"}"#)
        let asked = requests(server)
        #expect(asked.map(\.request) == [RemoteRequest(.get("volume"), id: .number(5))])
        server.answer(try #require(asked.first), .value(.number(80)))
        #expect(text(try client.nextLine()) == #"{"id":5,"ok":true,"value":80}"#)
        try client.say("nonsense")
        #expect(text(try client.nextLine())?.hasPrefix(#"{"error":"no JSON"#) == true)
    }

    /// Without ids the order is all that tells whose answer it is.
    @Test func aLineThatIsRefusedWaitsForTheAnswersToThoseBeforeIt() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        for line in [#"{"get":"a"}"#, "rubbish", #"{"get":"b"}"#, "{}", "[]"] { try client.say(line) }
        let asked = requests(server, count: 2)
        server.answer(try #require(asked.first), .value(.number(1)))
        server.answer(try #require(asked.last), .value(.number(2)))
        let lines = try (0..<5).map { _ in try text(client.nextLine()) ?? "" }
        #expect(lines[0] == #"{"ok":true,"value":1}"# && lines[2] == #"{"ok":true,"value":2}"#, "\(lines)")
        #expect([1, 3, 4].allSatisfy { lines[$0].contains(#""ok":false"#) }, "\(lines)")
        // With nothing before it, it is refused at once.
        try client.say("rubbish")
        #expect(text(try client.nextLine())?.contains("no JSON") == true)
        server.stop(within: .seconds(60))
    }

    @Test func propertiesAreToldWhereTheyAreObservedAndHaveChanged() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        try client.say(#"{"observe":"volume"}"#)
        let asked = try #require(requests(server).first)
        #expect(server.observed == ["volume"])
        server.answer(asked, .done)
        server.publish(["volume": .number(80), "speed": .number(1)])
        #expect(text(try client.nextLine()) == #"{"ok":true}"#)
        #expect(text(try client.nextLine()) == #"{"event":"property","name":"volume","value":80}"#)
        server.publish(["volume": .number(80), "speed": .number(2)])
        server.publish(["volume": .number(85), "speed": .number(2)])
        server.tell("end", ["file": .number(1)])
        // Which comes first depends on when the server's thread looks: events wait for nothing, properties are told as they are then.
        let told = Set([text(try client.nextLine()), text(try client.nextLine())])
        #expect(told == [#"{"event":"end","file":1}"#, #"{"event":"property","name":"volume","value":85}"#])
    }

    @Test func whatIsNoLongerObservedIsNotTold() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        for line in [#"{"observe":"volume"}"#, #"{"observe":"volume"}"#, #"{"observe":"speed"}"#, #"{"unobserve":"volume"}"#] {
            try client.say(line)
            server.answer(try #require(requests(server).first), .done)
            #expect(text(try client.nextLine()) == #"{"ok":true}"#)
        }
        #expect(server.observed == ["speed"])
        server.publish(["volume": .number(80), "speed": .number(2)])
        #expect(text(try client.nextLine()) == #"{"event":"property","name":"speed","value":2}"#)
        server.tell("quit")
        server.stop(within: .seconds(60))
        #expect(text(try client.nextLine()) == #"{"event":"quit"}"#)
        #expect(try client.nextLine() == nil)
    }

    @Test func sixtyFourAreObservedAndNoMore() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        // One that there is not does not count; the same again does.
        func ask(_ line: String, _ answer: RemoteAnswer = .done) throws -> String {
            try client.say(line)
            let asked = requests(server)
            if let first = asked.first { server.answer(first, answer) }
            return try text(client.nextLine()) ?? ""
        }
        for _ in 0..<3 { #expect(try ask(#"{"observe":"nonsense"}"#, .failure("no")).contains(#""ok":false"#)) }
        for number in 0..<64 { #expect(try ask(#"{"observe":"p\#(number % 40)"}"#) == #"{"ok":true}"#) }
        try client.say(#"{"observe":"p1"}"#)
        #expect(text(try client.nextLine()) == #"{"error":"64 are observed already: unobserve one","ok":false}"#)
        // Of the first 24 two each.
        #expect(try ask(#"{"unobserve":"p1"}"#) == #"{"ok":true}"#)
        for _ in 0..<2 { #expect(try ask(#"{"observe":"p1"}"#) == #"{"ok":true}"#) }
        try client.say(#"{"observe":"p2"}"#)
        #expect(text(try client.nextLine())?.contains("64 are observed") == true)
        #expect(server.observed.count == 40 && !server.observed.contains("nonsense"))
    }

    @Test func onlyTheOwnerMayConnectAndThePathIsRemoved() throws {
        var server: RemoteServer? = try self.server()
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_mode & S_IFMT == S_IFSOCK)
        #expect(throws: RemoteError("another program listens at \(path)")) { try self.server() }
        server?.stop(within: .seconds(60))
        server = nil
        #expect(lstat(path, &status) != 0)
    }

    @Test func aDeadSocketIsReplacedAndNothingElse() throws {
        let dead = SocketAddress.make(nonBlocking: true)
        #expect(try SocketAddress.with(path, { bind(dead, $0, $1) }) == 0)
        close(dead)
        let server = try self.server()
        server.stop(within: .seconds(60))
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: RemoteError("\(path) exists and is not a socket")) { try self.server() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(throws: RemoteError.self) {
            try RemoteServer(path: folder.path(String(repeating: "a", count: 200)), greeting: .null, wake: wake)
        }
    }

    @Test func thereAreSixteenClientsAtMost() throws {
        let server = try self.server()
        var descriptors: [Int32] = []
        for _ in 0..<RemoteServer.clientLimit {
            descriptors.append(try #require(try SocketAddress.connect(path, nonBlocking: false)))
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        var last = try RemoteConnection(path: path)
        #expect(text(try last.nextLine()) == #"{"error":"there are 16 clients already","ok":false}"#)
        #expect(try last.nextLine() == nil)
        server.stop(within: .seconds(60))
    }

    @Test func aLineThatIsTooLongEndsTheTalk() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        try client.say(String(repeating: "a", count: LineBuffer.lineLimit + 1))
        #expect(text(try client.nextLine()) == #"{"error":"a line has at most 65536 bytes","ok":false}"#)
        #expect(try client.nextLine() == nil)
        server.stop(within: .seconds(60))
    }

    /// A list of a thousand channels takes more than the server keeps for a client that does not read.
    @Test func anAnswerMayBeLongerThanWhatALineOfAClientHas() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        try client.say(#"{"get":"a"}"#)
        let names = JSON.array((0..<1000).map { .string("\($0) " + String(repeating: "a", count: 2000)) })
        server.answer(try #require(requests(server).first), .value(names))
        let line = try #require(try client.nextLine())
        #expect(line.count > RemoteClient.outputLimit * 4)
        #expect(try JSON(line)["value"] == names)
        try client.say(#"{"get":"b"}"#)
        server.answer(try #require(requests(server).first), .done)
        #expect(text(try client.nextLine()) == #"{"ok":true}"#)
        server.stop(within: .seconds(60))
    }

    /// An answer behind a long one, before all of that was read, drops nobody.
    @Test func aLongAnswerIsNotCutOffByTheNext() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        try client.say(#"{"get":"a"}"# + "\n" + #"{"get":"b"}"#)
        let asked = requests(server, count: 2)
        try #require(asked.count == 2)
        let names = JSON.array((0..<1000).map { .string("\($0) " + String(repeating: "a", count: 2000)) })
        server.answer(asked[0], .value(names))
        server.answer(asked[1], .done)
        let line = try #require(try client.nextLine())
        #expect(try JSON(line)["value"] == names)
        #expect(text(try client.nextLine()) == #"{"ok":true}"#)
        server.stop(within: .seconds(60))
    }

    @Test func whoDoesNotReadIsDroppedAndNotWaitedFor() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        try client.say(#"{"get":"a"}"#)
        let asked = try #require(requests(server).first)
        // The socket takes some hundred KB, the server 256 more.
        for _ in 0..<64 { server.tell("x", ["text": .string(String(repeating: "a", count: 32 << 10))]) }
        server.answer(asked, .done)
        server.stop(within: .seconds(60))
        var lines = 0
        while let line = try client.nextLine() { lines += line.count > 30_000 ? 1 : 0 }
        #expect(lines < 64)
    }

    @Test func aFloodWaitsInItsSocket() throws {
        let server = try self.server()
        var client = try RemoteConnection(path: path)
        _ = try client.nextLine()
        for number in 0..<100 { try client.say(#"{"id":\#(number),"get":"a"}"#) }
        let first = requests(server, count: RemoteClient.unansweredLimit)
        #expect(first.count == RemoteClient.unansweredLimit)
        // All at once, with one wake: the lines that waited are asked then, though nobody wakes the server again.
        server.state.update { state in
            state.outbox += first.map { ($0.client, RemoteAnswer.done.line(id: $0.request.id)) }
        }
        server.ownWake.wake()
        let second = requests(server, count: RemoteClient.unansweredLimit)
        #expect(second.first?.request.id == .number(Double(RemoteClient.unansweredLimit)))
        server.stop(within: .seconds(60))
    }

    /// As `nc -N` does: all lines, then the end.
    @Test func whoSaysAllAndNoMoreIsStillAnswered() throws {
        let server = try self.server()
        let descriptor = try #require(try SocketAddress.connect(path, nonBlocking: false))
        defer { close(descriptor) }
        let lines = (0..<40).map { #"{"id":\#($0),"get":"a"}"# + "\n" }.joined()
        #expect(write(descriptor, lines, lines.utf8.count) == lines.utf8.count)
        shutdown(descriptor, Int32(SHUT_WR))
        var answered = 0
        while answered < 40 {
            let asked = requests(server)
            guard !asked.isEmpty else { break }
            for one in asked { server.answer(one, .done) }
            answered += asked.count
        }
        #expect(answered == 40)
        server.stop(within: .seconds(60))
    }
}
