import Testing

@testable import AetherSources

/// Paths among the exports of a server of NFS 3.
@Suite struct ExportTreeTests {
    private static let tree = ExportTree(["/volume1/media", "/volume1/media/films/", "/volume2", "no path", "/"])
    private static let nas = ExportTree(["/volume1/media", "/volume1/music", "/srv"])

    @Test(arguments: [
        ("/volume1/media/films/a.mkv", "/volume1/media/films", "/a.mkv"), ("/volume1/media/films", "/volume1/media/films", "/"),
        ("/volume1/media/filmset/a.mkv", "/volume1/media", "/filmset/a.mkv"), ("/volume2/b/c.mkv", "/volume2", "/b/c.mkv"),
        ("/other/d.mkv", "/", "/other/d.mkv"),
    ])
    func theLongestExportIsMounted(_ path: String, _ export: String, _ below: String) throws {
        let found = try #require(Self.tree.export(of: path))
        #expect(found.export == export && found.below == below)
    }

    @Test(arguments: [
        ("/", ["srv", "volume1"]), ("/volume1", ["media", "music"]), ("/volume1/", ["media", "music"]), ("/volume", []),
        ("/srv", []), ("/other", []),
    ])
    func theWayToExportsIsListed(_ path: String, _ folders: [String]) { #expect(Self.nas.folders(in: path) == folders) }

    @Test func outsideOfAllExportsLiesNothing() {
        #expect(Self.nas.export(of: "/volume1") == nil && Self.nas.export(of: "/volume1/mediathek/a") == nil)
        #expect(ExportTree(["", "x"]).isEmpty && ExportTree([]).folders(in: "/").isEmpty)
    }
}
