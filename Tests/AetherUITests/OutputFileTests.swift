import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherUI

@Suite struct OutputFileTests {
    private let folder: TemporaryFolder
    private let outputs = OutputFile(hasScreen: true)

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }

    /// Opens and writes a letter.
    private func write(to path: String) throws {
        let descriptor = try outputs.open(path, "write the log to")
        defer { close(descriptor) }
        #expect(Glibc.write(descriptor, "x", 1) == 1)
    }

    @Test func aNewFileIsForThePersonAlone() throws {
        try write(to: folder.path("log"))
        #expect(try mode("log") == 0o600)
        #expect(try Data(contentsOf: URL(filePath: folder.path("log"))) == Data("x".utf8))
    }

    /// Asked before the hours in which `--at` waits.
    @Test func whereAFileCannotBeMadeIsKnownBefore() throws {
        try Data("x".utf8).write(to: URL(filePath: folder.path("there.mkv")))
        #expect(OutputFile.obstacle(toMaking: folder.path("new.mkv")) == nil)
        #expect(OutputFile.obstacle(toMaking: folder.path("there.mkv")) == "there is such a file: name another one")
        #expect(OutputFile.obstacle(toMaking: folder.path("missing/new.mkv")) == "No such file or directory")
        #expect(OutputFile.obstacle(toMaking: folder.path("there.mkv/new.mkv")) == "Not a directory")
        #expect(OutputFile.obstacle(toMaking: "no-such-file.mkv") == nil)
    }

    @Test func anOldFileIsEmptiedAndClosedToOthers() throws {
        try Data("12.345 I engine: what was there before\n".utf8).write(to: URL(filePath: folder.path("log")))
        chmod(folder.path("log"), 0o644)
        try write(to: folder.path("log"))
        #expect(try mode("log") == 0o600)
        #expect(try Data(contentsOf: URL(filePath: folder.path("log"))) == Data("x".utf8))
    }

    @Test func aLogIsWrittenOnUntilItIsLarge() throws {
        let line = "0.1 I a: b\n"
        for expected in [line, line + line, line + line + line, line] {
            let descriptor = try outputs.open(folder.path("log"), "write the log to", keeping: Int64(2 * line.utf8.count))
            #expect(Glibc.write(descriptor, line, line.utf8.count) == line.utf8.count)
            close(descriptor)
            #expect(try Data(contentsOf: URL(filePath: folder.path("log"))) == Data(expected.utf8))
        }
        #expect(try mode("log") == 0o600)
    }

    /// A slip of the command line costs no video: `--log a.mkv b.mkv`.
    @Test(arguments: [
        ("a note\n", false, false), ("\u{1A}E\u{DF}", false, false), ("{}", false, false), ("0.1 I a: b\n", true, false),
        ("{\"phase\":\"playing\",\"telemetry\":{\"detail\":1}}\n", false, true),
    ])
    func whatIsNoneOfOursStays(_ text: String, _ isLog: Bool, _ isTelemetry: Bool) throws {
        for (content, isOurs) in [(OutputFile.Content.log, isLog), (.telemetry, isTelemetry)] {
            try Data(text.utf8).write(to: URL(filePath: folder.path("file")))
            do throws(MediaError) {
                close(try outputs.open(folder.path("file"), "write to", holding: content, keeping: 1 << 20))
                #expect(isOurs)
            } catch {
                #expect(!isOurs && error.reason == "it holds something else: name another file")
            }
            #expect(try Data(contentsOf: URL(filePath: folder.path("file"))) == Data(text.utf8))
        }
    }

    @Test func aLinkIsNotFollowed() throws {
        try Data("precious".utf8).write(to: URL(filePath: folder.path("precious")))
        for (name, target) in [("link", "precious"), ("dangling", "nothing")] {
            #expect(symlink(folder.path(target), folder.path(name)) == 0)
            #expect(throws: MediaError.self) { try write(to: folder.path(name)) }
        }
        #expect(try Data(contentsOf: URL(filePath: folder.path("precious"))) == Data("precious".utf8))
        #expect(access(folder.path("nothing"), F_OK) != 0)
    }

    @Test func whatIsNoFileIsRefusedInASentence() throws {
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        for path in [folder.url.path, folder.path("fifo"), "/nowhere/log", "/dev/zero", "/dev/fd/999", "/dev/fd/-1"] {
            let error = #expect(throws: MediaError.self) { try write(to: path) }
            #expect(error?.code == .cannotOpen && error?.reason.isEmpty == false, "\(path)")
        }
    }

    @Test func aPipeThatSomebodyReadsAndOpenDescriptorsAreTaken() throws {
        #expect(mkfifo(folder.path("fifo"), 0o644) == 0)
        let reader = open(folder.path("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        try write(to: folder.path("fifo"))
        var letter: UInt8 = 0
        #expect(read(reader, &letter, 1) == 1 && letter == UInt8(ascii: "x"))
        try write(to: "/dev/null")
        // A file that the shell has redirected output to is continued from its place.
        try Data("before ".utf8).write(to: URL(filePath: folder.path("out")))
        let out = open(folder.path("out"), O_WRONLY | O_CLOEXEC)
        defer { close(out) }
        try write(to: "/dev/fd/\(out)")
        #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8) == "before x")
        // One that is for reading alone.
        #expect(throws: MediaError.self) { try write(to: "/dev/fd/\(reader)") }
    }

    @Test func aTerminalIsTakenOnlyWhereNoScreenIsDrawn() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        try #require(isatty(terminal) == 1)
        #expect(throws: MediaError.self) { try write(to: "/dev/fd/\(terminal)") }
        let descriptor = try OutputFile(hasScreen: false).open("/dev/fd/\(terminal)", "write the log to")
        #expect(isatty(descriptor) == 1)
        close(descriptor)
    }
}
