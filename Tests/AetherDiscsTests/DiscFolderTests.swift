import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherDiscs

/// Discs whose files lie in a folder of a server.
struct DiscFolderTests {
    private func served(_ files: [String: [UInt8]]) -> (server: ScriptedServer, access: DiscServer, folder: DiscFolder) {
        let server = ScriptedServer(files)
        let access = DiscServer { location throws(IOReaderError) in try server.reader(location) }
        return (server, access, DiscFolder(ScriptedFolder(path: "disc/", server: server), of: access))
    }

    private func bluRay() throws -> [String: [UInt8]] {
        try BluRayFixture.made().files().reduce(into: [:]) { $0["disc/" + $1.path] = $1.bytes }
    }

    private func bytes(_ reader: BluRayReader) throws -> [[UInt8]] {
        try reader.title.playlist.items.indices.map { try reader.part($0).bytes(limit: 1 << 24) }
    }

    @Test func aBluRayDiscIsThatOfItsImage() throws {
        let image = try #require(try BluRay(image: MemoryReader(UDFWriter.image(BluRayFixture.made().files()))))
        for rounds in [false, true] {
            let (server, _, folder) = try served(bluRay())
            server.state.withLock { $0.rounds = rounds }
            let disc = try #require(try BluRay(folder))
            #expect(disc.titles == image.titles && !disc.isLocked)
            #expect(try bytes(disc.reader(title: 1)) == bytes(image.reader(title: 1)))
            // No copy was asked for, and nothing twice but the files of the title.
            let opened = server.state.withLock { $0.opened }
            #expect(!opened.contains { $0.contains("BACKUP") })
            #expect(opened.count { $0.hasSuffix(".mpls") } == 6 && Set(opened.filter { !$0.contains("0000") }).count == 2)
        }
    }

    /// Lists of sftp and ftp say none of links.
    @Test func sizesThatAListDoesNotSayAreAskedFor() throws {
        let (server, _, folder) = try served(bluRay())
        server.state.withLock { $0.hidesSizes = true }
        let image = try #require(try BluRay(image: MemoryReader(UDFWriter.image(BluRayFixture.made().files()))))
        #expect(try bytes(#require(try BluRay(folder)).reader(title: 1)) == bytes(image.reader(title: 1)))
    }

    @Test func tablesOfAnEncryptedDiscAreSeen() throws {
        var files = try bluRay()
        for (path, bytes) in files where path.hasSuffix(".m2ts") {
            files[path] = bytes.indices.map { $0 % 6144 >= 16 ? bytes[$0] ^ 0x5A : bytes[$0] }
        }
        files["disc/AACS/MKB_RO.inf"] = [16, 0, 0, 12]
        #expect(throws: DiscError.disc(.encrypted)) { try BluRay(served(files).folder)?.reader(title: nil) }
    }

