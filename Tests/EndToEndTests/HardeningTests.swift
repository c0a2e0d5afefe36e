import AetherTestSupport
import Foundation
import Glibc
import Testing

/// The reader of a program's ELF header.
private enum ELF {
    static let reader = ["/usr/bin/readelf", "/usr/local/bin/readelf"].first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// How the programs are linked, and which rights they keep.
@Suite(.enabled(if: Programs.player != nil && Programs.control != nil && Programs.demo != nil, "\(Programs.missing)"))
struct HardeningTests {
    private func readelf(_ option: String, _ program: String) throws -> [String] {
        let command = try Command([#require(ELF.reader), "-W", option, program])
        try #require(command.status == 0, "\(command.standardError)")
        return command.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: ELF.reader != nil, "no readelf here"), arguments: [Programs.player, Programs.control])
    func addressesAreSealedAndNoLibraryIsTakenFromBesideTheProgram(_ program: String?) throws {
        let program = try #require(program)
        let dynamic = try readelf("-d", program), segments = try readelf("-l", program)
        #expect(segments.contains { $0.contains("GNU_RELRO") })
        #expect(
            dynamic.contains { $0.contains("BIND_NOW") || $0.contains("FLAGS_1") && $0.contains("NOW") }, "not all at the start")
        // `make` builds with --disable-local-rpath.
        #expect(!dynamic.contains { ($0.contains("RUNPATH") || $0.contains("RPATH")) && $0.contains("$ORIGIN") }, "\(dynamic)")
        #expect(!dynamic.contains { $0.contains("TEXTREL") })
        #expect(dynamic.contains { $0.contains("PIE") })
        // No stack from which code runs.
        #expect(segments.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
    }

    /// Of Foundation they use the essentials alone: one symbol of the rest would link ICU's tables, 34 MB, into the installed programs.
    @Test(.enabled(if: ELF.reader != nil, "no readelf here"), arguments: [Programs.player, Programs.control])
    func noTableOfICUIsLinked(_ program: String?) throws {
        let names = try readelf("--dyn-syms", #require(program)).compactMap { $0.split(separator: " ").last }
        #expect(names.contains { $0.contains("20FoundationEssentials") } && names.count > 1000)
        // As Swift writes the names of modules: with their lengths before them.
        let foreign = names.filter { name in
            ["10Foundation", "30FoundationInternationalization", "icudt"].contains { name.contains($0) }
        }
        #expect(foreign == [])
    }

    #if !DEBUG
        @Test(.enabled(if: ELF.reader != nil, "no readelf here"), arguments: [Programs.player, Programs.control])
        func copiesInCAreChecked(_ program: String?) throws {
            let symbols = try readelf("--dyn-syms", #require(program))
            #expect(symbols.contains { $0.contains("__memcpy_chk") }, "not built with _FORTIFY_SOURCE")
        }
    #endif

    private func gainsNoRights(_ pid: Int32) throws -> Bool {
        try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n").contains("NoNewPrivs:\t1")
    }

    @Test func thePlayerAndWhatItStartsGainNoRights() throws {
        let session = try Session(["--no-audio", #require(Programs.demo)])
        try #require(session.waitForStill(), "\(session.standardError)")
        #expect(try gainsNoRights(session.pty.pid))
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }

    @Test func theToolGainsNoRights() throws {
        let pty = try Pty([#require(Programs.control), "play", "--audio", "none", #require(Programs.demo)])
        try #require(pty.waitForOutput { !$0.isEmpty })
        #expect(try gainsNoRights(pty.pid))
    }

    @Test func aHelperThatIsSetuidIsNotHindered() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("tesseract")
        try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o4755) == 0)
        let session = try Session(
            ["--no-audio", #require(Programs.demo)], environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
        try #require(session.waitForStill(), "\(session.standardError)")
        #expect(try !gainsNoRights(session.pty.pid))
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }
}
