import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// Every refusal of aether-tui-ipc(5), and the words that its page lists.
@Suite struct RemoteRefusalTests {
    private let properties = RemoteProperties(
        snapshot: film(), playlist: Playlist(items: [.init(location: .file("a.mkv")), .init(location: .file("b.mkv"))]),
        title: "A")

    /// The words that a section of the page lists, each with whether a star stands behind it.
    private static func listed(in section: String) throws -> [String: Bool] {
        let page = try String(contentsOf: Shared.checkout.appending(path: "man/aether-tui-ipc.5"), encoding: .utf8)
        let body = try #require(page.components(separatedBy: ".Ss \(section)\n").last?.components(separatedBy: "\n.S").first)
        var found: [String: Bool] = [:]
        for line in body.split(separator: "\n") where line.hasPrefix(".It Cm ") {
            var last: String?, isWord = true
            // The arguments of a command stand behind it, to the end of the line.
            for word in line.dropFirst(4).split(separator: " ").prefix(while: { $0 != "Ar" && $0 != "Op" }) {
                switch word {
                case "Cm": isWord = true
                case "No": isWord = false
                case "*": if let last { found[last] = true }
                case ",": isWord = true
                default:
                    guard isWord else { continue }
                    found[String(word)] = false
                    last = String(word)
                }
            }
        }
        return found
    }

    @Test func thePageListsEveryCommandAndProperty() throws {
        let commands = try Self.listed(in: "Commands")
        #expect(Set(commands.keys) == Set(RemoteCommands.words.map(\.name)))
        let listed = try Self.listed(in: "Properties")
        #expect(Set(listed.keys) == Set(RemoteProperties.names))
        for (name, canBeSet) in listed {
            // No property takes a list.
            let reason = refusal { _ = try properties.order(setting: name, to: .array([])) }
            #expect((reason == "\(name) can only be read") != canBeSet, "\(name): \(reason ?? "taken")")
        }
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let problem as RemoteCommands.Problem {
            return problem.reason
        } catch {
            return "\(error)"
        }
    }

    @Test func everyCommandSaysWhatItTakes() {
        var refused = 0
        for word in RemoteCommands.words {
            let takes = "\(word.name) takes \(word.takes.isEmpty ? "no value" : word.takes)"
            // None takes a list, three values, or, where it takes one, none.
            for values: [JSON] in [[.array([])], [.number(1), .number(1), .number(1)]] + (word.takes.isEmpty ? [] : [[]]) {
                let reason = refusal { _ = try RemoteCommands.order(word.name, values, start: .zero) }
                // No line at all closes the pane.
                #expect(reason == (word.name == "pane" && values.isEmpty ? nil : takes), "\(word.name) \(values)")
                refused += 1
            }
        }
        #expect(refused == RemoteCommands.words.count * 3 - 10)
    }

    @Test(
        arguments: [
            ("position", .number(-1), "position takes seconds"), ("position", .number(.infinity), "position takes seconds"),
            ("percent", .number(100.5), "percent takes 0 to 100"), ("paused", .string("perhaps"), "paused takes true or false"),
            ("volume", .number(150.5), "volume takes 0 to 150"), ("muted", .number(2), "muted takes true or false"),
            ("speed", .number(0.2), "speed takes 0.25 to 4"), ("speed", .number(4.1), "speed takes 0.25 to 4"),
            ("audio-delay", .number(10.5), "audio-delay takes -10 to 10 seconds"),
            ("subtitle-delay", .number(-3601), "subtitle-delay takes -3600 to 3600 seconds"),
            ("audio-track", .null, "audio-track takes the id of an audio track"),
            ("video-track", .string("external:0"), "video-track takes the id of a video track"),
            ("subtitle-track", .string("container:99"), "subtitle-track takes the id of a subtitle track, or null"),
            ("second-subtitle-track", .number(1), "second-subtitle-track takes the id of a subtitle track, or null"),
            ("equalizer", .string("loud"), "equalizer takes flat, speech, bass, night, or gains of ten bands in dB"),
            ("downmix", .string("quiet"), "downmix takes loud or safe"),
            ("channels", .number(3), "channels takes auto, stereo, 5.1 or 7.1"),
            ("file", .number(0), "file takes a number from 1"), ("file", .number(1.5), "file takes a number from 1"),
            ("repeat", .string("twice"), "repeat takes off, list or file"), ("loop", .null, "loop takes true or false"),
            ("shuffle", .string(""), "shuffle takes true or false"),
            ("volumes", .number(1), "unknown property volumes; did you mean \"volume\"?"),
        ] as [(String, JSON, String)])
    func everyPropertySaysWhatItTakes(_ name: String, _ value: JSON, _ reason: String) {
        #expect(refusal { _ = try properties.order(setting: name, to: value) } == reason)
    }

    @Test(arguments: [
        ("", "no JSON"), ("[]", "a request is an object"),
        ("{}", "a request has one of action, command, get, set, observe, unobserve"),
        (#"{"get":"a","set":"b","value":1}"#, "a request has one of action, command, get, set, observe, unobserve"),
        (#"{"command":[]}"#, "command is an array that begins with a word"), (#"{"get":1}"#, "get takes a text"),
        (#"{"action":null}"#, "action takes a text"), (#"{"observe":["a"]}"#, "observe takes a text"),
        (#"{"unobserve":{}}"#, "unobserve takes a text"), (#"{"set":"volume"}"#, "set takes a value"),
    ])
    func everyLineThatIsNoRequestIsToldWhy(_ line: String, _ reason: String) {
        do throws(RemoteRequest.Flaw) {
            _ = try RemoteRequest(line: Array(line.utf8))
            Issue.record("\(line) was taken")
        } catch {
            #expect(error.reason.hasPrefix(reason), "\(line): \(error.reason)")
        }
    }
}
