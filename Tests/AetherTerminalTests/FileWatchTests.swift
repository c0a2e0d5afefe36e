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
        #expect(!isReadable(descriptor) && !told())
        try Data("x".utf8).write(to: URL(fileURLWithPath: directory.path + "/b.toml"))
        #expect(!told(), "another file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(isReadable(descriptor) && told())
        #expect(!told(), "said once")
        try Data("y".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        #expect(told(), "replaced, as editors do it")
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
        func told() -> Bool { watch.drain() }
        #expect(!told())
        try write("one/a.toml")
        #expect(told(), "written where it leads to")
        unlink(link)
        #expect(!told())
        symlink(folder.path("two/b.toml"), link)
        #expect(told(), "another link")
        try write("one/a.toml")
        #expect(!told(), "it leads there no more")
        try write("two/b.toml")
        #expect(told())
        unlink(link)
        try write("links/t.toml")
        #expect(told(), "a file in the link's place")
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
