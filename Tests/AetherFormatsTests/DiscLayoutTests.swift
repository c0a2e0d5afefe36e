import AetherFormats
import Testing

/// The names by which a folder is known as that of a disc.
struct DiscLayoutTests {
    @Test(
        arguments: [
            (["VIDEO_TS/", "AUDIO_TS/"], ["VIDEO_TS", "VIDEO_TS.IFO"]), (["video_ts/"], ["video_ts", "video_ts.ifo"]),
            (["VTS_01_1.VOB", "VIDEO_TS.IFO", "VIDEO_TS.BUP"], ["VIDEO_TS.IFO"]),
            (["BDMV/", "CERTIFICATE/"], ["BDMV", "index.bdmv"]),
            (["index.bdmv", "STREAM/"], ["index.bdmv"]), (["INDEX.BDM"], ["INDEX.BDM"]), (["VIDEO_TS"], nil),
            (["Private/", "a.mkv"], nil),
            (["BDMV"], nil), ([], nil),
        ] as [([String], [String]?)])
    func aFolderIsKnownByWhatLiesInIt(_ names: [String], _ list: [String]?) {
        #expect(DiscLayout.list(among: names.map { ($0.replacing("/", with: ""), $0.hasSuffix("/")) }) == list)
    }

    @Test func listsOfTitlesAreKnownByTheirNames() {
        #expect(["VIDEO_TS.IFO", "video_ts.bup", "index.bdmv", "INDEX.BDM"].allSatisfy(DiscLayout.isList))
        #expect(!["VTS_01_0.IFO", "index.html", "", "film.bdmv"].contains(where: DiscLayout.isList))
        #expect(DiscLayout.isBelowDisc(list: "index.bdmv") && !DiscLayout.isBelowDisc(list: "VIDEO_TS.IFO"))
    }
}
