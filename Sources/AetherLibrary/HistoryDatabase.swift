public import AetherCore
import CSQLite
import Glibc

/// The history on disk: an SQLite database that any number of players may have open. Every call blocks on the file system, and for
/// up to two seconds on another player that writes, and opening for as long as another makes the database; it belongs to the thread that
/// opened it.
public final class HistoryDatabase {
    /// The reason why there is no history.
    public struct Unavailable: Error, CustomStringConvertible {
        /// One sentence with the path and SQLite's words.
        public let description: String

        init(description: String) { self.description = description }

        init(_ error: SQLiteError) { description = error.description }

        /// The refusal of the system, by the present `errno`.
        init(cannot deed: String) { description = "cannot \(deed): \(String(cString: strerror(errno)))" }
    }

    /// The new path of a damaged database that this one replaced; nil for none.
    public let setAside: String?
    let database: SQLiteConnection

    /// A sentence for the person about the damaged database that this one replaced; nil for none.
    public var damageNotice: String? {
        setAside.map {
            translated("The history was damaged and is begun anew; the old one is \(DisplayText.singleLine($0))")
        }
    }

    /// More are forgotten, the oldest first. 2000: some years of evenings, and under 1 MB.
    static let recordLimit: Int64 = 2000

    /// `XDG_STATE_HOME/aether-tui/history.sqlite`; nil where not even HOME is known.
    public static func path(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/aether-tui/history.sqlite" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/aether-tui/history.sqlite"
    }

    /// Opens the database, makes it where there is none, and brings it up to date. A damaged one is renamed and a new one made. `patience`: how
    /// long a writer waits for its turn, which another one has for milliseconds. Blocks.
    public init(path: String, patience: TimeSpan = .seconds(2)) throws(Unavailable) {
        try HistoryDatabase.makeFolder(HistoryDatabase.folder(of: path))
        do throws(SQLiteError) {
            database = try HistoryDatabase.open(path, patience)
            setAside = nil
        } catch {
            guard error.isDamage else { throw Unavailable(error) }
            setAside = try HistoryDatabase.putAside(path)
            do throws(SQLiteError) { database = try HistoryDatabase.open(path, patience) } catch { throw Unavailable(error) }
        }
    }

