import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherLibrary

@Suite struct HistoryDatabaseTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("state/history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func record(
        _ location: String, _ position: Double = 600, at playedAt: Int64 = 1, size: Int64? = nil, mark: UInt64? = nil
    )
        -> HistoryRecord
    {
        HistoryRecord(
            identity: FileIdentity(location: location, size: size, fingerprint: mark),
            progress: HistoryProgress(title: "A film", position: .seconds(position), duration: .seconds(5400), isFinished: false),
            playedAt: playedAt)
    }

    @Test func whatIsKeptComesBackAsItWas() throws {
        var wanted = record("/films/a.mkv", size: 5, mark: .max)
        wanted.progress.choices.audioTrack = TrackID(.container, 2)
        wanted.progress.choices.subtitles = .track(TrackID(.external, 0))
        wanted.progress.choices.settings = [
            .audioDelay: .audioDelay(.seconds(-0.3)), .subtitleDelay: .subtitleDelay(.seconds(1.5)), .rate: .rate(1.25),
            .aspect: .aspect(4.0 / 3), .equalizer: .equalizer(EqualizerCurve([1, -2.5, 12])),
        ]
        try HistoryDatabase(path: path).save(wanted)
        let again = try HistoryDatabase(path: path)
        #expect(try again.record(of: wanted.identity) == wanted)
        #expect(again.setAside == nil)
        wanted.progress.choices.subtitles = .off
        wanted.progress.choices.settings = [.aspect: .aspect(nil), .equalizer: .equalizer(try #require(EqualizerCurve("night")))]
        try again.save(wanted)
        #expect(try again.recent(limit: 10) == [wanted])
        // A title of a disc beside settings, and without.
        wanted.progress.choices.title = 12
        try again.save(wanted)
        #expect(try again.record(of: wanted.identity) == wanted)
        wanted.progress.choices.settings = [:]
        try again.save(wanted)
        #expect(try again.record(of: wanted.identity) == wanted)
    }

    /// The disc in a drive is not the one that was there yesterday.
    @Test func twoDiscsOfOneDriveAreTwo() throws {
        let database = try HistoryDatabase(path: path)
        let first = record("/dev/sr0", 100, size: 5, mark: 7), second = record("/dev/sr0", 200, size: 5, mark: 8)
        try database.save(first)
        #expect(try database.record(of: second.identity) == nil)
        try database.save(second)
        #expect(try database.record(of: first.identity) == first && database.record(of: second.identity) == second)
        try database.save(first)
        #expect(try database.recent(limit: 10).map(\.identity.location) == ["/dev/sr0", "/dev/sr0"])
    }

    @Test(.enabled(if: LoopDevice.isPossible, Comment(rawValue: LoopDevice.missing)))
    func aDeviceIsKnownByWhatIsOnIt() throws {
        let folder = try TemporaryFolder()
        let marks = try [1, 2].map { (number: UInt8) -> UInt64? in
            let file = folder.path("disc")
            // Where UDF has a disc's name, behind the first 64 KB.
            try Data([UInt8](repeating: 0, count: 100 << 10) + [UInt8](repeating: number, count: 100 << 10)).write(
                to: URL(filePath: file))
            let device = try LoopDevice(file), identity = FileIdentity(of: .file(device.path))
            device.detach()
            #expect(identity.size == 200 << 10)
            return identity.fingerprint
        }
        #expect(marks[0] != nil && marks[0] != marks[1])
    }

    private func mode(_ suffix: String = "") throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
    }

    /// In the first run and later; the files beside the database are there while it is open.
    @Test func nobodyElseMayReadIt() throws {
        let database = try HistoryDatabase(path: path)
        try database.save(record("/a"))
        for suffix in ["", "-wal", "-shm"] { #expect(try mode(suffix) == 0o600, "\(suffix)") }
    }

    /// Its creation was cut short, or another program made it.
    @Test func whatOthersMayReadIsMended() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try Data().write(to: URL(filePath: path + suffix))
            chmod(path + suffix, 0o644)
        }
        do {
            let database = try HistoryDatabase(path: path)
            try database.save(record("/a"))
            for suffix in ["", "-wal", "-shm"] {
                #expect(try mode(suffix) == 0o600, "\(suffix)")
                chmod(path + suffix, 0o644)
            }
            // A second player mends it under the first.
            let second = try HistoryDatabase(path: path)
            for suffix in ["", "-wal", "-shm"] { #expect(try mode(suffix) == 0o600, "\(suffix)") }
            try second.save(record("/b"))
            try database.save(record("/c"))
            #expect(try database.recent(limit: 9).count == 3)
        }
    }

    @Test func aURLIsKnownAgainWithoutItsSecretsBeingKept() throws {
        let urls = ["https://me:hunter2@h/a?token=hunter2", "https://me:hunter3@h/a?token=hunter3", "https://h/a?t=3"]
        let database = try HistoryDatabase(path: path)
        for (index, url) in urls.enumerated() {
            var record = record("", 100 * Double(index + 1), at: Int64(index))
            record = HistoryRecord(identity: FileIdentity(of: .url(url)), progress: record.progress, playedAt: record.playedAt)
            try database.save(record)
        }
        for (index, url) in urls.enumerated() {
            let found = try database.record(of: FileIdentity(of: .url(url)))
            #expect(found?.progress.position == .seconds(100 * Double(index + 1)), "\(url)")
        }
        #expect(try database.record(of: FileIdentity(of: .url("https://me:hunter4@h/a?token=hunter4"))) == nil)
        let locations = try database.recent(limit: 9).map(\.identity.location)
        #expect(locations == ["https://h/a?t=3", "https://***@h/a?token=***", "https://***@h/a?token=***"])
        for suffix in ["", "-wal"] {
            #expect(try !Data(contentsOf: URL(filePath: path + suffix)).contains(Data("hunter".utf8)))
        }
    }

    @Test(
        arguments: [
            ("https://Films.Example/a?b", "films.example"), ("http://me:pa@ss@h:80/x", "h"),
            ("HTTPS://[2001:DB8::1]:8443/", "2001:db8::1"),
            ("http://h?x@y", "h"), ("http://h#x@y", "h"), ("https:///a", nil), ("https://:80/", nil), ("ftp://h/a", nil),
            ("/h/a", nil), ("", nil),
            ("http://a b/", nil), ("http://" + String(repeating: "a", count: 256), nil),
        ] as [(String, String?)])
    func aServerIsKnownByItsNameAlone(_ url: String, _ name: String?) { #expect(LinkHost(url)?.name == name) }

    @Test func ratesOfServersAreBoundedAndGrowOld() throws {
        let database = try HistoryDatabase(path: path)
        let host = try #require(LinkHost("https://me:hunter2@a.example/hidden?token=hunter2"))
        #expect(try database.linkRate(of: host, now: 1000) == nil)
        try database.keep(linkRate: 5_000_000, of: host, now: 1000)
        try database.keep(linkRate: 7_000_000, of: host, now: 2000)
        // A rate that no link has is a mistake.
        for rate in [0, -1, .nan, .infinity, 1e12] { try database.keep(linkRate: rate, of: host, now: 3000) }
        #expect(try database.linkRate(of: host, now: 2000 + HistoryDatabase.linkAge) == 7_000_000)
        #expect(try database.linkRate(of: host, now: 2001 + HistoryDatabase.linkAge) == nil)
        // A clock that was set back.
        #expect(try database.linkRate(of: host, now: 1999) == nil)
        for number in 0..<250 {
            try database.keep(linkRate: 1_000_000, of: try #require(LinkHost("http://h\(number)")), now: 3000 + Int64(number))
        }
        let (old, young) = (try #require(LinkHost("http://h49")), try #require(LinkHost("http://h50")))
        #expect(try database.linkRate(of: host, now: 4000) == nil)
        #expect(try database.linkRate(of: old, now: 4000) == nil)
        #expect(try database.linkRate(of: young, now: 4000) == 1_000_000)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: path + suffix))
            #expect(!bytes.contains(Data("hunter".utf8)) && !bytes.contains(Data("hidden".utf8)))
        }
        _ = try database.clear()
        #expect(try database.linkRate(of: young, now: 4000) == nil)
    }

    @Test func secretsOfAnEarlierVersionAreTakenOut() throws {
        let url = "https://h/old?token=hunter2", plain = "https://h/plain?u=hunter2&e=1"
        do {
            try HistoryDatabase(path: path).save(record("/a"))
            let stranger = try SQLiteConnection(path: path, patience: .zero)
            try stranger.execute(
                "INSERT INTO file (location, title, position, isFinished, playedAt) VALUES (?, 'x', 700, 0, 2)", [.text(url)])
            try stranger.execute(
                "INSERT INTO file (location, title, position, isFinished, playedAt) VALUES (?, 'z', 500, 0, 0)", [.text(plain)])
            // Of this one something had been left out before.
            let digest = try #require(FileIdentity(of: .url("https://me:pw@h/live/me/hunter2/1.ts")).fingerprint)
            try stranger.execute(
                "INSERT INTO file (location, fingerprint, title, position, isFinished, playedAt) VALUES (?, ?, 'y', 300, 0, 1)",
                [
                    .text("https://***@h/live/me/hunter2/1.ts [\(String(digest, radix: 16))]"),
                    .integer(Int64(bitPattern: digest)),
                ])
            try stranger.execute("DELETE FROM grdb_migrations WHERE identifier = 'URLs without secrets'")
            try stranger.execute("DELETE FROM grdb_migrations WHERE identifier = 'URLs without keys in their paths'")
            try stranger.execute("DELETE FROM grdb_migrations WHERE identifier LIKE 'URLs without queries %'")
        }
        let database = try HistoryDatabase(path: path)
        #expect(try database.record(of: FileIdentity(of: .url(url)))?.progress.position == .seconds(700))
        let other = FileIdentity(of: .url("https://me:pw@h/live/me/hunter2/1.ts"))
        #expect(try database.record(of: other)?.progress.position == .seconds(300))
        #expect(try database.record(of: FileIdentity(of: .url(plain)))?.progress.position == .seconds(500))
        #expect(
            try database.recent(limit: 9).map(\.identity.location).sorted()
                == ["/a", "https://***@h/live/***/***/1.ts", "https://h/old?token=***", "https://h/plain?u=***&e=***"])
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func theDigestIsTheStandards(_ text: String, _ expected: String) {
        let digest = SHA256.digest(of: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digest == expected)
    }

    @Test func aMovedFileIsFoundAndItsOldPlaceForgotten() throws {
        let database = try HistoryDatabase(path: path)
        try database.save(record("/gone/a.mkv", size: 1000, mark: 7))
        let moved = FileIdentity(location: "/films/a.mkv", size: 1000, fingerprint: 7)
        #expect(try database.record(of: moved)?.identity.location == "/gone/a.mkv")
        try database.save(record("/films/a.mkv", 700, size: 1000, mark: 7))
        #expect(try database.recent(limit: 10).map(\.identity.location) == ["/films/a.mkv"])
    }

    @Test func anotherFileInTheSamePlaceIsAnotherFile() throws {
        let database = try HistoryDatabase(path: path)
        try database.save(record("/films/a.mkv", size: 1000, mark: 7))
        #expect(try database.record(of: FileIdentity(location: "/films/a.mkv", size: 1000, fingerprint: 8)) == nil)
        // One that has grown is the same.
        #expect(try database.record(of: FileIdentity(location: "/films/a.mkv", size: 2000, fingerprint: 7)) != nil)
    }

    @Test func theLatestComesFirstAndAllCanBeForgotten() throws {
        let database = try HistoryDatabase(path: path)
        for number in 1...5 { try database.save(record("/\(number)", at: Int64(number))) }
        #expect(try database.recent(limit: 3).map(\.identity.location) == ["/5", "/4", "/3"])
        try database.set(.volume, to: 0.65)
        #expect(try database.clear() == 5)
        #expect(try database.recent(limit: 3) == [])
        #expect(try database.setting(.volume) == 0.65)
        // Nothing of them is left in the file.
        #expect(try !Data(contentsOf: URL(filePath: path)).contains(Data("A film".utf8)))
    }

    @Test func twoPlayersWriteAtOnce() throws {
        // With patience that no slow disk uses up.
        let failures = Monitor<[String]>([]), path = path
        let threads = (0..<2).map { index in
            WorkerThread(name: "writer") {
                do throws(HistoryDatabase.Unavailable) {
                    let database = try HistoryDatabase(path: path, patience: .seconds(60))
                    for number in 0..<100 {
                        try database.save(
                            HistoryRecord(
                                identity: FileIdentity(location: "/\(index)/\(number)"),
                                progress: HistoryProgress(title: "", position: .zero, duration: nil, isFinished: false),
                                playedAt: 1))
                    }
                } catch {
                    failures.update { $0.append(error.description) }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(failures.read { $0 } == [])
        #expect(try HistoryDatabase(path: path).recent(limit: 1000).count == 200)
    }

    /// Word for word, so that an earlier version and this one may share a database.
    @Test func theTablesAreThoseOfEarlierVersions() throws {
        _ = try HistoryDatabase(path: path)
        let stranger = try SQLiteConnection(path: path, patience: .zero)
        let tables = try stranger.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").compactMap {
            $0.first?.text
        }
        #expect(
            tables == [
                "CREATE TABLE \"favourite\" (\"channel\" TEXT PRIMARY KEY NOT NULL, \"keptAt\" INTEGER NOT NULL)",
                """
                CREATE TABLE "file" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "location" TEXT NOT NULL UNIQUE, "size" INTEGER, \
                "fingerprint" INTEGER, "title" TEXT NOT NULL, "position" DOUBLE NOT NULL, "duration" DOUBLE, \
                "isFinished" BOOLEAN NOT NULL, "playedAt" INTEGER NOT NULL, "audioTrack" TEXT, "subtitles" TEXT, "settings" TEXT)
                """,
                "CREATE INDEX \"fileByContent\" ON \"file\"(\"fingerprint\", \"size\")",
                "CREATE INDEX \"file_on_playedAt\" ON \"file\"(\"playedAt\")",
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                "CREATE TABLE \"link\" (\"host\" TEXT PRIMARY KEY NOT NULL, \"rate\" DOUBLE NOT NULL, \"measuredAt\" INTEGER NOT NULL)",
                "CREATE TABLE \"setting\" (\"name\" TEXT PRIMARY KEY NOT NULL, \"value\" DOUBLE NOT NULL)",
                "CREATE TABLE sqlite_sequence(name,seq)",
                "CREATE TABLE \"word\" (\"name\" TEXT PRIMARY KEY NOT NULL, \"value\" TEXT NOT NULL)",
            ])
        #expect(try stranger.value("PRAGMA journal_mode") == "wal")
        let steps = try stranger.rows("SELECT identifier FROM grdb_migrations ORDER BY rowid").compactMap { $0.first?.text }
        #expect(
            steps == [
                "files and settings", "choices of each file", "shape and curve of each file", "the screen",
                "URLs without secrets",
                "settings of each file in one column", "rates of servers", "favourite channels",
                "URLs without keys in their paths", "URLs without queries but for the video's name",
            ])
    }

    @Test func manyPlayersMakeItAtOnce() throws {
        for round in 0..<10 {
            let path = folder.path("state\(round)/history.sqlite")
            let failures = Monitor<[String]>([])
            let threads = (0..<6).map { number in
                WorkerThread(name: "player") {
                    do {
                        try HistoryDatabase(path: path, patience: .seconds(60)).save(record("/films/\(number).mkv"))
                    } catch {
                        failures.update { $0.append("\(error)") }
                    }
                }
            }
            for thread in threads { thread.join() }
            #expect(failures.read { $0 } == [])
            #expect(try HistoryDatabase(path: path).recent(limit: 10).count == 6)
        }
    }

    @Test func aDatabaseOfTheFirstVersionIsBroughtUpToDate() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: true)
        do {
            let old = try SQLiteConnection(path: path, patience: .zero)
            try HistorySchema.update(old, upTo: "files and settings")
            try old.execute(
                "INSERT INTO file (location, title, position, duration, isFinished, playedAt) VALUES ('/a', 'T', 9, 90, 0, 3)")
        }
        let found = try HistoryDatabase(path: path).record(of: FileIdentity(location: "/a"))
        #expect(found?.progress.position == .seconds(9))
        #expect(found?.progress.choices == HistoryChoices())
    }

    /// Each setting had a column of its own; a stranger's value in one is left out.
    @Test func choicesOfAnEarlierVersionAreKept() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: true)
        do {
            let old = try SQLiteConnection(path: path, patience: .zero)
            try HistorySchema.update(old, upTo: "URLs without secrets")
            try old.execute(
                """
                INSERT INTO file (location, title, position, isFinished, playedAt, rate, audioDelay, subtitleDelay, aspect, equalizer)
                VALUES ('/a', 'T', 9, 0, 3, 1.25, -0.3, 1.5, 1.3333333333333333, '1,-2.5'),
                ('/b', 'T', 9, 0, 3, 99, NULL, NULL, 0, 'loud'), ('/c', 'T', 9, 0, 3, NULL, NULL, NULL, NULL, NULL)
                """)
        }
        let database = try HistoryDatabase(path: path)
        func settings(_ place: String) throws -> [Setting: SettingChange]? {
            try database.record(of: FileIdentity(location: place))?.progress.choices.settings
        }
        #expect(
            try settings("/a") == [
                .rate: .rate(1.25), .audioDelay: .audioDelay(.seconds(-0.3)), .subtitleDelay: .subtitleDelay(.seconds(1.5)),
                .aspect: .aspect(4.0 / 3), .equalizer: .equalizer(EqualizerCurve([1, -2.5])),
            ])
        #expect(try settings("/b") == [.aspect: .aspect(nil)])
        #expect(try settings("/c") == [:])
    }

    @Test(arguments: [0, 1, 100, 5000]) func aDamagedDatabaseIsSetAside(_ keptBytes: Int) throws {
        try HistoryDatabase(path: path).save(record("/a"))
        var bytes = Array(try Data(contentsOf: URL(filePath: path)).prefix(max(keptBytes, 1)))
        bytes += Array("this is no database, whatever its name says".utf8)
        if keptBytes == 0 { bytes = Array(repeating: 0x55, count: 8192) }
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        try Data(bytes).write(to: URL(filePath: path))
        let database = try HistoryDatabase(path: path)
        #expect(database.setAside == path + ".damaged-1")
        #expect(try Array(Data(contentsOf: URL(filePath: path + ".damaged-1"))) == bytes)
        #expect(try database.recent(limit: 10) == [])
        try database.save(record("/b"))
        #expect(try HistoryDatabase(path: path).setAside == nil)
    }

    @Test func whereNothingCanBeWrittenThereIsNoHistory() throws {
        // A file in the place of the folder refuses everybody, the superuser of a test machine too.
        try Data().write(to: URL(filePath: folder.path("state")))
        #expect(throws: HistoryDatabase.Unavailable.self) { try HistoryDatabase(path: path) }
    }

    @Test func theStateFolderIsThePersonsOwn() {
        #expect(HistoryDatabase.path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/aether-tui/history.sqlite")
        #expect(
            HistoryDatabase.path(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/aether-tui/history.sqlite")
        #expect(HistoryDatabase.path([:]) == nil)
    }
}
