import AetherCore
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherSources

@Suite("Share reader", .serialized, .enabled(if: ShareServer.isAvailable, "smbd is not here, or we are not root"))
struct ShareReaderTests {
    private static let content: [UInt8] = {
        var state: UInt64 = 1
        return (0..<9_000_001).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 40)
        }
    }()

    private func server(_ settings: String = "") throws -> ShareServer {
        let server = try ShareServer(settings: settings)
        try Data(Self.content).write(to: server.folder.appending(path: "a film #1.mkv"))
        return server
    }

    @Test(
        "The whole file comes",
        arguments: ["127.0.0.1|guest", "root:se%20cret@127.0.0.1|safe", "root:se%20cret@127.0.0.1|sealed"])
    func whole(_ place: String) throws {
        let server = try server()
        let parts = place.split(separator: "|")
        let reader = try ShareReader("smb://\(parts[0]):\(server.port)/\(parts[1])/a film #1.mkv")
        try reader.open()
        #expect(reader.size == Int64(Self.content.count))
        #expect(try reader.bytes(limit: 1 << 30) == Self.content)
    }

    @Test("Servers that sign all they say, and encrypt it", arguments: ["server signing = mandatory", "smb encrypt = required"])
    func guarded(_ setting: String) throws {
        let server = try server(setting)
        let reader = try ShareReader("smb://root:se%20cret@127.0.0.1:\(server.port)/safe/a film #1.mkv")
        #expect(try reader.bytes(limit: 1 << 30) == Self.content)
        guard setting.contains("encrypt") else { return }
        // Without a password there is no key to encrypt with: the person is asked for one.
        let guest = try ShareReader("smb://127.0.0.1:\(server.port)/guest/a film #1.mkv")
        #expect { try guest.open() } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == .login
        }
    }

    @Test("A server whose every word comes late costs no byte, and two connections side by side mix none up")
    func slow() throws {
        let server = try server(), file = server.folder.appending(path: "long.mkv")
        var block = Array(Self.content.prefix(1 << 20))
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for index in 0..<80 {
            block[0] = UInt8(index)
            try handle.write(contentsOf: block)
        }
        try handle.close()
        let relay = try LateRelay(to: server.port, by: .milliseconds(5))
        let reader = try ShareReader("smb://127.0.0.1:\(relay.port)/guest/long.mkv")
        for index in 0..<80 {
            block[0] = UInt8(index)
            let came = try reader.bytes(limit: 1 << 20)
            #expect(came == block, "block \(index)")
        }
        #expect(try reader.bytes(limit: 1).isEmpty)
        try reader.seek(to: 70 << 20)
        #expect(try reader.bytes(limit: 1) == [70])
    }

    @Test("A server that is away for several tries, and then there again, costs no byte")
    func returns() throws {
        let server = try server(), time = HookedTime()
        let address = try #require(ShareAddress("smb://127.0.0.1:\(server.port)/guest/a film #1.mkv"))
        let reader = ShareReader(address, program: try #require(ShareProgram.find()), time: time)
        var bytes = try reader.bytes(limit: 1_000_000)
        server.leave()
        // A try that is refused costs seven looks at the clock: by the twentieth there were two.
        let began = time.looks.load(ordering: .relaxed)
        time.hook.withLock {
            $0 = { look in
                guard look == began + 20 else { return }
                do { try server.comeBack() } catch { Issue.record(error) }
            }
        }
        bytes += try reader.bytes(limit: 1 << 30)
        #expect(bytes == Self.content && server.connections >= 1)
        #expect(time.looks.load(ordering: .relaxed) > began + 20)
    }

    @Test("Reads anywhere are those of the file, by two readers at once")
    func seeks() throws {
        let server = try server()
        let reader = try ShareReader("smb://127.0.0.1:\(server.port)/guest/a film #1.mkv")
        let other = try #require(reader.makeIndependentReader())
        for offset in [0, 8_999_990, 100, 4_000_000, 3_999_000, 4_100_000, 8_999_999, 9_000_001, 65_536] {
            for reader in [reader, other] {
                try reader.seek(to: Int64(offset))
                #expect(try reader.bytes(limit: 70_000) == Array(Self.content[offset...].prefix(70_000)))
            }
        }
    }

    @Test("A server that is killed in the middle costs no byte")
    func reconnects() throws {
        let server = try server()
        let reader = try ShareReader("smb://127.0.0.1:\(server.port)/guest/a film #1.mkv")
        var bytes = try reader.bytes(limit: 1_000_000)
        let before = server.connections
        server.killConnections()
        #expect(before >= 1)
        bytes += try reader.bytes(limit: 1 << 30)
        #expect(bytes == Self.content)
        #expect(server.connections >= 1)
    }

    @Test(
        "Refusals have their kinds",
        arguments: [
            ("root:wrong@127.0.0.1|safe/a film #1.mkv", NetworkFault.Kind.login), ("127.0.0.1|none/a", .noShare),
            ("127.0.0.1|guest/none.mkv", .missing), ("no-such-host.invalid|guest/a", .noSuchHost),
        ])
    func refusals(_ place: String, _ kind: NetworkFault.Kind) throws {
        let server = try server()
        let parts = place.split(separator: "|")
        let reader = try ShareReader("smb://\(parts[0]):\(server.port)/\(parts[1])")
        #expect { try reader.open() } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == kind && !fault.sentence.contains("wrong")
        }
    }

    @Test("After cancel it throws, after resume it reads on")
    func cancels() throws {
        let server = try server()
        let reader = try ShareReader("smb://127.0.0.1:\(server.port)/guest/a film #1.mkv")
        let head = try reader.bytes(limit: 1000)
        reader.cancel()
        #expect(throws: IOReaderError.cancelled) { try reader.bytes(limit: 1) }
        reader.resume()
        #expect(try head + reader.bytes(limit: 200_000) == Array(Self.content.prefix(201_000)))
        reader.close()
        #expect(throws: IOReaderError.closed) { try reader.bytes(limit: 1) }
    }
}
