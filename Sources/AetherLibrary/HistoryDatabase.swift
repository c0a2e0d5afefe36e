public import AetherCore
import Foundation
import GRDB
import Glibc

/// The history on disk: an SQLite database that any number of players may have open. Every call blocks on the file system, and for
/// up to two seconds on another player that writes, and opening for as long as another makes the database; call them on a thread of your own.
public final class HistoryDatabase: Sendable {
    /// Why there is no history.
    public struct Unavailable: Error, CustomStringConvertible {
        public let description: String
    }

    /// Where the damaged database went that this one took the place of; nil: there was none.
    public let setAside: String?
    private let queue: DatabaseQueue

    /// More are forgotten, the oldest first. 2000: some years of evenings, and under 1 MB.
    static let recordLimit = 2000

    /// `XDG_STATE_HOME/aether-tui/history.sqlite`; nil where not even HOME is known.
    public static func path(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/aether-tui/history.sqlite" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/aether-tui/history.sqlite"
    }

    /// Opens the database, makes it where there is none, and brings it up to date. A damaged one is renamed and a new one made. `patience`: how
    /// long a writer waits for its turn, which another one has for milliseconds. Blocks.
    public init(path: String, patience: TimeSpan = .seconds(2)) throws(Unavailable) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Unavailable(description: error.localizedDescription)
        }
        do {
            queue = try HistoryDatabase.open(path, patience)
            setAside = nil
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            do {
                setAside = try HistoryDatabase.putAside(path)
                queue = try HistoryDatabase.open(path, patience)
            } catch {
                throw Unavailable(description: "\(error)")
            }
        } catch {
            throw Unavailable(description: "\(error)")
        }
    }

    private static func open(_ path: String, _ patience: TimeSpan) throws -> DatabaseQueue {
        var configuration = Configuration()
        // Readers and a writer at once; a second writer waits for its turn, which takes milliseconds.
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(patience.seconds)
        // A crash of the machine may lose the last place, never the database.
        // What is forgotten or written over leaves nothing in the file.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON") }
        // Two players that make it at once: SQLite refuses the second at some steps (the change to WAL) without waiting.
        // The directory's own lock: no file is left behind.
        let turn = Glibc.open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if turn >= 0 { close(turn) } }
        while turn >= 0, flock(turn, LOCK_EX) != 0, errno == EINTR {}
        closeToOthers(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try HistorySchema.steps.migrate(queue)
        let isWhole = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") == "ok" }
        guard isWhole else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return queue
    }

    /// What was watched is nobody else's business. SQLite gives the files beside the database the database's own mode, when it makes them;
    /// those that were made otherwise are mended.
    private static func closeToOthers(_ path: String) {
        // Only a file that is new may be opened and closed here: closing gives back the locks that the process has on it.
        let made = Glibc.open(PathText.cString(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) }
        for suffix in ["", "-wal", "-shm", "-journal"] { chmod(PathText.cString(path + suffix), 0o600) }
    }

    private static func putAside(_ path: String) throws -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        let target = "\(path).damaged-\(number)"
        try FileManager.default.moveItem(atPath: path, toPath: target)
        // They belong to the damaged one and would damage the new one.
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        return target
    }

    // MARK: - Files

    /// What is known of a file: by its location, else by its content where it was moved.
    public func record(of identity: FileIdentity) throws(Unavailable) -> HistoryRecord? {
        try attempt {
            try queue.read { database -> HistoryRecord? in
                let here = try Row.fetchOne(
                    database, sql: "SELECT * FROM file WHERE location = ?", arguments: [HistoryRow.place(of: identity)])
                if let found = here.flatMap({ HistoryRow($0) })?.record, found.identity.isSameContent(as: identity) {
                    return found
                }
                guard let size = identity.size, let fingerprint = identity.fingerprint else { return nil }
                let elsewhere = try Row.fetchOne(
                    database, sql: "SELECT * FROM file WHERE fingerprint = ? AND size = ? ORDER BY playedAt DESC LIMIT 1",
                    arguments: [Int64(bitPattern: fingerprint), size])
                return elsewhere.flatMap { HistoryRow($0) }?.record
            }
        }
    }

    /// Writes a record; it takes the place of the one with the same location, and of those with the same content whose files are gone.
    public func save(_ record: HistoryRecord) throws(Unavailable) {
        let columns = HistoryRow.columns
        let sql = """
            INSERT OR REPLACE INTO file (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        let moved = try formerLocations(of: record.identity).filter { !FileManager.default.fileExists(atPath: $0) }
        try attempt {
            try queue.write { database in
                for location in moved { try database.execute(sql: "DELETE FROM file WHERE location = ?", arguments: [location]) }
                try database.execute(sql: sql, arguments: HistoryRow(record).values)
                try database.execute(
                    sql: "DELETE FROM file WHERE id NOT IN (SELECT id FROM file ORDER BY playedAt DESC, id DESC LIMIT ?)",
                    arguments: [HistoryDatabase.recordLimit])
            }
        }
    }

    private func formerLocations(of identity: FileIdentity) throws(Unavailable) -> [String] {
        guard let size = identity.size, let fingerprint = identity.fingerprint else { return [] }
        return try attempt {
            try queue.read { database in
                try String.fetchAll(
                    database, sql: "SELECT location FROM file WHERE fingerprint = ? AND size = ? AND location <> ?",
                    arguments: [Int64(bitPattern: fingerprint), size, identity.location])
            }
        }
    }

    /// The files that were played last, the latest first.
    public func recent(limit: Int) throws(Unavailable) -> [HistoryRecord] {
        try attempt {
            try queue.read { database in
                try Row.fetchAll(
                    database, sql: "SELECT * FROM file ORDER BY playedAt DESC, id DESC LIMIT ?", arguments: [max(0, limit)]
                ).compactMap { HistoryRow($0)?.record }
            }
        }
    }

    /// Forgets every file, and leaves nothing of them on disk. Returns how many there were.
    public func clear() throws(Unavailable) -> Int {
        try attempt {
            let count = try queue.write { database in
                try database.execute(sql: "DELETE FROM file")
                return database.changesCount
            }
            try queue.vacuum()
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            return count
        }
    }

    // MARK: - Settings

    /// A number that outlives the program.
    public func setting(_ name: HistorySetting) throws(Unavailable) -> Double? {
        try attempt {
            try queue.read {
                try Double.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name.rawValue])
            }
        }
    }

    /// Keeps a number.
    public func set(_ name: HistorySetting, to value: Double) throws(Unavailable) {
        try attempt {
            try queue.write {
                try $0.execute(
                    sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name.rawValue, value])
            }
        }
    }

    /// What was chosen for the screen.
    public func screenChoices() throws(Unavailable) -> ScreenChoices {
        let theme = try attempt {
            try queue.read { try String.fetchOne($0, sql: "SELECT value FROM word WHERE name = 'theme'") }
        }
        return ScreenChoices(
            // As long as a path may be.
            theme: theme.flatMap { $0.isEmpty || $0.utf8.count > 4096 ? nil : $0 },
            hidesBar: try setting(.hidesBar).map { $0 != 0 }, showsRemaining: try setting(.showsRemaining).map { $0 != 0 })
    }

    /// Keeps what was chosen; what is nil stays as it was.
    public func keep(_ choices: ScreenChoices) throws(Unavailable) {
        if let theme = choices.theme {
            try attempt {
                try queue.write {
                    try $0.execute(sql: "INSERT OR REPLACE INTO word (name, value) VALUES ('theme', ?)", arguments: [theme])
                }
            }
        }
        if let hidesBar = choices.hidesBar { try set(.hidesBar, to: hidesBar ? 1 : 0) }
        if let showsRemaining = choices.showsRemaining { try set(.showsRemaining, to: showsRemaining ? 1 : 0) }
    }

    private func attempt<Value>(_ body: () throws -> Value) throws(Unavailable) -> Value {
        do {
            return try body()
        } catch {
            throw Unavailable(description: "\(error)")
        }
    }
}

/// A setting that is remembered for all files.
public enum HistorySetting: String, Sendable, CaseIterable {
    /// 0 … 1.5.
    case volume
    /// 0 or 1.
    case hidesBar, showsRemaining
}
