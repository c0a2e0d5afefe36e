import CSQLite

/// A prepared statement. Of the thread of its connection; `step` blocks as the connection does.
struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    /// Prepares the first statement of `sql`.
    init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw SQLiteError(code: code == SQLITE_OK ? SQLITE_MISUSE : code, connection: connection, sql: sql)
        }
        (handle, self.connection, self.sql) = (prepared, connection, sql)
    }

    deinit { sqlite3_finalize(handle) }

    /// Sets the parameters in their order.
    func bind(_ parameters: [SQLiteValue]) throws(SQLiteError) {
        for (index, value) in parameters.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .real(let number): sqlite3_bind_double(handle, index, number)
            case .text(let text): aether_sqlite_bind_text(handle, index, text, UInt64(text.utf8.count))
            }
        guard code == SQLITE_OK else { throw SQLiteError(code: code, connection: connection, sql: sql) }
    }

    /// The next row; nil after the last.
    func step() throws(SQLiteError) -> [SQLiteValue]? {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return (0..<sqlite3_column_count(handle)).map { value($0) }
        case SQLITE_DONE: return nil
        case let code: throw SQLiteError(code: code, connection: connection, sql: sql)
        }
    }

    private func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(handle, column) else { return .null }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        default: return .null
        }
    }
}
