import CSQLite

/// A refusal of SQLite's.
struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// A primary result code: SQLITE_BUSY, SQLITE_CORRUPT and so on.
    let code: Int32
    /// SQLite's own words.
    let message: String
    /// The statement that failed; nil where none was carried out.
    let sql: String?

    /// An error by its code. SQLite's words for the last failure of a connection are more precise than those for the code.
    init(code: Int32, connection: OpaquePointer? = nil, sql: String? = nil) {
        self.code = code & 0xFF
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        self.sql = sql
    }

    /// Whether the file is damaged, or no database at all.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    var description: String { "SQLite error \(code): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "") }
}
