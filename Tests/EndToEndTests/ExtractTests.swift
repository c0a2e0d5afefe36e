import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// `aetherctl extract` and `aetherctl sheet`.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct ExtractTests {
    private static func clip() throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                "-threads", "1",
            ],
            ext: "mkv")
    }
    private func run(_ arguments: [String]) throws -> (Command, RasterImage?) {
        let folder = try TemporaryFolder()
        let result = try Command([#require(Programs.control)] + arguments + ["-o", folder.path("out.png")])
        let bytes = FileManager.default.contents(atPath: folder.path("out.png")) ?? Data()
        return (result, PNGReader.read([UInt8](bytes)))
    }

    @Test func aSnapshotIsAsLargeAsTheVideoAndAThumbnailAsWideAsAskedFor() throws {
        let (snapshot, whole) = try run(["extract", "--at", "1.5", "--snapshot", Self.clip()])
        #expect(snapshot.status == 0 && whole?.size == PixelSize(width: 320, height: 180))
        let (thumbnail, small) = try run(["extract", "--at", "50%", "--width", "64", Self.clip()])
        #expect(thumbnail.status == 0 && small?.size == PixelSize(width: 64, height: 36))
    }

    @Test func loopsSayTimesAndMemory() throws {
        let (result, picture) = try run(["extract", "--at", "0", "--loops", "16", Self.clip()])
        #expect(result.status == 0 && picture != nil)
        #expect(result.errorLines.first?.hasPrefix("8  rss ") == true)
        #expect(result.errorLines.last?.hasPrefix("total  stills 16  decoded ") == true)
    }

    @Test func aSheetHasItsFramesInAGrid() throws {
        let (result, picture) = try run(["sheet", "--columns", "3", "--rows", "2", "--width", "80", Self.clip()])
        #expect(result.status == 0 && picture?.size == PixelSize(width: 3 * 88 + 8, height: 2 * (45 + 30) + 8))
    }

    @Test(
        arguments: [
            (["extract", "--at", "1", "/nothing.mkv"], 2), (["extract", "--at", "1", "--width", "5", "x"], 64),
            (["extract", "x"], 64),
            (["sheet", "/nothing.mkv"], 2), (["sheet", "--columns", "0", "x"], 64),
        ] as [([String], Int32)]) func saysWhatItCannotDo(arguments: [String], status: Int32) throws
    {
        let (result, picture) = try run(arguments)
        #expect(result.status == status && picture == nil && !result.errorLines.isEmpty)
    }

    @Test(arguments: [["extract", "--at", "1"], ["sheet"]]) func saysWhyAFileCannotBeOpened(_ command: [String]) throws {
        let (missing, _) = try run(command + ["/nothing.mkv"])
        #expect(missing.errorLines == ["aetherctl: cannot open ‘/nothing.mkv’: No such file or directory"])
        let (directory, _) = try run(command + ["/usr"])
        #expect(directory.status == 2 && directory.errorLines.first?.hasSuffix("directory") == true)
    }

    @Test func soundHasNoPicture() throws {
        let tone = try Fixtures.clip(["-f", "lavfi", "-i", "sine=d=1"], ext: "flac")
        let (result, picture) = try run(["extract", "--at", "0", tone])
        #expect(result.status == 2 && picture == nil)
        #expect(result.errorLines == ["aetherctl: ‘\(tone)’ has no stream that can be decoded: it has no video"])
    }
}
