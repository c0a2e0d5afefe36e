import GRDB

/// The tables and how they came about. What was released is never changed: a new step is added.
enum HistorySchema {
    static let steps: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("files and settings") { database in
            try database.create(table: "file") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("location", .text).notNull().unique()
                table.column("size", .integer)
                table.column("fingerprint", .integer)
                table.column("title", .text).notNull()
                table.column("position", .double).notNull()
                table.column("duration", .double)
                table.column("isFinished", .boolean).notNull()
                table.column("playedAt", .integer).notNull().indexed()
            }
            try database.create(index: "fileByContent", on: "file", columns: ["fingerprint", "size"])
            try database.create(table: "setting") { table in
                table.primaryKey("name", .text)
                table.column("value", .double).notNull()
            }
        }
        migrator.registerMigration("choices of each file") { database in
            try database.alter(table: "file") { table in
                table.add(column: "audioTrack", .text)
                table.add(column: "subtitles", .text)
                table.add(column: "audioDelay", .double)
                table.add(column: "subtitleDelay", .double)
                table.add(column: "rate", .double)
            }
        }
        migrator.registerMigration("shape and curve of each file") { database in
            try database.alter(table: "file") { table in
                table.add(column: "aspect", .double)
                table.add(column: "equalizer", .text)
            }
        }
        migrator.registerMigration("the screen") { database in
            try database.create(table: "word") { table in
                table.primaryKey("name", .text)
                table.column("value", .text).notNull()
            }
        }
        migrator.registerMigration("URLs without secrets") { database in
            for place in try String.fetchAll(database, sql: "SELECT location FROM file WHERE location LIKE '%://%'") {
                let identity = FileIdentity(of: .url(place))
                guard !place.hasPrefix("/"), let digest = identity.fingerprint else { continue }
                try database.execute(
                    sql: "UPDATE OR REPLACE file SET location = ?, fingerprint = ? WHERE location = ?",
                    arguments: [HistoryRow.place(of: identity), Int64(bitPattern: digest), place])
            }
        }
        migrator.registerMigration("settings of each file in one column") { database in
            try database.alter(table: "file") { $0.add(column: "settings", .text) }
            try database.execute(
                sql: """
                    UPDATE file SET settings = NULLIF(LTRIM(
                        IIF(rate IS NULL, '', ' speed=' || printf('%!.17g', rate)) || IIF(audioDelay IS NULL, '', ' audio-delay=' || printf('%!.17g', audioDelay))
                        || IFNULL(' equalizer=' || equalizer, '')
                        || CASE WHEN aspect IS NULL THEN '' WHEN aspect = 0 THEN ' aspect=source' ELSE ' aspect=' || printf('%!.17g', aspect) END
                        || IIF(subtitleDelay IS NULL, '', ' subtitle-delay=' || printf('%!.17g', subtitleDelay))), '')
                    """)
            try database.alter(table: "file") { table in
                for column in ["rate", "audioDelay", "equalizer", "aspect", "subtitleDelay"] { table.drop(column: column) }
            }
        }
        return migrator
    }()
}
