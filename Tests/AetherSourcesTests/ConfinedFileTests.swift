import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@Suite struct ConfinedFileTests {
    private func fault(_ path: String, below folder: String) -> IOReaderError? {
        do throws(IOReaderError) {
            try ConfinedFile.reader(path: path, below: folder).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func onlyWhatLiesInTheFolderIsOpened() throws {
        let folder = try TemporaryFolder(), inner = folder.path("inner"), secret = folder.path("secret")
        try FileManager.default.createDirectory(atPath: inner + "/sub", withIntermediateDirectories: true)
        for path in [secret, inner + "/a", inner + "/sub/b", folder.path("inner2")] {
            try Data([1]).write(to: URL(filePath: path))
        }
        try FileManager.default.createSymbolicLink(atPath: inner + "/out", withDestinationPath: secret)
        try FileManager.default.createSymbolicLink(atPath: inner + "/within", withDestinationPath: inner + "/a")
        #expect(fault(inner + "/a", below: inner) == nil && fault(inner + "/sub/b", below: inner) == nil)
        #expect(fault(inner + "/within", below: inner) == nil)
        #expect(fault(inner + "/out", below: inner) == .posix(EXDEV), "a link that leads out")
        #expect(fault(inner + "/../secret", below: inner) == .posix(EXDEV))
        #expect(fault(folder.path("inner2"), below: inner) == .posix(EXDEV), "the name only begins alike")
        #expect(fault(inner + "/none", below: inner) == .posix(ENOENT))
    }
}
