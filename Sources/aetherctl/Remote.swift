import AetherCore
import AetherDesktop
import AetherOptions
import ArgumentParser
import Glibc

/// A small remote control.
struct Remote: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remote", abstract: translated("Send a command to a running player."),
            discussion: translated(
                """
                get PROPERTY, set PROPERTY VALUE, observe PROPERTY, action WORDS as in keys.toml, or a command of aether-tui-ipc(5), \
                such as seek 63.5. What the player answers is printed as it comes; observe prints until the player ends.
                """))
    }

    @Argument(help: .translated("The player's socket.", value: "path"))
    var path: String

    @Argument(parsing: .allUnrecognized, help: .translated("The command to send.", value: "command"))
    var words: [String]

    func run() throws {
        let request = try request()
        let isTaken: Bool
        do throws(RemoteError) {
            isTaken = try talk(request)
        } catch {
            printError("aetherctl: \(error)")
            throw ExitStatus.cannotOpen
        }
        if !isTaken { throw ExitCode(1) }
    }

    /// Says it and prints what comes back; false where it was refused.
    private func talk(_ request: RemoteRequest) throws(RemoteError) -> Bool {
        var connection = try RemoteConnection(path: path)
        try connection.say(request.line)
        var isAnswered = false, early: [String] = []
        while let bytes = try connection.nextLine() {
            guard let line = Remote.value(bytes) else { continue }
            if line["event"] != nil {
                if isAnswered {
                    tell(line.line)
                } else if line["event"] == .string("property") {
                    // The present value may come before the answer.
                    early.append(line.line)
                }
                continue
            }
            tell(shown(line))
            guard line["ok"] == .bool(true) else { return false }
            guard isObserving else { return true }
            isAnswered = true
            early.forEach(tell)
        }
        if !isAnswered { printError("aetherctl: " + translated("the player has gone")) }
        return isAnswered
    }

    /// As it comes, also into a pipe: who observes reads each line when it is said.
    private func tell(_ text: String) {
        printSafely(text)
        StandardOutput.flush()
    }

    private static func value(_ line: [UInt8]) -> JSON? {
        do throws(JSON.Flaw) {
            return try JSON(line)
        } catch {
            return nil
        }
    }

    private var isObserving: Bool { words.first == "observe" }

    /// A value alone where there is one, else the whole answer.
    private func shown(_ line: JSON) -> String { line["value"]?.text ?? line["value"]?.line ?? line["error"]?.text ?? "ok" }

    private func request() throws -> RemoteRequest {
        let values = words.dropFirst().map { JSON.string($0) }
        switch (words.first, values.count) {
        case ("get", 1): return RemoteRequest(.get(words[1]))
        case ("set", 2): return RemoteRequest(.set(words[1], words[2] == "null" ? .null : .string(words[2])))
        case ("observe", 1): return RemoteRequest(.observe(words[1], true))
        case ("action", 1...): return RemoteRequest(.action(words.dropFirst().joined(separator: " ")))
        case (let word?, _) where !["get", "set", "observe", "action"].contains(word):
            return RemoteRequest(.command(word, values))
        default:
            throw ValidationError(
                translated("Say get PROPERTY, set PROPERTY VALUE, observe PROPERTY, action WORDS or a command."))
        }
    }
}
