import AetherTestSupport
import Foundation
import Testing

@testable import AetherCore

@Suite("Child peer") struct ChildPeerTests {
    @Test("A program is given the named variables of our environment and no others")
    func variables() throws {
        let files = try TemporaryFolder(), program = files.path("peer")
        // A shell sets some of its own: they are read from the kernel.
        try "#!/bin/sh\nexec cat /proc/$$/environ\n".write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let peer = try #require(ChildPeer(path: program, variables: ["PATH", "AETHER_NOT_SET"]))
        var said: [UInt8] = [], room = [UInt8](repeating: 0, count: 4096)
        while true {
            var polled = pollfd(fd: peer.socket, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, -1) > 0 else { continue }
            let count = recv(peer.socket, &room, room.count, 0)
            guard count > 0 else { break }
            said += room[..<count]
        }
        let names = said.split(separator: 0).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
        #expect(names.contains("PATH") && Set(names).isSubset(of: ["PATH", "PWD", "_", "OLDPWD", "SHLVL"]))
    }
}
