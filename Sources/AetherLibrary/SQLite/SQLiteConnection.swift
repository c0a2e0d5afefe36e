import AetherCore
import CSQLite

/// An open database. Of one thread at a time. Every call blocks on the file system, and for as long as `patience` on another writer.
struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file, or makes it. What is no database is found out by the first statement.
    init(path: String, patience: TimeSpan) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(PathText.cString(path), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(code: code == SQLITE_OK ? SQLITE_NOMEM : code, connection: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, Int32(clamping: Int64(max(0, patience.milliseconds.rounded(.up)))))
    }

    deinit { sqlite3_close_v2(handle) }

    private func prepared(_ sql: String, _ parameters: [SQLiteValue]) throws(SQLiteError) -> SQLiteStatement {
        let statement = try SQLiteStatement(handle, sql)
        try statement.bind(parameters)
        return statement
    }

    /// Carries out one statement.
    func execute(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) {
        let statement = try prepared(sql, parameters)
        while try statement.step() != nil {}
    }

    /// The rows of a question, each with its columns in their order.
    func rows(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepared(sql, parameters)
        var rows: [[SQLiteValue]] = []
        while let row = try statement.step() { rows.append(row) }
        return rows
    }

    /// The first column of the first row; nil where there is no row.
    func value(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) -> SQLiteValue? {
        try prepared(sql, parameters).step()?.first
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// All of it or, where it throws, nothing of it. Has its turn to write from the start: it cannot find out in the middle that another
    /// writer was faster.
    func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite ends some transactions by itself, such as those on a full disk; the first error is the one to tell.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Moves what is in the write-ahead log into the database and leaves the log empty.
    func emptyLog() throws(SQLiteError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, connection: handle) }
    }
}
