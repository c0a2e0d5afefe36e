import AetherCore
import AetherDesktop

/// Asks the desktop's keyring for logins, and has it keep them, on threads of its own: it may not answer. The main thread takes what was found after a
/// wake.
final class LoginDesk: Sendable {
    private enum Wish: Sendable {
        case find(LoginQuestion, user: String)
        case keep(Keyring.Login, server: String)
    }

    /// The outcome of a wish.
    enum News: Sendable {
        /// nil: the keyring has none.
        case found(LoginQuestion, Keyring.Login?)
        /// nil: it is kept; else why not.
        case kept(String?)
    }

    private let requests: Requests<Wish, News>

    /// A person asks for some servers, not for a hundred.
    private static let limit = 16

    /// `wake` is signalled with each answer.
    init(keyring: Keyring = Keyring(), wake: WakeHandle) {
        requests = Requests(name: "keyring", order: .each(limit: Self.limit), wake: { wake.wake() }) {
            { wish, _ in
                switch wish {
                case .find(let question, let user):
                    return .found(question, keyring.login(at: question.server, user: user))
                case .keep(let login, let server): return .kept(keyring.keep(login, at: server))
                }
            }
        }
    }

    /// Looks for the login of a server. Never blocks.
    func find(_ question: LoginQuestion, user: String) { requests.ask(.find(question, user: user)) }

    /// Has a login kept. Never blocks.
    func keep(user: String, password: String, for question: LoginQuestion) {
        requests.ask(.keep(Keyring.Login(user: user, password: password), server: question.server))
    }

    /// The next answer, once.
    func take() -> News? { requests.take() }
}
