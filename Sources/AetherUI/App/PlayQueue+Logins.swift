import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources

/// Names and passwords that servers want: looked for in the keyring, then asked for.
extension PlayQueue {
    /// The next step towards a login.
    enum LoginStep: Sendable, Equatable {
        /// The person is to be asked; the name that is known.
        case ask(LoginQuestion, user: String)
        /// The server may be asked again.
        case reopen(LoginQuestion)
        /// The person does not want to.
        case giveUp(LoginQuestion)
        case say(String)
    }

    /// The question that a failure of the present file raises; nil where no login would help.
    func loginQuestion(after failure: MediaError) -> LoginQuestion? {
        Self.loginQuestion(about: playlist.current, after: failure)
    }

    /// The same for any place.
    static func loginQuestion(about location: MediaLocation, after failure: MediaError) -> LoginQuestion? {
        guard failure.code == .loginRefused, case .url(let address) = location, RemotePath.takesLogin(address) else { return nil }
        return LoginQuestion(address: address, server: RemotePath.server(of: address) ?? address, purpose: .file(failure))
    }

    /// Carries a request out; nil: the answer comes later.
    mutating func carryOut(_ request: LoginRequest) -> LoginStep? {
        switch request {
        case .find(let question):
            let user = surroundings.logins.user(at: question.address)
            // A login of the keyring that was refused is not taken a second time.
            guard searchedServers.insert(question.server).inserted else { return .ask(question, user: user) }
            surroundings.keyring.find(question, user: user)
            return nil
        case .answer(let question, let user, let password, let isKept):
            surroundings.logins.keep(user: user, password: password, for: question.address)
            if isKept { surroundings.keyring.keep(user: user, password: password, for: question) }
            return .reopen(question)
        case .giveUp(let question): return .giveUp(question)
        }
    }

    /// The answer of the keyring as a step, once.
    func takeLogin() -> LoginStep? {
        switch surroundings.keyring.take() {
        case .found(let question, let login?):
            surroundings.logins.keep(user: login.user, password: login.password, for: question.address)
            return .reopen(question)
        case .found(let question, nil): return .ask(question, user: surroundings.logins.user(at: question.address))
        case .kept(nil): return .say(translated("The keyring keeps the password"))
        case .kept(let reason?): return .say(translated("The password is not kept: \(reason)"))
        case nil: return nil
        }
    }
}
