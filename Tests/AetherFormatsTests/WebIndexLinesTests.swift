import Testing

@testable import AetherFormats

/// Lists of folders as servers of sftp and ftp write them.
@Suite struct WebIndexLinesTests {
    private func index(_ lines: [String]) -> WebIndex? {
        WebIndex(lines: Array(lines.joined(separator: "\n").utf8), now: (2026, 3))
    }

    @Test func filesFoldersAndLinksAreRead() throws {
        let list = try #require(
            index([
                "total 12", "drwxr-xr-x    5 me       users        4096 Nov 27 13:02 .",
                "drwxr-xr-x    5 me users 4096 Nov 27 13:02 ..",
                "-rw-r--r--    1 me       users  1234567890 Nov 27 13:02 part #2  x.mkv",
                "drwxr-xr-x 2 0 0 4096 Jan  3  2024 Season 1\r",
                "lrwxrwxrwx 1 0 0 8 Feb 1 09:00 link.mkv -> part.mkv", "lrwxrwxrwx 1 0 0 8 Feb 1 09:00 more -> /else",
                "-rw-r--r-- 1 0 0 5 Feb 1 09:00 .hidden", "crw-r--r-- 1 0 0 5 Feb 1 09:00 device",
            ]))
        #expect(list.entries.map(\.name) == ["part #2  x.mkv", "Season 1", "link.mkv", "more"])
        #expect(list.entries.map(\.isFolder) == [false, true, false, true])
        #expect(list.entries[0].reference == "part%20%232%20%20x.mkv" && list.entries[0].bytes == 1_234_567_890)
        // An hour in place of a year: of the last twelve months.
        #expect(list.entries[0].changed == WebIndex.Change(year: 2025, month: 11, day: 27, hour: 13, minute: 2))
        #expect(list.entries[1].changed == WebIndex.Change(year: 2024, month: 1, day: 3, hour: 0, minute: 0))
        #expect(list.entries[2].changed?.year == 2026)
    }

    @Test(arguments: [
        "<html><title>Index of /</title></html>", "hello world", "-rw-r--r-- 1 a b x Nov 27 13:02 name",
        "-rw-r--r-- 1 a b 5 Foo 27 13:02 name",
        "-rw-r--r-- 1 a b 5 Nov 99 13:02 name", "-rw-r--r-- 1 a b 5 Nov 27 25:02 name", "-rw-r--r-- 1 a b 5 Nov 27 13:02",
    ])
    func whatIsNoListIsNone(_ text: String) { #expect(index([text]) == nil) }

    @Test func namesThatLeadElsewhereAreLeftOutAndAnEmptyFolderIsOne() {
        #expect(
            index(["-rw-r--r-- 1 a b 5 Nov 27 13:02 a/b", "-rw-r--r-- 1 a b 5 Nov 27 13:02 a\u{1B}b"])?.entries.isEmpty == true)
        #expect(WebIndex(lines: [], now: (2026, 1))?.entries.isEmpty == true)
    }
}
