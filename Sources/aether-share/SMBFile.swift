import AetherSources
import CSMBClient
import Glibc

/// The reason why libsmbclient gave nothing.
struct SMBRefusal: Error {
    let kind: ShareRefusal
    let text: String
}

/// Name and password, where libsmbclient's question for them finds them.
private final class SMBLogin {
    let domain, user, password: String
    init(_ address: ShareAddress) {
        (domain, user, password) = (address.domain, address.user ?? "", address.password ?? "")
    }
}

/// A file that is open on a server. All calls block; one thread.
final class SMBFile {
    private let context: UnsafeMutablePointer<SMBCCTX>
    private let handle: OpaquePointer
    private var position: Int64 = 0
    let size, modified: UInt64

    private init(_ context: UnsafeMutablePointer<SMBCCTX>, _ handle: OpaquePointer, _ status: stat) {
        (self.context, self.handle) = (context, handle)
        (size, modified) = (UInt64(max(0, status.st_size)), UInt64(max(0, status.st_mtim.tv_sec)))
    }

    /// Connects and opens.
    static func open(_ address: ShareAddress) -> Result<SMBFile, SMBRefusal> {
        guard let fresh = smbc_new_context() else { return .failure(SMBRefusal(kind: .other, text: "no memory")) }
        smbc_setDebug(fresh, 0)
        smbc_setOptionDebugToStderr(fresh, 1)
        // 15 s: a server that says nothing for so long is asked anew by the player.
        smbc_setTimeout(fresh, 15_000)
        // The context, and with it the login, lives until the process ends.
        smbc_setOptionUserData(fresh, Unmanaged.passRetained(SMBLogin(address)).toOpaque())
        smbc_setFunctionAuthDataWithContext(fresh) { context, _, _, domain, domainRoom, user, userRoom, password, passwordRoom in
            guard let data = smbc_getOptionUserData(context) else { return }
            let login = Unmanaged<SMBLogin>.fromOpaque(data).takeUnretainedValue()
            SMBFile.copy(login.domain, domain, domainRoom, keepsEmpty: true)
            SMBFile.copy(login.user, user, userRoom)
            SMBFile.copy(login.password, password, passwordRoom)
        }
        if address.user != nil { smbc_setOptionNoAutoAnonymousLogin(fresh, 1) }
        guard let context = smbc_init_context(fresh), smbc_setOptionProtocols(context, "SMB2", nil) != 0 else {
            return .failure(SMBRefusal(kind: .other, text: "libsmbclient does not start"))
        }
        let port = address.port.map { ":\($0)" } ?? ""
        let url = "smb://\(address.host)\(port)/\(encoded(address.share))/\(encoded(address.path))"
        errno = 0
        guard let handle = smbc_getFunctionOpen(context)(context, url, O_RDONLY, 0) else {
            let reason = errno
            if ![EACCES, ENOENT, EPERM].contains(reason) {
                let absence = HostCheck.failure(address.host, port: address.port ?? 445)
                return .failure(refusal(absence == 0 ? reason : absence))
            }
            return .failure(refusal(reason, share: "smb://\(address.host)\(port)/\(encoded(address.share))", context))
        }
        var status = stat()
        guard smbc_getFunctionFstat(context)(context, handle, &status) == 0 else {
            return .failure(refusal(errno))
        }
        return .success(SMBFile(context, handle, status))
    }

    /// Reads until the count is full or the file ends.
    func read(_ number: UInt32, _ offset: UInt64, _ count: UInt32) -> ShareAnswer {
        if position != Int64(offset) {
            guard smbc_getFunctionLseek(context)(context, handle, off_t(offset), SEEK_SET) >= 0 else { return failure(number) }
            position = Int64(offset)
        }
        var isBroken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
            while filled < Int(count) {
                let more = smbc_getFunctionRead(context)(context, handle, room.baseAddress! + filled, Int(count) - filled)
                if more < 0 { isBroken = true }
                if more <= 0 { break }
                filled += more
            }
        }
        position += Int64(bytes.count)
        return isBroken ? failure(number) : .data(number: number, bytes: bytes[...])
    }

    /// It was open a moment ago: whatever is said now, the connection is not what it was.
    private func failure(_ number: UInt32) -> ShareAnswer {
        .failure(number: number, errno == ETIMEDOUT ? .timedOut : .brokeOff, text: "")
    }

    /// libsmbclient says "access denied" also of a wrong password, and "no such file" also of a share: the share's own folder tells which.
    private static func refusal(_ number: Int32, share: String, _ context: UnsafeMutablePointer<SMBCCTX>) -> SMBRefusal {
        guard number == EACCES || number == ENOENT else { return refusal(number) }
        if let folder = smbc_getFunctionOpendir(context)(context, share) {
            _ = smbc_getFunctionClosedir(context)(context, folder)
            return refusal(number)
        }
        return SMBRefusal(kind: number == EACCES ? .login : .noShare, text: "")
    }

    private static func refusal(_ number: Int32) -> SMBRefusal {
        let kind: ShareRefusal =
            switch number {
            case ENOENT, ENOTDIR, EISDIR: .noFile
            case ENODEV: .noShare
            case EPERM: .login
            case ENXIO: .noSuchHost
            case EACCES: .forbidden
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .timedOut
            case EHOSTUNREACH, ENETUNREACH: .unreachable
            case EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN: .brokeOff
            default: .other
            }
        return SMBRefusal(kind: kind, text: kind == .other || number == EISDIR ? String(cString: strerror(number)) : "")
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
