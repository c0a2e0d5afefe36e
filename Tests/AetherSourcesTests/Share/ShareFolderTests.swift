import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

@Suite("Share folders")
struct ShareFolderTests {
    /// A program that answers whatever it is asked with these frames.
    private func program(_ answers: [ShareAnswer], in folder: TemporaryFolder) throws -> String {
        let path = folder.path("aether-share"), bytes = folder.path("answers")
        try Data(answers.flatMap(\.frame)).write(to: URL(filePath: bytes))
        // Its standard input is the socket in both directions.
        try ProgramFile.write("cat '\(bytes)' >&0; cat >/dev/null", to: path)
        return path
    }

    private func list(_ answers: [ShareAnswer], limit: Int = 100, includesHidden: Bool = false) throws -> (
        names: [String], isCut: Bool
    ) {
        let folder = try TemporaryFolder()
        let (entries, isCut) = try ShareFolder("smb://nas/share").list(
            program(answers, in: folder), time: SystemTime(), limit: limit, includesHidden: includesHidden
        ) { $0.hasSuffix(".mkv") }
        return (entries.map(\.name), isCut)
    }

    private let first = ShareAnswer.entries([
        ShareEntry(name: "b.mkv", isFolder: false, size: 5, modified: 1_700_000_000),
        ShareEntry(name: "notes.txt", isFolder: false),
        ShareEntry(name: ".hidden.mkv", isFolder: false),
    ])
    private let second = ShareAnswer.entries([
        ShareEntry(name: "Season 1", isFolder: true), ShareEntry(name: "a.mkv", isFolder: false),
    ])

    @Test("Entries come in portions, until an empty one")
    func portions() throws {
        #expect(try list([first, second, .entries([])]) == (["b.mkv", "Season 1", "a.mkv"], false))
        #expect(try list([first, .entries([]), second], includesHidden: true) == (["b.mkv", ".hidden.mkv"], false))
    }

    @Test("A list that never ends is cut")
    func cut() throws {
        #expect(try list(Array(repeating: second, count: 20), limit: 3) == (["Season 1", "a.mkv", "Season 1"], true))
    }

    @Test(
        "What is no list is told",
        arguments: [
            ([ShareAnswer.failure(number: 0, .noShare, text: "")], NetworkFault.Kind.noShare),
            ([.failure(number: 0, .login, text: "")], .login), ([.opened(size: 1, modified: 2)], .badAnswer),
        ])
    func refusals(_ answers: [ShareAnswer], _ kind: NetworkFault.Kind) throws {
        #expect { try list(answers) } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == kind
        }
    }

    @Test("A folder that is given up asks for nothing more")
    func cancels() throws {
        let files = try TemporaryFolder(), folder = ShareFolder("smb://nas/share")
        folder.cancel()
        #expect(throws: IOReaderError.cancelled) {
            try folder.list(program([second], in: files), time: SystemTime(), limit: 1, includesHidden: false) { _ in true }
        }
    }

    @Test(
        "Places of entries are addresses with their names encoded",
        arguments: [
            ("smb://nas", "Films", "smb://nas/Films"), ("smb://me@nas/share/", "a #1?.mkv", "smb://me@nas/share/a%20%231%3F.mkv"),
            ("nfs://nas/x%20y", "ä%.mkv", "nfs://nas/x%20y/%C3%A4%25.mkv"),
        ])
    func places(_ folder: String, _ name: String, _ place: String) throws {
        #expect(ShareFolder(folder).location(of: name) == .url(place))
        let back = try #require(MediaLocation.url(place + "/x").inFolder)
        #expect(back.name == "x" && back.folder.location(of: "x") == .url(place + "/x"))
    }

    @Test(
        "Names that lead elsewhere are no entries",
        arguments: ["", ".", "..", "a/b", "a\0b", String(repeating: "a", count: 1021)])
    func names(_ name: String) throws {
        #expect(!ShareEntry.isName(name))
        let frame = ShareAnswer.entries([ShareEntry(name: name, isFolder: true)]).frame
        var frames = WireFrames()
        frame.withUnsafeBytes { frames.take($0) }
        #expect(try frames.next().flatMap { ShareAnswer($0) } == nil)
    }
}

@Suite("Share folders of real servers", .serialized, .enabled(if: ShareProgram.find() != nil, "aether-share is not built"))
struct ServedFolderTests {
    private func fill(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "Season 10"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: folder.appending(path: "Season 2"), withIntermediateDirectories: true)
        for name in ["b 10.mkv", "b 9.mkv", "ä #1.mkv", "notes.txt", ".hidden.mkv"] {
            try Data(name.utf8).write(to: folder.appending(path: name))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "link.mkv").path, withDestinationPath: "b 9.mkv")
    }

    private func check(_ address: String) throws {
        let folder = ShareFolder(address)
        let found = try folder.contents(limit: 100, includesHidden: false) { $0.hasSuffix(".mkv") }
        #expect(found.entries.map(\.name) == ["Season 2", "Season 10", "b 9.mkv", "b 10.mkv", "link.mkv", "ä #1.mkv"])
        #expect(found.entries.prefix(2).allSatisfy(\.isDirectory) && !found.entries[2].isDirectory)
        #expect(found.entries[2].bytes == 7 && found.entries[4].bytes == 7 && found.entries[2].changed != nil)
        #expect(try folder.folder("Season 2").contents(limit: 10, includesHidden: true) { _ in true }.entries.isEmpty)
        #expect { try folder.folder("none").contents(limit: 1, includesHidden: true) { _ in true } } throws: { error in
            guard case .network(let fault) = error as? IOReaderError else { return false }
            return fault.kind == .missing
        }
        guard case .url(let file) = folder.location(of: "ä #1.mkv") else { return }
        #expect(try ShareReader(file).bytes(limit: 100) == Array("ä #1.mkv".utf8))
    }

    @Test(
        "SMB", .enabled(if: ShareServer.isAvailable, "smbd is not here, or we are not root"),
        arguments: ["guest", "root:se%20cret|sealed"])
    func smb(_ place: String) throws {
        let server = try ShareServer(), parts = place.split(separator: "|")
        try fill(server.folder)
        let login = parts.count == 2 ? parts[0] + "@" : ""
        try check("smb://\(login)127.0.0.1:\(server.port)/\(parts[parts.count - 1])")
    }

    @Test("NFS", .enabled(if: NFSServer.runs, "no NFS-Ganesha runs here: scripts/setup.sh test installs it, root starts it"))
    func nfs() throws {
        let server = try NFSServer()
        try fill(server.folder)
        try check("nfs://127.0.0.1:\(server.port)/media")
        let root = try ShareFolder("nfs://127.0.0.1:\(server.port)").contents(limit: 10, includesHidden: false) { _ in true }
        #expect(root.entries.map(\.name) == ["media"] && root.entries.allSatisfy(\.isDirectory))
    }

    @Test("Whole files and seeks over NFS", .enabled(if: NFSServer.runs, "no NFS-Ganesha runs here"))
    func reads() throws {
        let server = try NFSServer(), content = (0..<6_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
        try Data(content).write(to: server.folder.appending(path: "a.mkv"))
        let reader = try ShareReader("nfs://127.0.0.1:\(server.port)/media/a.mkv")
        let other = try #require(reader.makeIndependentReader())
        #expect(try reader.bytes(limit: 1 << 30) == content)
        for offset in [5_999_990, 100, 3_000_000, 2_999_000, 6_000_001] {
            try other.seek(to: Int64(offset))
            #expect(try other.bytes(limit: 70_000) == Array(content[offset...].prefix(70_000)))
        }
    }
}