    private static func open(_ path: String, _ patience: TimeSpan) throws(SQLiteError) -> SQLiteConnection {
        // Two players that make it at once: SQLite refuses the second at some steps (the change to WAL) without waiting.
        // The directory's own lock: no file is left behind.
        let turn = Glibc.open(PathText.cString(folder(of: path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if turn >= 0 { close(turn) } }
        while turn >= 0, flock(turn, LOCK_EX) != 0, errno == EINTR {}
        closeToOthers(path)
        let database = try SQLiteConnection(path: path, patience: patience)
        // Readers and a writer at once; a second writer waits for its turn, which takes milliseconds. A crash of the machine may lose the
        // last place, never the database. Rows that are deleted or overwritten leave nothing in the file.
        for mode in ["journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"] {
            try database.execute("PRAGMA " + mode)
        }
        try HistorySchema.update(database)
        guard try database.value("PRAGMA quick_check(1)") == "ok" else { throw SQLiteError(code: SQLITE_CORRUPT) }
        return database
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder and those above it, for no other user; one that is there stays as it is.
    private static func makeFolder(_ path: String) throws(Unavailable) {
        if mkdir(PathText.cString(path), 0o700) == 0 { return }
        if errno == ENOENT, folder(of: path) != path {
            try makeFolder(folder(of: path))
            if mkdir(PathText.cString(path), 0o700) == 0 { return }
        }
        let refusal = Unavailable(cannot: "make \(path)")
        var status = stat()
        guard stat(PathText.cString(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw refusal }
    }

    /// The history is private. SQLite gives the files beside the database the database's own mode, when it makes them;
    /// those that were made otherwise are mended.
    private static func closeToOthers(_ path: String) {
        // Only a file that is new may be opened and closed here: closing gives back the locks that the process has on it.
        let made = Glibc.open(PathText.cString(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) }
        for suffix in ["", "-wal", "-shm", "-journal"] { chmod(PathText.cString(path + suffix), 0o600) }
    }

    private static func putAside(_ path: String) throws(Unavailable) -> String {
        var number = 1
        while exists("\(path).damaged-\(number)") { number += 1 }
        let target = "\(path).damaged-\(number)"
        guard rename(PathText.cString(path), PathText.cString(target)) == 0 else { throw Unavailable(cannot: "rename \(path)") }
        // The files belong to the damaged one and would damage the new one.
        for suffix in ["-wal", "-shm"] where unlink(PathText.cString(path + suffix)) != 0 && errno != ENOENT {
            throw Unavailable(cannot: "remove \(path + suffix)")
        }
        return target
    }

    private static func exists(_ path: String) -> Bool { access(PathText.cString(path), F_OK) == 0 }

    // MARK: - Files

    private static let columns = HistoryRow.columns.joined(separator: ", ")

    /// The record of a file: by its location, else by its content where it was moved.
    public func record(of identity: FileIdentity) throws(Unavailable) -> HistoryRecord? {
        try attempt { () throws(SQLiteError) in
            let here = try records("WHERE location = ?", [.text(HistoryRow.place(of: identity))]).first
            if let here, here.identity.isSameContent(as: identity) { return here }
            guard let size = identity.size, let fingerprint = identity.fingerprint else { return nil }
            return try records(
                "WHERE fingerprint = ? AND size = ? ORDER BY playedAt DESC LIMIT 1",
                [.integer(Int64(bitPattern: fingerprint)), .integer(size)]
            ).first
        }
    }

    private func records(_ condition: String, _ parameters: [SQLiteValue]) throws(SQLiteError) -> [HistoryRecord] {
        try database.rows("SELECT \(HistoryDatabase.columns) FROM file " + condition, parameters).compactMap {
            HistoryRow($0)?.record
        }
    }

    /// Writes a record; it takes the place of the one with the same location, and of those with the same content whose files are gone.
    public func save(_ record: HistoryRecord) throws(Unavailable) {
        let marks = HistoryRow.columns.map { _ in "?" }.joined(separator: ", ")
        let moved = try formerLocations(of: record.identity).filter { !HistoryDatabase.exists($0) }
        try attempt { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                for location in moved { try database.execute("DELETE FROM file WHERE location = ?", [.text(location)]) }
                try database.execute(
                    "INSERT OR REPLACE INTO file (\(HistoryDatabase.columns)) VALUES (\(marks))", HistoryRow(record).values)
                try database.execute(
                    "DELETE FROM file WHERE id NOT IN (SELECT id FROM file ORDER BY playedAt DESC, id DESC LIMIT ?)",
                    [.integer(HistoryDatabase.recordLimit)])
            }
        }
    }

    private func formerLocations(of identity: FileIdentity) throws(Unavailable) -> [String] {
        guard let size = identity.size, let fingerprint = identity.fingerprint else { return [] }
        return try attempt { () throws(SQLiteError) in
            try database.rows(
                "SELECT location FROM file WHERE fingerprint = ? AND size = ? AND location <> ?",
                [.integer(Int64(bitPattern: fingerprint)), .integer(size), .text(identity.location)]
            ).compactMap { $0.first?.text }
        }
    }

    /// The files that were played last, the latest first.
    public func recent(limit: Int) throws(Unavailable) -> [HistoryRecord] {
        try attempt { () throws(SQLiteError) in
            try records("ORDER BY playedAt DESC, id DESC LIMIT ?", [.integer(Int64(max(0, limit)))])
        }
    }

    /// Forgets every file and the rates of servers, and leaves nothing of them on disk. Returns how many there were.
    public func clear() throws(Unavailable) -> Int {
        try attempt { () throws(SQLiteError) in
            try database.execute("DELETE FROM file")
            let count = database.changes
            try database.execute("DELETE FROM link")
            try database.execute("VACUUM")
            try database.emptyLog()
            return count
        }
    }

    // MARK: - Settings

    /// A number that outlives the program.
    public func setting(_ name: HistorySetting) throws(Unavailable) -> Double? {
        try attempt { () throws(SQLiteError) in
            try database.value("SELECT value FROM setting WHERE name = ?", [.text(name.rawValue)])?.real
        }
    }

    /// Keeps a number.
    public func set(_ name: HistorySetting, to value: Double) throws(Unavailable) {
        try attempt { () throws(SQLiteError) in
            try database.execute(
                "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text(name.rawValue), .real(value)])
        }
    }

    /// The choices for the screen.
    public func screenChoices() throws(Unavailable) -> ScreenChoices {
        let theme = try attempt { () throws(SQLiteError) in
            try database.value("SELECT value FROM word WHERE name = 'theme'")?.text
        }
        let equalizer = try attempt { () throws(SQLiteError) in
            try database.value("SELECT value FROM word WHERE name = 'equalizer'")?.text
        }
        return ScreenChoices(
            // As long as a path may be.
            theme: theme.flatMap { $0.isEmpty || $0.utf8.count > 4096 ? nil : $0 },
            hidesBar: try setting(.hidesBar).map { $0 != 0 }, showsRemaining: try setting(.showsRemaining).map { $0 != 0 },
            equalizer: equalizer.flatMap { $0.utf8.count > 200 ? nil : $0 })
    }

    /// Keeps what was chosen; what is nil stays as it was.
    public func keep(_ choices: ScreenChoices) throws(Unavailable) {
        if let theme = choices.theme {
            try attempt { () throws(SQLiteError) in
                try database.execute("INSERT OR REPLACE INTO word (name, value) VALUES ('theme', ?)", [.text(theme)])
            }
        }
        if let equalizer = choices.equalizer {
            try attempt { () throws(SQLiteError) in
                try database.execute("INSERT OR REPLACE INTO word (name, value) VALUES ('equalizer', ?)", [.text(equalizer)])
            }
        }
        if let hidesBar = choices.hidesBar { try set(.hidesBar, to: hidesBar ? 1 : 0) }
        if let showsRemaining = choices.showsRemaining { try set(.showsRemaining, to: showsRemaining ? 1 : 0) }
    }

    func attempt<Value>(_ body: () throws(SQLiteError) -> Value) throws(Unavailable) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw Unavailable(error)
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
