import AetherCore
import AetherTestSupport
import Foundation
import GRDB
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
        wanted.progress.choices.audioDelay = .seconds(-0.3)
        wanted.progress.choices.subtitleDelay = .seconds(1.5)
        wanted.progress.choices.rate = 1.25
        wanted.progress.choices.shape = .ratio(4.0 / 3)
        wanted.progress.choices.equalizer = EqualizerCurve([1, -2.5, 12])
        try HistoryDatabase(path: path).save(wanted)
        let again = try HistoryDatabase(path: path)
        #expect(try again.record(of: wanted.identity) == wanted)
        #expect(again.setAside == nil)
        wanted.progress.choices.subtitles = .off
        wanted.progress.choices.shape = .source
        wanted.progress.choices.equalizer = EqualizerCurve("night")
        try again.save(wanted)
        #expect(try again.recent(limit: 10) == [wanted])
    }

    @Test func nobodyElseMayReadIt() throws {
        try HistoryDatabase(path: path).save(record("/a"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
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
        let databases = try [HistoryDatabase(path: path), HistoryDatabase(path: path)]
        let failures = Monitor<[String]>([])
        let threads = databases.enumerated().map { index, database in
            WorkerThread(name: "writer") {
                for number in 0..<100 {
                    do throws(HistoryDatabase.Unavailable) {
                        try database.save(
                            HistoryRecord(
                                identity: FileIdentity(location: "/\(index)/\(number)"),
                                progress: HistoryProgress(title: "", position: .zero, duration: nil, isFinished: false),
                                playedAt: 1))
                    } catch {
                        failures.update { $0.append(error.description) }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(failures.read { $0 } == [])
        #expect(try databases[0].recent(limit: 1000).count == 200)
    }

    @Test func manyPlayersMakeItAtOnce() throws {
        for round in 0..<10 {
            let path = folder.path("state\(round)/history.sqlite")
            let failures = Monitor<[String]>([])
            let threads = (0..<6).map { number in
                WorkerThread(name: "player") {
                    do {
                        try HistoryDatabase(path: path).save(record("/films/\(number).mkv"))
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
        let old = try DatabaseQueue(path: path)
        try HistorySchema.steps.migrate(old, upTo: "files and settings")
        try old.write {
            try $0.execute(
                sql:
                    "INSERT INTO file (location, title, position, duration, isFinished, playedAt) VALUES ('/a', 'T', 9, 90, 0, 3)"
            )
        }
        try old.close()
        let found = try HistoryDatabase(path: path).record(of: FileIdentity(location: "/a"))
        #expect(found?.progress.position == .seconds(9))
        #expect(found?.progress.choices == HistoryChoices())
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
