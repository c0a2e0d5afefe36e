import AetherCore
import AetherLibrary
import AetherOptions
import ArgumentParser
import FoundationEssentials

/// The files that were played last.
struct HistoryCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "history", abstract: translated("List the files that were played last, or forget them."))
    }

    @Option(help: .translated("List at most this many.", value: "number"))
    var limit = 20

    @Flag(help: .translated("Forget every file, its position and its settings."))
    var clear = false

    @Flag(help: .translated("Print addresses of the network alone, those that open something without what was left out of them."))
    var urls = false

    func validate() throws {
        if !(1...2000).contains(limit) { throw ValidationError(translated("--limit takes 1 to 2000.")) }
        if urls, clear { throw ValidationError(translated("--urls and --clear exclude each other.")) }
    }

    func run() throws {
        guard let path = HistoryDatabase.path(ProcessInfo.processInfo.environment) else {
            throw failed(translated("no home directory"))
        }
        // Looking must not make a database.
        guard FileManager.default.fileExists(atPath: path) else {
            if !urls { printSafely(clear ? Self.forgotten(0) : translated("nothing was played yet")) }
            return
        }
        do throws(HistoryDatabase.Unavailable) {
            let database = try HistoryDatabase(path: path)
            if let notice = database.damageNotice { printError("aetherctl: " + notice) }
            if clear {
                printSafely(Self.forgotten(try database.clear()))
            } else if urls {
                for address in HistoryRecord.addresses(try database.recent(limit: 2000), limit: limit) { printSafely(address) }
            } else {
                for record in try database.recent(limit: limit) { printSafely(HistoryCommand.line(record)) }
            }
        } catch {
            throw failed(error.description)
        }
    }

    private static func forgotten(_ count: Int) -> String {
        translated(one: "\(count) file forgotten", other: "\(count) files forgotten", count: count)
    }

    /// One line: time, position, title and location.
    private static func line(_ record: HistoryRecord) -> String {
        let progress = record.progress
        let place = time(progress.position)
        let far =
            progress.isFinished
            ? translated("seen", context: "history") : progress.duration.map { translated("\(place) of \(time($0))") } ?? place
        let date = Date(timeIntervalSince1970: Double(min(max(record.playedAt, 0), 253_402_300_799)))
        let day = date.formatted(.iso8601.year().month().day().dateSeparator(.dash))
        return "\(day)  \(far)  \(DisplayText.singleLine(record.identity.location, limit: 1000))"
    }

    private static func time(_ span: TimeSpan) -> String {
        let seconds = max(0, span.nanoseconds) / 1_000_000_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    private func failed(_ reason: String) -> ExitCode {
        printError("aetherctl: history: \(reason)")
        return ExitStatus.cannotOpen
    }
}
