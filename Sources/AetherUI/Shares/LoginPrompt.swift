import AetherCore
import AetherTerminal

/// The fields for a name and a password that a server wants. The password is never drawn. A value: `LoginPane` draws it.
struct LoginPrompt: Sendable, Equatable {
    /// The field that keys go to.
    enum Field: Sendable, Equatable { case user, password }

    let question: LoginQuestion
    private(set) var user: String
    private(set) var password = ""
    private(set) var field: Field
    /// The password goes into the keyring.
    private(set) var isKept = false

    /// Longer than any in use.
    private static let limit = 200

    /// `user`: the name that is known, if any.
    init(_ question: LoginQuestion, user: String) {
        self.question = question
        self.user = user
        field = user.isEmpty ? .user : .password
    }

    /// The sentence that asks for the present field, for those who see no fields.
    var words: String {
        switch field {
        case .user: translated("\(server) wants a name: type it, Enter; Esc gives up")
        case .password:
            isKept
                ? translated(
                    "Password of \(user) on \(server), not shown: type it, Enter; Ctrl+K does not keep it in the keyring")
                : translated("Password of \(user) on \(server), not shown: type it, Enter; Ctrl+K keeps it in the keyring")
        }
    }

    private var server: String { DisplayText.singleLine(question.server, limit: 200) }

    mutating func type(_ character: Character) {
        guard !character.isNewline, character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return }
        switch field {
        case .user: if user.count < Self.limit { user.append(character) }
        case .password: if password.count < Self.limit { password.append(character) }
        }
    }

    mutating func erase() {
        switch field {
        case .user: _ = user.popLast()
        case .password: _ = password.popLast()
        }
    }

    mutating func clear() {
        switch field {
        case .user: user = ""
        case .password: password = ""
        }
    }

    mutating func turn() { field = field == .user ? .password : .user }

    mutating func toggleKeeping() { isKept.toggle() }

    /// Enter: to the next field, or the answer; nil while something is missing.
    mutating func enter() -> LoginRequest? {
        if user.isEmpty {
            field = .user
            return nil
        }
        if field == .user {
            field = .password
            return nil
        }
        return .answer(question, user: user, password: password, isKept: isKept)
    }
}

extension LoginPrompt: Layer {
    func pane(in scene: Scene) -> Pane? { LoginPane(self, scene)?.pane }
    func rect(in scene: Scene) -> CellRect? { LoginPane(self, scene)?.rect }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        let former = field
        switch stroke.key {
        case .escape: return LayerOutcome(closes: true, .effect(.login(.giveUp(question))))
        case .enter:
            if let request = enter() { return LayerOutcome(closes: true, .effect(.login(request))) }
        case .tab, .up, .down: turn()
        case .backspace: erase()
        case .character("u") where stroke.modifiers == .control: clear()
        case .character("k") where stroke.modifiers == .control:
            toggleKeeping()
            return LayerOutcome(
                .say(
                    isKept
                        ? translated("The keyring will keep the password") : translated("The keyring will not keep the password"))
            )
        case .character(let character) where stroke.modifiers.subtracting(.shift).isEmpty: type(character)
        // Nothing goes through to what lies below: it would be a letter of a password.
        default: break
        }
        return field == former ? LayerOutcome() : LayerOutcome(.say(words))
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isInside, event.action == .press, let row = LoginPane(self, scene)?.field(row: event.y) else { return nil }
        field = row
        return LayerOutcome()
    }
}
