import AetherCore
import AetherTestSupport
import CSQLite
import Testing

@testable import AetherLibrary

@Suite struct SQLiteConnectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(_ body: () throws(SQLiteError) -> Void) -> Int32? {
        do throws(SQLiteError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func valuesComeBackAsTheyWere() throws {
        let database = try SQLiteConnection(path: folder.path("a.sqlite"), patience: .zero)
        try database.execute("CREATE TABLE t (v)")
        let values: [SQLiteValue] = [
            .null, 0, .integer(.min), .integer(.max), .real(1.5), .real(-.infinity), "", "a\0b", "\u{10FFFF}é", .text("' ; --"),
        ]
        for value in values { try database.execute("INSERT INTO t VALUES (?)", [value]) }
        #expect(try database.rows("SELECT v FROM t ORDER BY rowid") == values.map { [$0] })
        #expect(try database.value("SELECT x'00ff'") == .null)
        #expect(try database.value("SELECT v FROM t WHERE v = 'nothing'") == nil)
    }

    /// A stranger may have written another type into a column.
    @Test func aValueOfAnotherTypeIsNone() {
        #expect(SQLiteValue.real(2).integer == 2 && SQLiteValue.real(2.5).integer == nil && SQLiteValue.real(.nan).integer == nil)
        #expect(SQLiteValue.real(1e300).integer == nil && SQLiteValue.text("2").integer == nil && SQLiteValue.null.integer == nil)
        #expect(SQLiteValue.integer(2).real == 2 && SQLiteValue.text("2").real == nil && SQLiteValue.integer(2).text == nil)
    }

    @Test func aTransactionIsCarriedOutAsAWholeOrNotAtAll() throws {
        let database = try SQLiteConnection(path: folder.path("a.sqlite"), patience: .zero)
        try database.execute("CREATE TABLE t (v UNIQUE)")
        let failure = code { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO t VALUES (1)")
                try database.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(failure == SQLITE_CONSTRAINT)
        #expect(try database.rows("SELECT v FROM t") == [])
        let count = try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO t VALUES (1), (2)")
            return database.changes
        }
        #expect(count == 2)
        #expect(try database.rows("SELECT v FROM t") == [[1], [2]])
    }

    @Test func withoutPatienceASecondWriterIsRefused() throws {
        let path = folder.path("a.sqlite")
        let first = try SQLiteConnection(path: path, patience: .zero)
        try first.execute("CREATE TABLE t (v)")
        let second = try SQLiteConnection(path: path, patience: .zero)
        try first.execute("BEGIN IMMEDIATE")
        #expect(code { () throws(SQLiteError) in try second.execute("INSERT INTO t VALUES (1)") } == SQLITE_BUSY)
        #expect(code { () throws(SQLiteError) in try second.transaction { () throws(SQLiteError) in } } == SQLITE_BUSY)
        try first.execute("COMMIT")
        #expect(code { () throws(SQLiteError) in try second.execute("INSERT INTO t VALUES (1)") } == nil)
    }

    @Test func anErrorSaysWhatFailed() throws {
        let database = try SQLiteConnection(path: folder.path("a.sqlite"), patience: .zero)
        var said = ""
        do throws(SQLiteError) { try database.execute("SELECT * FROM nowhere") } catch { said = error.description }
        #expect(said == "SQLite error 1: no such table: nowhere - while executing `SELECT * FROM nowhere`")
        #expect(code { () throws(SQLiteError) in try database.execute("") } == SQLITE_MISUSE)
        #expect(code { () throws(SQLiteError) in try database.execute("SELECT 1", [1]) } == SQLITE_RANGE)
        #expect(
            code { () throws(SQLiteError) in _ = try SQLiteConnection(path: folder.path("a/b"), patience: .zero) }
                == SQLITE_CANTOPEN)
    }
}
