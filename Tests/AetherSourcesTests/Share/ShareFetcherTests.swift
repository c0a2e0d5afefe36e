import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

@Suite("Share fetcher", .serialized, .enabled(if: ShareServer.isAvailable, "smbd is not here, or we are not root"))
struct ShareFetcherTests {
    private let server: ShareServer

    init() throws {
        server = try ShareServer()
        let folder = server.folder.appending(path: "BDMV")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for index in 0..<40 {
            try Data(content(index)).write(to: folder.appending(path: "\(index).mpls"))
        }
    }

    private func content(_ index: Int) -> [UInt8] { (0..<(index * 997)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) } }

    private func location(_ name: String, share: String = "guest") -> MediaLocation {
        .url("smb://127.0.0.1:\(server.port)/\(share)/BDMV/\(name)")
    }

    @Test("Many files come whole over one connection")
    func many() throws {
        let fetcher = try ShareFetcher()
        for index in 0..<40 { #expect(try fetcher.bytes(of: location("\(index).mpls"), limit: 1 << 20) == content(index)) }
        #expect(try fetcher.bytes(of: location("39.mpls"), limit: 10) == Array(content(39).prefix(10)))
        #expect(server.connections == 1)
        // A file that is not there costs no connection either.
        #expect { try fetcher.bytes(of: location("lost.mpls"), limit: 10) } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == .missing
        }
        #expect(try fetcher.bytes(of: location("1.mpls"), limit: 1 << 20) == content(1) && server.connections == 1)
    }

    @Test("A connection that is gone, and one that was let go, is made anew")
    func anew() throws {
        let fetcher = try ShareFetcher()
        #expect(try fetcher.bytes(of: location("7.mpls"), limit: 1 << 20) == content(7))
        server.killConnections()
        #expect(try fetcher.bytes(of: location("8.mpls"), limit: 1 << 20) == content(8) && server.connections == 1)
        fetcher.rest()
        #expect(try fetcher.bytes(of: location("9.mpls"), limit: 1 << 20) == content(9) && server.connections == 2)
    }

    @Test("It can be broken off, and goes on")
    func brokenOff() throws {
        let fetcher = try ShareFetcher()
        fetcher.cancel()
        #expect(throws: IOReaderError.cancelled) { try fetcher.bytes(of: location("3.mpls"), limit: 10) }
        fetcher.resume()
        #expect(try fetcher.bytes(of: location("3.mpls"), limit: 1 << 20) == content(3))
        #expect(throws: IOReaderError.self) { try fetcher.bytes(of: .url("smb://127.0.0.1/"), limit: 10) }
        #expect(throws: IOReaderError.self) { try fetcher.bytes(of: location("3.mpls", share: "nothing"), limit: 10) }
    }
}
