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
        // What is left in the temporary directory is the system's to clear.
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

    @Test func whatCannotBeWatchedIsQuiet() {
        var watch = FileWatch()
        watch.follow("/nowhere/at/all.toml")
        let isTold = watch.drain()
        #expect(!isTold)
    }
}
