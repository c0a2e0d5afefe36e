import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

@Suite(
    "Share tickets", .serialized,
    .enabled(if: ShareServer.isAvailable && ShareProgram.find() != nil, "smbd is not here, or we are not root"),
    .enabled(if: KerberosRealm.isAvailable, "no KDC of MIT is here, or this machine's name does not lead to 127.0.0.1"))
struct ShareTicketTests {
    private let files: TemporaryFolder
    private let realm: KerberosRealm

    init() throws { (files, realm) = (try TemporaryFolder(), try KerberosRealm()) }

    /// Reads through the program with the ticket in its environment, or with a place where none is.
    private func read(_ address: String, hasTicket: Bool) throws -> [UInt8] {
        let path = files.path("share-with-ticket"), variables = hasTicket ? realm.variables : [realm.variables[0]]
        let program = try #require(ShareProgram.find())
        let none = hasTicket ? "" : "export KRB5CCNAME=FILE:\(files.path("none"))\n"
        try ProgramFile.write(variables.map { "export '\($0)'\n" }.joined() + none + "exec '\(program)'", to: path)
        return try ShareReader(try #require(ShareAddress(address)), program: path, time: SystemTime()).bytes(limit: 1 << 30)
    }

    @Test("A ticket takes the place of name and password")
    func ticket() throws {
        let server = try ShareServer(settings: realm.settings(), environment: Array(realm.variables.prefix(1)))
        try Data("a film".utf8).write(to: server.folder.appending(path: "a.mkv"))
        for user in ["", "viewer@"] {
            let address = "smb://\(user)\(KerberosRealm.host):\(server.port)/safe/a.mkv"
            #expect(try read(address, hasTicket: true) == Array("a film".utf8), "\(user)")
        }
        #expect { try read("smb://\(KerberosRealm.host):\(server.port)/safe/a.mkv", hasTicket: false) } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == .login
        }
    }

    @Test(
        "Servers that take no tickets are asked as ever, with a ticket and with a place where none is", arguments: [true, false])
    func others(_ hasTicket: Bool) throws {
        let server = try ShareServer()
        try Data("a film".utf8).write(to: server.folder.appending(path: "a.mkv"))
        for place in ["\(KerberosRealm.host):\(server.port)/guest", "root:se%20cret@\(KerberosRealm.host):\(server.port)/safe"] {
            #expect(try read("smb://\(place)/a.mkv", hasTicket: hasTicket) == Array("a film".utf8))
        }
    }
}
