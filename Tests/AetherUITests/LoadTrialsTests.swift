import AetherCore
import AetherEngine
import AetherSources
import AetherTestSupport
import Glibc
import Testing

@testable import AetherDesktop
@testable import AetherUI

/// Files that a remote control wants to be played, tried before they take the place of what plays.
@Suite struct LoadTrialsTests {
    private let wake = WakeHandle()

    private func wish(of client: Int, _ number: Int) -> Surroundings.Wish {
        .remote(RemoteServer.Incoming(client: client, request: RemoteRequest(.get("\(number)"))))
    }

    /// Until the trial has an outcome.
    private func waitForWake() -> Bool {
        var one = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        let isWoken = poll(&one, 1, 60_000) > 0
        wake.drain()
        return isWoken
    }

    @Test func whatIsMissingIsSaidInItsTurn() throws {
        let folder = try TemporaryFolder()
        var trials = LoadTrials()
        let load = wish(of: 1, 1), behind = wish(of: 1, 2), other = wish(of: 2, 3), second = wish(of: 2, 4)
        let location = MediaLocation.file(folder.path("missing.mkv"))
        #expect(!trials.holds(load) && trials.outcome(of: location, for: load, wake: wake) == nil)
        // Of the same client nothing overtakes it; others do not wait, unless they want to load, too.
        #expect(trials.holds(behind) && !trials.holds(other))
        #expect(trials.outcome(of: location, for: second, wake: wake) == nil && trials.holds(other))
        #expect(waitForWake())
        #expect(trials.sort([]) == [load, behind, second, other])
        guard case .fails(let error) = trials.outcome(of: location, for: load, wake: wake) else {
            Issue.record("a file that is not there opens")
            return
        }
        #expect(error.description.contains("No such file"))
        #expect(!trials.holds(behind) && trials.deadline == nil)
    }

    /// A server that takes the connection and never says a word.
    @Test func whatDoesNotAnswerIsGivenUpAfterTwentySeconds() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        var trials = LoadTrials()
        let load = wish(of: 1, 1), location = MediaLocation.parse("http://127.0.0.1:\(address.sin_port.byteSwapped)/a.mkv")
        let begin = SystemTime().now()
        #expect(trials.outcome(of: location, for: load, wake: wake) == nil)
        let deadline = try #require(trials.deadline)
        #expect(deadline >= begin + .seconds(20) && deadline <= SystemTime().now() + .seconds(20))
        trials.follow(now: begin + .seconds(19))
        #expect(trials.deadline == deadline && trials.sort([]).isEmpty)
        trials.follow(now: deadline)
        #expect(trials.sort([]) == [load] && trials.deadline == nil)
        guard case .fails(let error) = trials.outcome(of: location, for: load, wake: wake) else {
            Issue.record("a server that says nothing has a file")
            return
        }
        #expect(error.description.contains("there was no answer within 20 seconds"))
    }
}
