import AetherCore

/// The reason why a server of shares gave nothing, as it goes from the program to the player.
package enum ShareRefusal: UInt8, Sendable, CaseIterable {
    case noSuchHost = 1
    case refused, unreachable, timedOut, brokeOff
    /// Wrong name or password, or guests are not let in.
    case login
    case noShare, noFile, forbidden, other

    /// The fault that the player decides by.
    var kind: NetworkFault.Kind {
        switch self {
        case .noSuchHost: .noSuchHost
        case .refused: .refused
        case .unreachable: .unreachable
        case .timedOut: .timedOut
        case .brokeOff: .brokeOff
        case .login: .login
        case .noShare: .noShare
        case .noFile: .missing
        case .forbidden: .forbidden
        case .other: .other
        }
    }
}