    @Test(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)), arguments: [false, true])
    func aDVDIsThatOfItsFolder(isLower: Bool) throws {
        let path = try DVDFixture.made().folder, local = try #require(try DVD(DiscFolder(path: path)))
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path + "/VIDEO_TS") {
            let bytes = Array(try Data(contentsOf: URL(filePath: path + "/VIDEO_TS/" + name)))
            files["disc/VIDEO_TS/" + (isLower ? name.lowercased() : name)] = bytes
        }
        let (server, _, folder) = served(files)
        let disc = try #require(try DVD(folder))
        #expect(disc.titles == local.titles)
        for title in 1...2 {
            let reader = try disc.reader(title: title), other = try #require(reader.makeIndependentReader())
            let wanted = try local.reader(title: title).bytes(limit: .max)
            #expect(try reader.bytes(limit: .max) == wanted && other.bytes(limit: .max) == wanted)
            reader.close()
            other.close()
        }
        #expect(server.state.withLock { $0.open } == 0)
    }

    @Test func aFileRestsWhereManyAreOpenAndIsReadOn() throws {
        let files = (0..<9).reduce(into: [:]) { $0["disc/\($1)"] = [UInt8](repeating: UInt8($1), count: 100) }
        let (server, access, _) = served(files)
        let readers = (0..<9).map { FolderReader(.url("disc/\($0)"), size: 100, of: access) }
        for round in 0..<3 {
            for (index, reader) in readers.enumerated() {
                #expect(try reader.bytes(limit: 10) == [UInt8](repeating: UInt8(index), count: 10), "\(round)")
            }
        }
        #expect(server.state.withLock { $0.most } <= 5 && server.state.withLock { $0.opened.count } == 27)
        for reader in readers { reader.close() }
        #expect(server.state.withLock { $0.open } == 0)
        #expect(throws: IOReaderError.closed) { try readers[0].bytes(limit: 1) }
    }

    @Test func aFileOfAnotherSizeIsNotWhatTheListSays() throws {
        let (_, access, _) = served(["disc/a": [1, 2, 3]])
        let reader = FolderReader(.url("disc/a"), size: 4, of: access)
        #expect(throws: IOReaderError.network(NetworkFault(.changed))) { try reader.bytes(limit: 1) }
    }

    @Test func whatIsUnderWayIsBrokenOffAndGoesOnLater() throws {
        let (server, access, folder) = try served(bluRay())
        server.state.withLock { $0.whenOpened = { access.cancel() } }
        #expect(throws: DiscError.bytes(.cancelled)) { try BluRay(folder) }
        #expect(throws: DiscError.bytes(.cancelled)) { try BluRay(folder) }
        server.state.withLock { $0.whenOpened = nil }
        access.resume()
        let reader = try #require(try BluRay(folder)).reader(title: 1)
        reader.cancel()
        #expect(throws: DiscError.bytes(.cancelled)) { try reader.part(1) }
        #expect(throws: IOReaderError.cancelled) { try reader.bytes(limit: 1) }
        reader.resume()
        #expect(try bytes(reader).count == 2)
    }

    private static let sheet = "FILE \"Image.BIN\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00"

    @Test func aSheetLeadsToItsImageAndAnImageToItsSheet() throws {
        let samples = (0..<2352 * 40).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let (server, _, folder) = served(["disc/a.cue": Array(Self.sheet.utf8), "disc/image.bin": samples])
        for name in ["a.cue", "image.bin"] {
            let found = try CompactDisc(name, in: folder)
            // The only sheet there is called otherwise than the image.
            guard name == "a.cue" else {
                #expect(found == nil)
                continue
            }
            let reader = try #require(found).reader(title: nil)
            #expect(try Array(reader.bytes(limit: .max).suffix(samples.count)) == samples)
        }
        server.state.withLock { $0.files["disc/IMAGE.cue"] = Array(Self.sheet.utf8) }
        #expect(try CompactDisc("image.bin", in: folder)?.titles.count == 1)
        #expect(try CompactDisc("other.mkv", in: folder) == nil && CompactDisc("lost.cue", in: folder) == nil)
        // Names that lead elsewhere lead nowhere.
        for name in ["../secret.bin", "/disc/image2.bin", "a/../../secret.bin"] {
            let sheet = Self.sheet.replacingOccurrences(of: "Image.BIN", with: name)
            let (server, _, folder) = served(["disc/a.cue": Array(sheet.utf8), "secret.bin": samples, "disc/image2.bin": []])
            #expect(throws: DiscError.self) { try CompactDisc("a.cue", in: folder) }
            #expect(!server.state.withLock { $0.opened }.contains { $0.hasPrefix("secret") || $0.contains("..") })
        }
    }

    @Test func aServerThatListsNothingHasSheetsAllTheSame() throws {
        let (server, _, folder) = served([
            "disc/a.cue": Array(Self.sheet.utf8), "disc/Image.BIN": [UInt8](repeating: 1, count: 2352 * 40),
        ])
        server.state.withLock { $0.listsNothing = true }
        #expect(try CompactDisc("a.cue", in: folder)?.titles.count == 1)
        server.state.withLock { $0.files["disc/Image.BIN"] = nil }
        #expect(throws: DiscError.compact(.missing("Image.BIN"))) { try CompactDisc("a.cue", in: folder) }
    }
}
