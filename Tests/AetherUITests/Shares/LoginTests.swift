import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct LoginBookTests {
    private let book = LoginBook([SavedShare(name: "nas", address: "smb://me@nas/media")])

    @Test func savedNamesAndTypedPasswordsAreFilledIn() {
        #expect(book.completed("smb://nas/media/a.mkv") == "smb://me@nas/media/a.mkv")
        #expect(book.completed("smb://other/media") == "smb://other/media")
        book.keep(user: "D\\you", password: "p@ss:/", for: "smb://me@nas/x")
        #expect(book.completed("smb://NAS/media/a.mkv") == "smb://D;you:p%40ss%3A%2F@NAS/media/a.mkv")
        // Another person's name, and an address that has a password, are as they were written.
        #expect(book.completed("smb://root@nas/media") == "smb://root@nas/media")
        #expect(book.completed("smb://a:b@nas/media") == "smb://a:b@nas/media")
        #expect(book.user(at: "smb://nas/x") == "D;you")
        #expect(book.completed(.file("/nas/x")) == .file("/nas/x"))
    }

    @Test func theFileOfSharesIsRead() throws {
        var report = ConfigReport()
        let text = """
            [films]
            address = "nfs://nas/films/"
            [nas]
            address = "smb://nas/media"
            user = "me"
            domain = "HOME"
            """
        let shares = SharesFile.shares(try TOMLDocument(text, file: "shares.toml"), &report)
        #expect(shares.map(\.name) == ["films", "nas"] && report.lines.isEmpty)
        #expect(shares.map(\.address) == ["nfs://nas/films", "smb://HOME;me@nas/media"])
    }

    @Test(arguments: [
        ("x = 1", "is a table"), ("[x]\naddress = \"/home\"", "is an address"),
        ("[x]\naddress = \"smb://a:b@nas/s\"", "without a password"),
        ("[x]\nadress = \"smb://nas/s\"", "is not known"), ("[x]\naddress = \"smb://nas/s\"\nuser = 5", "name in quotes"),
    ])
    func faultsOfTheFileAreTold(_ text: String, _ words: String) throws {
        var report = ConfigReport()
        _ = SharesFile.shares(try TOMLDocument(text, file: "shares.toml"), &report)
        #expect(report.lines.contains { $0.contains(words) }, "\(report.lines)")
    }
}

@Suite struct LoginPromptTests {
    private let question = LoginQuestion(address: "smb://nas/media/a.mkv", server: "smb://nas", purpose: .directory)

    private func press(_ prompt: inout LoginPrompt, _ keys: [KeyStroke]) -> [LayerOrder] {
        let scene = Scene(
            size: CellSize(columns: 80, rows: 24), capabilities: ChromeCapabilities(), keymap: .standard,
            now: HostTime(nanoseconds: 0))
        return keys.flatMap { prompt.key($0, in: scene, now: .init(nanoseconds: 0))?.orders ?? [] }
    }

    @Test func aPasswordIsTypedAndNotShown() {
        var prompt = LoginPrompt(question, user: "")
        _ = press(&prompt, "me".map { KeyStroke($0) } + [KeyStroke(.enter)])
        #expect(prompt.field == .password)
        _ = press(&prompt, "qx1x".map { KeyStroke($0) } + [KeyStroke(.backspace), KeyStroke(.character("k"), .control)])
        let scene = Scene(
            size: CellSize(columns: 80, rows: 24), capabilities: ChromeCapabilities(), keymap: .standard,
            now: HostTime(nanoseconds: 0))
        let texts = prompt.pane(in: scene)?.runs.map(\.text) ?? []
        #expect(texts.contains { $0.contains("smb://nas") } && texts.contains { $0.hasPrefix("me") })
        #expect(!texts.contains { $0.contains("qx1") })
        let orders = press(&prompt, [KeyStroke(.enter)])
        #expect(orders.contains(.effect(.login(.answer(question, user: "me", password: "qx1", isKept: true)))))
    }

    @Test func escapeGivesUpAndControlSignsAreNoLetters() {
        var prompt = LoginPrompt(question, user: "me")
        #expect(prompt.field == .password)
        _ = press(&prompt, [KeyStroke(.character("c"), .control), KeyStroke(.character("\u{1B}"))])
        #expect(prompt.password.isEmpty)
        #expect(press(&prompt, [KeyStroke(.escape)]) == [.effect(.login(.giveUp(question)))])
    }
}
