import AetherCore
import AetherSources
import Foundation
import Testing

@Suite struct DirectoryContentsTests {
    private func folder(_ files: [String], directories: [String] = []) throws -> String {
        let path = temporaryPath(), manager = FileManager.default
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in directories { try manager.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false) }
        for name in files { #expect(manager.createFile(atPath: path + "/" + name, contents: Data(name.utf8))) }
        return path
    }

    private func remove(_ path: String) {
        do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") }
    }

    @Test func directoriesComeFirstThenWantedFilesInNaturalOrder() throws {
        let path = try folder(["b10.mkv", "B2.mkv", "a.txt", ".hidden.mkv"], directories: ["z", "Y", ".git", "y2", "y10"])
        defer { remove(path) }
        try FileManager.default.createSymbolicLink(atPath: path + "/lost.mkv", withDestinationPath: "/no/such/file")
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/z")
        let contents = try DirectoryContents(of: path) { $0.hasSuffix(".mkv") }
        #expect(contents.entries.map(\.name) == ["link", "Y", "y2", "y10", "z", "B2.mkv", "b10.mkv"] && !contents.isCut)
        #expect(contents.entries.map(\.isDirectory) == [true, true, true, true, true, false, false])
        #expect(contents.entries.last?.bytes == 7 && (contents.entries.last?.changed?.year ?? 0) > 2000)
    }

    @Test func moreThanTheLimitIsCutAndSaid() throws {
        let path = try folder((0..<30).map { "\($0).mkv" } + ["a.txt"])
        defer { remove(path) }
        let all = try DirectoryContents(of: path, limit: 30) { $0.hasSuffix(".mkv") }
        #expect(all.entries.count == 30 && !all.isCut)
        let cut = try DirectoryContents(of: path, limit: 29) { $0.hasSuffix(".mkv") }
        #expect(cut.entries.count == 29 && cut.isCut)
    }

    /// As old collections have them: written where Latin-1 was the character set.
    @Test func namesThatAreNoTextAreListedAndOpened() throws {
        let path = try folder(["a.mkv"])
        defer { remove(path) }
        let raw: [UInt8] = Array(path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".mkv".utf8) + [0]
        let descriptor = open(raw.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        #expect(write(descriptor, "film", 4) == 4)
        close(descriptor)
        let contents = try DirectoryContents(of: path) { $0.hasSuffix(".mkv") }
        let name = try #require(contents.entries.last?.name)
        #expect(contents.entries.count == 2 && contents.entries.last?.bytes == 4)
        let files = try DirectoryListing.mediaFiles(in: path)
        #expect(files.last == path + "/" + name)
        let reader = try #require(try MediaLocation.parse(path + "/" + name).openReader())
        #expect(reader.size == 4)
        #expect(MediaLocation.parse("file://" + path + "/caf%E9.mkv") == .file(path + "/" + name))
        #expect(MediaLocation.file(name).displayName == "caf\u{FFFD}.mkv")
    }

    @Test func whatIsNoDirectoryIsRefused() {
        for path in ["/no/such/directory", "/etc/passwd"] {
            #expect(throws: IOReaderError.self) { _ = try DirectoryContents(of: path) { _ in true } }
        }
    }

    @Test func manyNamesAreSortedAsTwoAre() {
        let names = ["b", "a10", "a2", "A2", "a02", "", "10", "9", "ä", "a 1", "a1b2", "a1b10"]
        let sorted = NaturalOrder.order(of: names).map { names[$0] }
        for (first, second) in zip(sorted, sorted.dropFirst()) { #expect(NaturalOrder.order(of: [second, first]) == [1, 0]) }
        #expect(Set(sorted) == Set(names))
    }
}
