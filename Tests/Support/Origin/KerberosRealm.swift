import AetherCore
import Foundation
import Glibc

/// A realm of Kerberos with a KDC of its own on the loopback address, one person ("viewer") with a ticket, and the key of an SMB server with this
/// machine's name. Ends with its last user.
public final class KerberosRealm: Sendable {
    /// No KDC could be started.
    public struct Failure: Error {}

    /// This machine's name: tickets are for names, and neither for numbers nor for "localhost".
    public static let host: String = {
        var room = [CChar](repeating: 0, count: 256)
        gethostname(&room, room.count - 1)
        return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Whether the programs are there, and the machine's name leads to 127.0.0.1, where the tests' servers are.
    public static let isAvailable: Bool = {
        let programs = ["/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit"]
        guard geteuid() == 0, programs.allSatisfy(FileManager.default.isExecutableFile) else { return false }
        var found: UnsafeMutablePointer<addrinfo>?
        var hints = addrinfo()
        (hints.ai_family, hints.ai_socktype) = (AF_INET, Int32(SOCK_STREAM.rawValue))
        guard host != "localhost", getaddrinfo(host, nil, &hints, &found) == 0, let first = found else { return false }
        defer { freeaddrinfo(found) }
        return first.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee.sin_addr.s_addr == UInt32(0x7F00_0001).bigEndian
        }
    }()

    private let files: TemporaryFolder
    private let kdc: Pty

    /// Makes it, and gets the ticket.
    public init() throws {
        let files = try TemporaryFolder()
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        // The KDC takes the port itself: one that was free a moment ago.
        close(socket)
        try Self.client(port).write(toFile: files.path("krb5.conf"), atomically: true, encoding: .utf8)
        try Self.server(files, port).write(toFile: files.path("kdc.conf"), atomically: true, encoding: .utf8)
        let places = [
            "KRB5_CONFIG": files.path("krb5.conf"), "KRB5_KDC_PROFILE": files.path("kdc.conf"),
            "KRB5CCNAME": "FILE:" + files.path("tickets"),
        ]
        for words in [
            ["kdb5_util", "create", "-s", "-P", "master"], ["kadmin.local", "addprinc", "-pw", "se cret", "viewer"],
            ["kadmin.local", "addprinc", "-randkey", "cifs/\(Self.host)"],
            ["kadmin.local", "ktadd", "-k", files.path("keytab"), "cifs/\(Self.host)"],
        ] {
            let made = try Command(["PATH=/usr/sbin:/usr/bin:/bin"] + words, environment: places)
            guard made.status == 0 else { throw Failure() }
        }
        kdc = try Pty(["/usr/bin/env"] + places.map { "\($0)=\($1)" } + ["/usr/sbin/krb5kdc", "-n", "-P", files.path("pid")])
        self.files = files
        guard kdc.waitForOutput({ String(decoding: $0, as: UTF8.self).contains("commencing operation") }) else { throw Failure() }
        guard try Command(["kinit", "viewer"], environment: places, input: Data("se cret\n".utf8)).status == 0 else {
            throw Failure()
        }
    }

    /// The variables by which a program finds the ticket.
    public var variables: [String] {
        ["KRB5_CONFIG=" + files.path("krb5.conf"), "KRB5CCNAME=FILE:" + files.path("tickets")]
    }

    /// The settings of a server of SMB that takes the tickets, for `ShareServer`.
    public func settings() throws -> String {
        let users = "root = viewer viewer@AETHER.TEST AETHER\\viewer\n"
        try users.write(toFile: files.path("users"), atomically: true, encoding: .utf8)
        return """
            workgroup = AETHER
            realm = AETHER.TEST
            kerberos method = dedicated keytab
            dedicated keytab file = FILE:\(files.path("keytab"))
            username map = \(files.path("users"))
            """
    }

    private static func client(_ port: UInt16) -> String {
        """
        [libdefaults]
        default_realm = AETHER.TEST
        dns_lookup_kdc = false
        dns_lookup_realm = false
        dns_canonicalize_hostname = false
        rdns = false
        udp_preference_limit = 1
        [realms]
        AETHER.TEST = {
            kdc = 127.0.0.1:\(port)
        }
        [domain_realm]
        \(host) = AETHER.TEST
        [logging]
        kdc = STDERR
        """
    }

    /// Without a PAC: a server outside of a domain takes no ticket with one.
    private static func server(_ files: TemporaryFolder, _ port: UInt16) -> String {
        """
        [kdcdefaults]
        kdc_listen = 127.0.0.1:\(port)
        kdc_tcp_listen = 127.0.0.1:\(port)
        [realms]
        AETHER.TEST = {
            database_name = \(files.path("principal"))
            key_stash_file = \(files.path("stash"))
            disable_pac = true
        }
        """
    }
}
