import AetherCore
import AetherEngine

/// Names and passwords for servers.
extension ScreenApp {
    mutating func obey(_ request: LoginRequest) {
        if let step = queue.carryOut(request) { follow(step) }
    }

    /// Takes what the keyring says.
    mutating func takeLogins() {
        while let step = queue.takeLogin() { follow(step) }
    }

    private mutating func follow(_ step: PlayQueue.LoginStep) {
        switch step {
        case .ask(let question, let user): update(.loginAsked(question, user: user))
        case .say(let text): update(.notice(text))
        case .reopen(let question):
            switch question.purpose {
            case .directory: update(.loginGiven(question))
            // Another file may have been chosen meanwhile.
            case .file: if queue.playlist.current == .url(question.address) { reopen() }
            }
        case .giveUp(let question):
            if case .file(let error) = question.purpose, queue.playlist.current == .url(question.address) {
                goOn(after: error, isAsked: true)
            }
        }
    }
}
