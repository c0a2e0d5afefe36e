import AetherCore

/// The tables and how they came about. What was released is never changed: a new step is added.
enum HistorySchema {
    /// One step, carried out once in the life of a database.
    struct Step: Sendable {
        /// As the database remembers it.
        let name: String
        let run: @Sendable (borrowing SQLiteConnection) throws(SQLiteError) -> Void

        init(_ name: String, run: @escaping @Sendable (borrowing SQLiteConnection) throws(SQLiteError) -> Void) {
            self.name = name
            self.run = run
        }

        init(_ name: String, _ statements: [String]) {
            self.init(name) { database throws(SQLiteError) in
                for statement in statements { try database.execute(statement) }
            }
        }
    }

    /// Carries out the steps that a database has not seen, up to `last`; nil: all. Blocks.
    static func update(_ database: borrowing SQLiteConnection, upTo last: String? = nil) throws(SQLiteError) {
        // The name is that of the library that earlier versions opened the database with: theirs and ours know the same steps.
        try database.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let done = Set(try database.rows("SELECT identifier FROM grdb_migrations").compactMap { $0.first?.text })
        for step in steps {
            if !done.contains(step.name) {
                try database.transaction { () throws(SQLiteError) in
                    try step.run(database)
                    try database.execute("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(step.name)])
                }
            }
            if step.name == last { break }
        }
    }

    private static let steps = [
        Step(
            "files and settings",
            [
                """
                CREATE TABLE "file" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "location" TEXT NOT NULL UNIQUE, "size" INTEGER, \
                "fingerprint" INTEGER, "title" TEXT NOT NULL, "position" DOUBLE NOT NULL, "duration" DOUBLE, \
                "isFinished" BOOLEAN NOT NULL, "playedAt" INTEGER NOT NULL)
                """,
                "CREATE INDEX \"file_on_playedAt\" ON \"file\"(\"playedAt\")",
                "CREATE INDEX \"fileByContent\" ON \"file\"(\"fingerprint\", \"size\")",
                "CREATE TABLE \"setting\" (\"name\" TEXT PRIMARY KEY NOT NULL, \"value\" DOUBLE NOT NULL)",
            ]),
        Step(
            "choices of each file",
            ["audioTrack\" TEXT", "subtitles\" TEXT", "audioDelay\" DOUBLE", "subtitleDelay\" DOUBLE", "rate\" DOUBLE"].map {
                "ALTER TABLE \"file\" ADD COLUMN \"" + $0
            }),
        Step(
            "shape and curve of each file",
            ["aspect\" DOUBLE", "equalizer\" TEXT"].map { "ALTER TABLE \"file\" ADD COLUMN \"" + $0 }),
        Step("the screen", ["CREATE TABLE \"word\" (\"name\" TEXT PRIMARY KEY NOT NULL, \"value\" TEXT NOT NULL)"]),
        Step("URLs without secrets", run: withoutSecrets),
        Step(
            "settings of each file in one column",
            [
                "ALTER TABLE \"file\" ADD COLUMN \"settings\" TEXT",
                """
                UPDATE file SET settings = NULLIF(LTRIM(
                    IIF(rate IS NULL, '', ' speed=' || printf('%!.17g', rate)) || IIF(audioDelay IS NULL, '', ' audio-delay=' || printf('%!.17g', audioDelay))
                    || IFNULL(' equalizer=' || equalizer, '')
                    || CASE WHEN aspect IS NULL THEN '' WHEN aspect = 0 THEN ' aspect=source' ELSE ' aspect=' || printf('%!.17g', aspect) END
                    || IIF(subtitleDelay IS NULL, '', ' subtitle-delay=' || printf('%!.17g', subtitleDelay))), '')
                """,
            ]
                + ["rate", "audioDelay", "equalizer", "aspect", "subtitleDelay"].map {
                    "ALTER TABLE \"file\" DROP COLUMN \"\($0)\""
                }),
        Step(
            "rates of servers",
            [
                "CREATE TABLE \"link\" (\"host\" TEXT PRIMARY KEY NOT NULL, \"rate\" DOUBLE NOT NULL, \"measuredAt\" INTEGER NOT NULL)"
            ]),
        Step(
            "favourite channels",
            ["CREATE TABLE \"favourite\" (\"channel\" TEXT PRIMARY KEY NOT NULL, \"keptAt\" INTEGER NOT NULL)"]),
        Step("URLs without keys in their paths", run: withoutSecrets),
        Step("URLs without queries but for the video's name", run: withoutSecrets),
    ]

    /// Takes what opens a door out of the addresses, as far as it is known by now.
    private static func withoutSecrets(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
        for row in try database.rows("SELECT location, fingerprint FROM file WHERE location LIKE '%://%'") {
            guard let place = row[0].text, !place.hasPrefix("/") else { continue }
            var identity = FileIdentity(of: .url(place))
            // Something was left out before: the digest is that of the whole address.
            if place.contains(Redaction.mark), let digest = row[1].integer.map({ UInt64(bitPattern: $0) }) {
                let location = Redaction.url(HistoryRow.location(of: place, digest: digest))
                identity = FileIdentity(location: location, fingerprint: digest)
            }
            guard let digest = identity.fingerprint, HistoryRow.place(of: identity) != place else { continue }
            try database.execute(
                "UPDATE OR REPLACE file SET location = ?, fingerprint = ? WHERE location = ?",
                [.text(HistoryRow.place(of: identity)), .integer(Int64(bitPattern: digest)), .text(place)])
        }
    }
}
