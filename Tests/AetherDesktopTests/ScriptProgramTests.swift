import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDesktop

/// A person's program as a client of the remote control.
@Suite struct ScriptProgramTests {
    private func script(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "script-\(UUID().uuidString)").path
        try ProgramFile.write(text, to: path)
        return path
    }

    /// It reads the greeting, asks, reads the answer, and asks what was answered.
    @Test func itAsksAndReadsAnswers() throws {
        let path = try script(
            #"read hello; echo '{"get":"volume","id":1}'; read answer; echo "{\"action\":\"mute\",\"id\":2}"; read last"#)
        defer { unlink(path) }
        let wake = WakeHandle()
        let server = try RemoteServer(path: nil, greeting: .object(["event": .string("hello")]), wake: wake)
        let program = try ScriptProgram(path: path, server: server)
        func next() -> RemoteServer.Incoming? {
            for _ in 0..<100 {
                if let request = server.takeRequests().first { return request }
                var ready = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&ready, 1, 100)
                wake.drain()
            }
            return nil
        }
        let first = try #require(next())
        #expect(first.request.verb == .get("volume"))
        server.answer(first, .value(JSON(62)))
        #expect(next()?.request.verb == .action("mute"))
        withExtendedLifetime(program) {}
        server.stop(within: .seconds(1))
    }

    @Test func whatCannotRunIsSaid() throws {
        let server = try RemoteServer(path: nil, greeting: .null, wake: WakeHandle())
        #expect(throws: RemoteError.self) { try ScriptProgram(path: "/nowhere/script", server: server) }
        #expect(throws: RemoteError.self) { try ScriptProgram(path: "/etc/passwd", server: server) }
        server.stop(within: .seconds(1))
    }
}
