import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherLibrary

@Suite struct HistoryLedgerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func film(_ name: String, _ byte: UInt8 = 1) throws -> String {
        try Data(repeating: byte, count: 100_000).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    private var progress: HistoryProgress {
        HistoryProgress(title: "A film", position: .seconds(600), duration: .seconds(5400), isFinished: false)
    }

    private var soon: HostTime { SystemTime().now() + .seconds(60) }

    @Test func whatIsKeptIsKnownTheNextTimeAlsoWhereTheFileWasMoved() throws {
        let path = try film("a.mkv"), database = folder.path("history.sqlite")
        let first = HistoryLedger(path: database)
        first.look(for: .file(path))
        #expect(first.answer(until: soon)?.record == nil)
        first.keep(progress, of: .file(path))
        first.keep(volume: 0.65)
        #expect(first.close(within: .seconds(60)))
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("b.mkv"))
        let second = HistoryLedger(path: database)
        let number = second.look(for: .file(folder.path("b.mkv")))
        let answer = try #require(second.answer(until: soon))
        #expect(answer.number == number && answer.record?.progress == progress && answer.volume == 0.65)
        #expect(second.takeAnswer() == nil)
        #expect(second.close(within: .seconds(60)))
    }

    @Test func whatWasChosenForTheScreenIsKnownTheNextTime() throws {
        let database = folder.path("history.sqlite")
        let first = HistoryLedger(path: database)
        #expect(first.screenChoices(until: soon) == ScreenChoices())
        first.keep(ScreenChoices(theme: "nord", hidesBar: true))
        first.keep(ScreenChoices(showsRemaining: true))
        first.keep(ScreenChoices(hidesBar: false))
        #expect(first.close(within: .seconds(60)))
        let second = HistoryLedger(path: database)
        #expect(second.screenChoices(until: soon) == ScreenChoices(theme: "nord", hidesBar: false, showsRemaining: true))
        #expect(second.close(within: .seconds(60)))
    }

    @Test func ofTwoQuestionsTheLastIsAnswered() throws {
        let ledger = HistoryLedger(path: folder.path("history.sqlite"))
        ledger.look(for: .file(try film("a.mkv")))
        let number = ledger.look(for: .file(try film("b.mkv", 2)))
        #expect(ledger.answer(until: soon)?.number == number)
        ledger.close(within: .seconds(60))
    }

    @Test func aDamagedDatabaseIsSaidOnce() throws {
        try Data(repeating: 0x55, count: 4096).write(to: URL(filePath: folder.path("history.sqlite")))
        let ledger = HistoryLedger(path: folder.path("history.sqlite"))
        let path = try film("a.mkv")
        ledger.look(for: .file(path))
        #expect(ledger.answer(until: soon)?.notice?.contains("history.sqlite.damaged-1") == true)
        ledger.look(for: .file(path))
        #expect(ledger.answer(until: soon)?.notice == nil)
        ledger.close(within: .seconds(60))
    }

    @Test func withoutADatabaseNothingIsKnownAndNothingFails() throws {
        try Data().write(to: URL(filePath: folder.path("file")))
        let ledger = HistoryLedger(path: folder.path("file/history.sqlite"))
        ledger.keep(progress, of: .url("http://a/"))
        ledger.look(for: .url("http://a/"))
        #expect(ledger.answer(until: soon)?.record == nil)
        #expect(ledger.close(within: .seconds(60)))
    }

    @Test func aURLIsKnownWithoutItsPassword() {
        #expect(FileIdentity(of: .url("https://me:secret@host/a?b=@c")).location == "https://***@host/a?b=***")
        #expect(FileIdentity(of: .url("https://host/a@b")).location == "https://host/a@b")
        #expect(FileIdentity.hash([]) == 0xCBF2_9CE4_8422_2325 && FileIdentity.hash([0x61]) == 0xAF63_DC4C_8601_EC8C)
    }

    /// Who writes to a pipe would take a look at it for the reader, and be ended when it is over.
    @Test func aPipeIsNotOpenedToBeLookedAt() throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        try #require(watch >= 0)
        defer { close(watch) }
        try #require(inotify_add_watch(watch, path, UInt32(IN_OPEN)) >= 0)
        #expect(FileIdentity(of: .file(path)).size == nil && FileIdentity(of: .file(path)).fingerprint == nil)
        var event = [UInt8](repeating: 0, count: 4096)
        #expect(read(watch, &event, event.count) < 0 && errno == EAGAIN)
        // The watch does see who opens it.
        let opened = open(path, O_RDWR | O_NONBLOCK)
        defer { close(opened) }
        #expect(opened >= 0 && read(watch, &event, event.count) > 0)
    }

    @Test func aFileIsKnownByItsPathWithoutLinks() throws {
        let path = try film("a.mkv")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.mkv"), withDestinationPath: path)
        let direct = FileIdentity(of: .file(path))
        #expect(FileIdentity(of: .file(folder.path("link.mkv"))) == direct && direct.size == 100_000)
        #expect(FileIdentity(of: .file("/nowhere/at/all")) == FileIdentity(location: "/nowhere/at/all"))
    }
}

/// The files that were played last, as the browser lists them.
@Suite struct RecentFilesTests {
    @Test func theLatestComesFirstAndWhatIsGoneIsLeftOut() throws {
        let folder = try TemporaryFolder(), soon = SystemTime().now() + .seconds(60)
        let ledger = HistoryLedger(path: folder.path("history.sqlite"))
        for name in ["a.mkv", "gone.mkv", "b.mkv"] {
            try Data(name.utf8).write(to: URL(filePath: folder.path(name)))
            let progress = HistoryProgress(title: name, position: .seconds(600), duration: .seconds(5400), isFinished: false)
            ledger.keep(progress, of: .file(folder.path(name)))
        }
        ledger.lookForRecent(limit: 8)
        #expect(ledger.recent(until: soon)?.map(\.progress.title) == ["b.mkv", "gone.mkv", "a.mkv"])
        #expect(ledger.takeRecent() == nil)
        try FileManager.default.removeItem(atPath: folder.path("gone.mkv"))
        ledger.lookForRecent(limit: 1)
        #expect(ledger.recent(until: soon)?.map(\.progress.title) == ["b.mkv"])
        ledger.lookForRecent(limit: 8)
        #expect(ledger.recent(until: soon)?.map(\.progress.title) == ["b.mkv", "a.mkv"])
        ledger.close(within: .seconds(60))
    }

    /// "für.mkv" in Latin-1.
    @Test func aNameThatIsNoUTF8IsListed() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/" + PathText.text([0x66, 0xFC, 0x72] + Array(".mkv".utf8))
        let descriptor = open(PathText.cString(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        let ledger = HistoryLedger(path: folder.path("history.sqlite"))
        let progress = HistoryProgress(title: "f", position: .seconds(600), duration: .seconds(5400), isFinished: false)
        ledger.keep(progress, of: .file(path))
        ledger.lookForRecent(limit: 8)
        #expect(ledger.recent(until: SystemTime().now() + .seconds(60))?.map(\.progress.title) == ["f"])
        ledger.close(within: .seconds(60))
    }

    @Test func withoutAHistoryThereIsNone() throws {
        let folder = try TemporaryFolder(), soon = SystemTime().now() + .seconds(60)
        try FileManager.default.createDirectory(atPath: folder.path("history.sqlite"), withIntermediateDirectories: false)
        let ledger = HistoryLedger(path: folder.path("history.sqlite"))
        ledger.lookForRecent(limit: 8)
        #expect(ledger.recent(until: soon) == [])
        ledger.close(within: .seconds(60))
    }
}
