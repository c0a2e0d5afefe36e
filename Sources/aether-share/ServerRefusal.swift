import AetherSources
import Glibc

/// The reason why a server's library gave nothing.
struct ServerRefusal: Error {
    let kind: ShareRefusal
    let text: String

    init(_ kind: ShareRefusal, _ text: String = "") { (self.kind, self.text) = (kind, text) }

    /// The refusal that an errno means.
    init(errno number: Int32) {
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
        let isUnclear = kind == .other || number == EISDIR || number == ENOTDIR
        self.init(kind, isUnclear ? String(cString: strerror(number)) : "")
    }
}
