import AetherTerminal
import AetherTestSupport
import Foundation
import Glibc
import Testing

@Suite struct FileWatchTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    /// Whether a descriptor becomes readable. The end of a write is told when the last descriptor of the file is closed, and a child that another
    /// test forks has one until it runs its program. A minute only ends a hang.
    private func becomesReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 60_000) == 1
    }

    @Test func saysWhenItsFileWasWrittenOrReplacedAndNothingElse() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // A folder that is left in the temporary directory is the system's to clear.
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.path + "/a.toml"
        var watch = FileWatch()
        watch.follow(path)
        let descriptor = watch.descriptor
        func told() -> Bool { watch.drain() }
        func isTold() -> Bool {
            while becomesReadable(descriptor) { if watch.drain() { return true } }
            return false
        }
        #expect(!isReadable(descriptor) && !told())
        try Data("x".utf8).write(to: URL(fileURLWithPath: directory.path + "/b.toml"))
        #expect(!told(), "another file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(isTold())
        #expect(!told(), "said once")
        try Data("y".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        #expect(isTold(), "replaced, as editors do it")
        watch.follow(nil)
        try Data("z".utf8).write(to: URL(fileURLWithPath: path))
        #expect(!told())
    }

    /// As those have it who keep their settings in a directory of their own.
    @Test func ofALinkTheFileThatItLeadsToIsLookedAtAndAnotherOneWhenItLeadsThere() throws {
        let folder = try TemporaryFolder()
        for name in ["one", "two", "links"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        func write(_ name: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
        try write("one/a.toml")
        try write("two/b.toml")
        let link = folder.path("links/t.toml")
        symlink(folder.path("one/a.toml"), link)
        var watch = FileWatch()
        watch.follow(link)
        let descriptor = watch.descriptor
        func told() -> Bool { watch.drain() }
        func isTold() -> Bool {
            while becomesReadable(descriptor) { if watch.drain() { return true } }
            return false
        }
        #expect(!told())
        try write("one/a.toml")
        #expect(isTold(), "written where it leads to")
        unlink(link)
        #expect(!told())
        symlink(folder.path("two/b.toml"), link)
        #expect(isTold(), "another link")
        try write("one/a.toml")
        #expect(!told(), "it leads there no more")
        try write("two/b.toml")
        #expect(isTold())
        unlink(link)
        try write("links/t.toml")
        #expect(isTold(), "a file in the link's place")
        try write("two/b.toml")
        #expect(!told())
    }

    @Test func whatCannotBeWatchedIsQuiet() {
        var watch = FileWatch()
        watch.follow("/nowhere/at/all.toml")
        let isTold = watch.drain()
        #expect(!isTold)
    }
}
