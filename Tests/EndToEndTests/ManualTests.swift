import AetherTestSupport
import Foundation
import Testing

/// The man pages are well-formed, and say what the programs say.
struct ManualTests {
    private static let folder = Shared.checkout.appending(path: "man")
    private static func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Every `--word` of a text.
    private static func options(in text: String) -> Set<String> {
        Set(
            text.matches(of: /^\x20\x20(?:-[A-Za-z], )?--(?<name>[a-z][a-z0-9-]*)/.anchorsMatchLineEndings()).map {
                String($0.output.name)
            }
        )
    }

    /// The options that a man page defines: `.It Fl Fl name`, or a short one with its long form.
    private static func documented(in page: String) -> Set<String> {
        Set(page.matches(of: /(?m)^\.It .*?Fl Fl (?<name>[a-z][a-z0-9-]*)/).map { String($0.output.name) })
    }

    @Test(arguments: [
        "aether-tui.1", "aetherctl.1", "aether-tui-config.5", "aether-tui-keys.5", "aether-tui-theme.5", "aether-tui-ipc.5",
    ])
    func mandocFindsNothingWrong(_ name: String) throws {
        let result = try Command(["mandoc", "-T", "lint", "-W", "warning", Self.folder.appending(path: name).path])
        if result.status == 127 { return }  // no mandoc here: make check and the server have it
        #expect(result.status == 0)
        #expect(result.standardOutput + result.standardError == "")
    }

    @Test(.enabled(if: Programs.player != nil, "\(Programs.missing)"))
    func thePlayersOptionsAreThoseOfItsPage() throws {
        let help = try Command([#require(Programs.player), "--help"])
        #expect(help.status == 0)
        #expect(Self.options(in: help.standardOutput) == Self.documented(in: try Self.page("aether-tui.1")))
    }

    @Test(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
    func theOptionsOfEverySubcommandAreThoseOfItsPage() throws {
        let page = try Self.page("aetherctl.1")
        let names = page.matches(of: /(?m)^\.Ss (?<name>[a-z][a-z-]*)$/).map { String($0.output.name) }
        let overview = try Command([#require(Programs.control), "--help"]).standardOutput
        let subcommands = try #require(overview.components(separatedBy: "SUBCOMMANDS:\n").last)
        let offered = subcommands.matches(of: /(?m)^\x20\x20(?<name>[a-z][a-z-]*)\x20/).map { String($0.output.name) }
        #expect(names == offered && names.contains("audio-devices"))
        // Described once, for all that open an address.
        let network = Self.documented(
            in: try #require(page.components(separatedBy: ".Sh NETWORK OPTIONS\n").last?.components(separatedBy: ".Sh ").first))
        #expect(network.count >= 14)
        for name in names {
            let section = try #require(page.components(separatedBy: ".Ss \(name)\n").last?.components(separatedBy: ".Ss ").first)
            let help = try Command([#require(Programs.control), name, "--help"])
            #expect(help.status == 0, "\(name)")
            let offered = Self.options(in: help.standardOutput).subtracting(["help", "version"])
            let own = section.components(separatedBy: ".Sh ").first ?? ""
            let shared = own.contains(".Sx NETWORK OPTIONS") ? network : []
            #expect(offered == Self.documented(in: own).union(shared), "\(name)")
            #expect(shared.isEmpty == !offered.contains("insecure"), "\(name)")
        }
    }

    /// docs/what-happens.md shows each stage by a command: all of them are there, with their options.
    @Test(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
    func theCommandsOfWhatHappensAreThere() throws {
        let page = try String(contentsOf: Shared.checkout.appending(path: "docs/what-happens.md"), encoding: .utf8)
        let commands = page.matches(of: /(?m)^ {4}aetherctl (?<words>.+)$/).map {
            $0.output.words.split(separator: " ").map(String.init)
        }
        #expect(commands.count >= 6)
        for words in commands {
            let help = try Command([#require(Programs.control), words[0], "--help"])
            #expect(help.status == 0 && help.standardOutput.contains("USAGE: aetherctl \(words[0])"), "\(words[0])")
            let offered = Self.options(in: help.standardOutput)
            for option in words where option.hasPrefix("--") {
                #expect(offered.contains(String(option.dropFirst(2))), "\(words)")
            }
        }
        // Where the clip was made, they show it.
        guard let demo = Programs.demo else { return print("skipped: the demo clip is not made") }
        for words in commands where ["boxes", "samples", "parameters"].contains(words[0]) {
            let shown = try Command([#require(Programs.control)] + words.map { $0 == "demo/demo.mkv" ? demo : $0 })
            #expect(shown.status == 0 && shown.standardOutput.count > 200, "\(words)")
        }
    }

    @Test func thePageListsEveryExitStatus() throws {
        let section = try #require(try Self.page("aether-tui.1").components(separatedBy: ".Sh EXIT STATUS").last)
        let listed = section.components(separatedBy: ".Sh ").first?.matches(of: /(?m)^\.It (?<status>[0-9]+)/).map {
            String($0.output.status)
        }
        #expect(listed == ["0", "1", "2", "3", "64"])
    }
}
