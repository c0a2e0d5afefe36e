import AetherSources
import CSMBClient
import Glibc

/// Name and password, where libsmbclient's question for them finds them.
private final class SMBLogin {
    let domain, user, password: String
    /// A person with a ticket needs no password.
    let hasTicket: Bool
    init(_ address: ShareAddress) {
        (domain, user, password) = (address.domain, address.user ?? "", address.password ?? "")
        hasTicket = address.password == nil && KerberosTickets.areThere
    }
}

/// The state of libsmbclient for one server: the login and the connections. Lives until the process ends. All calls block; one thread.
struct SMBSession {
    let context: UnsafeMutablePointer<SMBCCTX>
    let address: ShareAddress

    /// Nothing is asked of the server yet.
    init(_ address: ShareAddress) throws(ServerRefusal) {
        guard let fresh = smbc_new_context() else { throw ServerRefusal(.other, "no memory") }
        smbc_setDebug(fresh, 0)
        smbc_setOptionDebugToStderr(fresh, 1)
        // 15 s: a server that says nothing for so long is asked anew by the player.
        smbc_setTimeout(fresh, 15_000)
        // The context, and with it the login, lives until the process ends.
        let login = SMBLogin(address)
        smbc_setOptionUserData(fresh, Unmanaged.passRetained(login).toOpaque())
        smbc_setFunctionAuthDataWithContext(fresh) { context, _, _, domain, domainRoom, user, userRoom, password, passwordRoom in
            guard let data = smbc_getOptionUserData(context) else { return }
            let login = Unmanaged<SMBLogin>.fromOpaque(data).takeUnretainedValue()
            SMBSession.copy(login.domain, domain, domainRoom, keepsEmpty: true)
            // Without a name no ticket is shown: the library's own one is as good as another, for the ticket says who it is.
            SMBSession.copy(login.user, user, userRoom, keepsEmpty: login.hasTicket)
            SMBSession.copy(login.password, password, passwordRoom)
        }
        if address.user != nil { smbc_setOptionNoAutoAnonymousLogin(fresh, 1) }
        if login.hasTicket {
            // A server that takes no tickets is asked as ever.
            smbc_setOptionUseKerberos(fresh, 1)
            smbc_setOptionFallbackAfterKerberos(fresh, 1)
        }
        guard let context = smbc_init_context(fresh), smbc_setOptionProtocols(context, "SMB2", nil) != 0 else {
            throw ServerRefusal(.other, "libsmbclient does not start")
        }
        (self.context, self.address) = (context, address)
    }

    /// The same connection for another address of its share; nil for others.
    func leading(to other: ShareAddress) -> SMBSession? {
        address.sharesConnection(with: other) ? SMBSession(context, other) : nil
    }

    private init(_ context: UnsafeMutablePointer<SMBCCTX>, _ address: ShareAddress) {
        (self.context, self.address) = (context, address)
    }

    /// The server, a share or what lies below it, as libsmbclient reads it.
    private func url(_ parts: [String]) -> String {
        let port = address.port.map { ":\($0)" } ?? ""
        return (["smb://\(address.host)\(port)"] + parts.map(Self.encoded)).joined(separator: "/")
    }

    /// The address that the session is for.
    var url: String {
        url(address.share.isEmpty ? [""] : address.path.isEmpty ? [address.share] : [address.share, address.path])
    }

    /// libsmbclient says "access denied" also of a wrong password, and "no such file" also of a share: the share's own folder tells which.
    func refusal(_ number: Int32) -> ServerRefusal {
        if ![EACCES, ENOENT, EPERM].contains(number) {
            let absence = HostCheck.failure(address.host, port: address.port ?? address.scheme.port)
            // A server that signs all it says does not finish the login of somebody without a password, and libsmbclient calls that so.
            if absence == 0, number == EINVAL, address.password == nil { return ServerRefusal(.login) }
            return ServerRefusal(errno: absence == 0 ? number : absence)
        }
        guard number == EACCES || number == ENOENT, !address.share.isEmpty else {
            return ServerRefusal(errno: number == EACCES ? EPERM : number)
        }
        if !address.path.isEmpty, let folder = smbc_getFunctionOpendir(context)(context, url([address.share])) {
            _ = smbc_getFunctionClosedir(context)(context, folder)
            return ServerRefusal(errno: number)
        }
        return ServerRefusal(number == EACCES ? .login : .noShare)
    }

    private static func copy(_ text: String, _ room: UnsafeMutablePointer<CChar>?, _ count: Int32, keepsEmpty: Bool = false) {
        guard let room, count > 0, !(keepsEmpty && text.isEmpty) else { return }
        let bytes = text.utf8.prefix(Int(count) - 1)
        for (index, byte) in bytes.enumerated() { room[index] = CChar(bitPattern: byte) }
        room[bytes.count] = 0
    }

    private static func encoded(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
