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

    /// Of a domain come names of two words; a group may be called as a month is.
    @Test func namesOfOwnersAndGroupsMayHaveSpaces() throws {
        let list = try #require(
            index([
                "-rw-r--r--    1 me       domain users  1234 Nov 27 13:02 a 5 Nov 27 13:02 b.mkv",
                "drwxr-xr-x 2 CORP\\some one domain users 4096 Jan  3  2024 Season 1",
                "-rw-r--r-- 1 may jun 77 Mar 1 09:00 c.mkv", "-rw-r--r-- 1 5 may 31 1999 Feb 2 09:00 d.mkv",
            ]))
        #expect(list.entries.map(\.name) == ["a 5 Nov 27 13:02 b.mkv", "Season 1", "c.mkv", "d.mkv"])
        #expect(list.entries.map(\.bytes) == [1234, nil, 77, 1999])
        #expect(list.entries.map { $0.changed?.month } == [11, 1, 3, 2])
    }

    /// A link is as long as the path that it leads to, which says nothing about the file.
    @Test func aLinkHasNoSize() throws {
        let list = try #require(
            index(["lrwxrwxrwx 1 0 0 8 Feb 1 09:00 link.vob -> part.vob", "-rw-r--r-- 1 0 0 0 Feb 1 09:00 empty.vob"]))
        #expect(list.entries.map(\.bytes) == [nil, 0])
    }

    @Test func linesOfDOSAreRead() throws {
        let list = try #require(
            index([
                "02-03-24  10:15AM       <DIR>          Season 1", "11-27-25  12:05PM           1234567890 part #2  x.mkv\r",
                "11-27-1999  12:05AM                    5 a.mkv", "01-31-99  23:59  0 b.mkv", "02-03-24  10:15AM  <DIR>  .hidden",
            ]))
        #expect(list.entries.map(\.name) == ["Season 1", "part #2  x.mkv", "a.mkv", "b.mkv"])
        #expect(list.entries.map(\.isFolder) == [true, false, false, false])
        #expect(list.entries.map(\.bytes) == [nil, 1_234_567_890, 5, 0])
        #expect(list.entries[0].changed == WebIndex.Change(year: 2024, month: 2, day: 3, hour: 10, minute: 15))
        #expect(list.entries[1].changed == WebIndex.Change(year: 2025, month: 11, day: 27, hour: 12, minute: 5))
        #expect(list.entries[2].changed == WebIndex.Change(year: 1999, month: 11, day: 27, hour: 0, minute: 5))
        #expect(list.entries[3].changed == WebIndex.Change(year: 1999, month: 1, day: 31, hour: 23, minute: 59))
    }

    @Test(arguments: [
        "13-03-24  10:15AM  5 a", "02-32-24  10:15AM  5 a", "02-03-24  13:15PM  5 a", "02-03-24  10:60  5 a",
        "02-03-24  10:15AM  -5 a", "02-03-24  10:15AM  <DIR>", "02-03-24  10:15AM  5", "2-3-24 10:15 5 a", "02-03-24",
    ])
    func linesOfDOSThatCannotBeAreNone(_ text: String) { #expect(index([text]) == nil) }

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
