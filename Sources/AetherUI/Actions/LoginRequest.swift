import AetherCore

/// A server that wants a name and a password, or other ones, and what is opened again once it has them.
public struct LoginQuestion: Sendable, Equatable {
    /// The thing that waits for the answer.
    enum Purpose: Sendable, Equatable {
        /// The file that was to be played.
        case file(MediaError)
        /// A directory of the browser.
        case directory
    }

    /// The address that was refused, as the person knows it.
    let address: String
    /// The server of it, by which it is told from others.
    let server: String
    let purpose: Purpose
}

/// A request about a server's login.
public enum LoginRequest: Sendable, Equatable {
    /// A server has refused: its login is looked for, and then asked for.
    case find(LoginQuestion)
    /// The person has typed it. `isKept`: it goes into the keyring, too.
    case answer(LoginQuestion, user: String, password: String, isKept: Bool)
    /// The person does not want to.
    case giveUp(LoginQuestion)
}
