import AetherCore
import Testing

@testable import AetherFormats

/// Index pages of web servers.
@Suite struct WebIndexTests {
    private let address = "http://host:8080/films/d/"

    private func index(_ page: String, at address: String? = nil) throws -> WebIndex? {
        WebIndex(Array(page.utf8), at: try #require(StreamAddress(address ?? self.address)))
    }

    /// Apache 2.4, mod_dav: prefixes of its own, a property that it does not have, an absolute address, other percent codes than were asked with.
    @Test func aFolderOfWebDAV() throws {
        func response(_ href: String, _ kind: String, _ more: String = "") -> String {
            """
            <D:response xmlns:lp1="DAV:"><D:href>\(href)</D:href>
            <D:propstat><D:prop><g0:getcontentlength xmlns:g0="DAV:"/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
            <D:propstat><D:prop><lp1:resourcetype>\(kind)</lp1:resourcetype>\(more)</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            </D:response>
            """
        }
        let facts =
            "<lp1:getcontentlength>123456789</lp1:getcontentlength><lp1:getlastmodified>Mon, 23 Nov 2026 20:07:33 GMT</lp1:getlastmodified>"
        let parts = [
            response("/films%20/d/", "<D:collection/>"), response("/films%20/d/sub%20dir/", "<D:collection/>"),
            response("http://host:8080/films%20/d/a%27b&amp;c.mkv", "", facts),
            response("/films%20/d/a%27b&amp;c.mkv", "", facts),
            response("/films%20/d/.hidden", ""), response("/films%20/d/e/deep.mkv", ""), response("/films%20/other.mkv", ""),
            response("/films%20/d/x%2Fy", ""), response("/films%20/d/x%0Ay", ""), response("../../up.mkv", ""),
        ]
        func answer(_ parts: [String]) -> [UInt8] {
            Array("<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">\(parts.joined())</D:multistatus>".utf8)
        }
        for asked in ["http://host:8080/films%20/d", "http://host:8080/films%20/%64/?x=1"] {
            var folder = try #require(StreamAddress(asked))
            let index = try #require(WebIndex(dav: answer(parts), at: folder, folder: &folder))
            #expect(index.entries.map(\.name) == ["sub dir", "a'b&c.mkv"] && index.entries.map(\.isFolder) == [true, false])
            #expect(index.entries.map(\.reference) == ["sub%20dir", "a%27b&c.mkv"] && folder.text.hasSuffix("/"))
            #expect(index.entries[1].bytes == 123_456_789 && index.entries[1].changed?.hour == 20 && !index.isCut)
        }
        // A file, another document, none.
        var folder = try #require(StreamAddress("http://host:8080/films%20/d/"))
        #expect(WebIndex(dav: answer([response("/films%20/d/", "")]), at: folder, folder: &folder) == nil)
        for text in ["<html></html>", "", "<multistatus>", "no markup"] {
            #expect(WebIndex(dav: Array(text.utf8), at: folder, folder: &folder) == nil)
        }
        let many = answer([parts[0]] + (0..<10_100).map { response("/films%20/d/\($0).mkv", "") })
        let cut = WebIndex(dav: many, at: folder, folder: &folder)
        #expect(cut?.entries.count == WebIndex.entryLimit && cut?.isCut == true)
    }

    /// nginx 1.22, `autoindex on`: names are cut off in the text, sizes are exact.
    static let nginx = """
        <html>
        <head><title>Index of /films/d/</title></head>
        <body>
        <h1>Index of /films/d/</h1><hr><pre><a href="../">../</a>
        <a href="sub%20dir/">sub dir/</a>                                           23-Nov-2026 20:07                   -
        <a href="100%25.mkv">100%.mkv</a>                                           23-Nov-2026 20:07                   0
        <a href="a%20very%20long%20name%20that%20nginx%20cuts%20off%20because%20it%20has%20more%20than%20fifty%20characters.mkv">a very long name that nginx cuts off because it..&gt;</a> 23-Nov-2026 20:07                   0
        <a href="a%27b%22c.mkv">a'b&quot;c.mkv</a>                                          23-Nov-2026 20:07                   0
        <a href="film.en.srt">film.en.srt</a>                                        23-Nov-2026 20:07                  71
        <a href="film.mkv">film.mkv</a>                                           23-Nov-2026 20:07           123456789
        <a href="q%3Fx%3D1%23y.mkv">q?x=1#y.mkv</a>                                        23-Nov-2026 20:07                   0
        <a href="%C3%9Cn%C3%AFcode%20%26%20%3Cb%3E%20film%202.mkv">Ünïcode &amp; &lt;b&gt; film 2.mkv</a>                         23-Nov-2026 20:07                   0
        </pre><hr></body>
        </html>
        """

    /// Python 3.11's `http.server`, with a hidden file; it says neither size nor time.
    static let python = """
        <!DOCTYPE HTML>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Directory listing for /films/d/</title>
        </head>
        <body>
        <h1>Directory listing for /films/d/</h1>
        <hr>
        <ul>
        <li><a href=".hidden.mkv">.hidden.mkv</a></li>
        <li><a href="100%25.mkv">100%.mkv</a></li>
        <li><a href="a%27b%22c.mkv">a'b"c.mkv</a></li>
        <li><a href="film.en.srt">film.en.srt</a></li>
        <li><a href="film.mkv">film.mkv</a></li>
        <li><a href="q%3Fx%3D1%23y.mkv">q?x=1#y.mkv</a></li>
        <li><a href="sub%20dir/">sub dir/</a></li>
        <li><a href="%C3%9Cn%C3%AFcode%20%26%20%3Cb%3E%20film%202.mkv">Ünïcode &amp; &lt;b&gt; film 2.mkv</a></li>
        </ul>
        <hr>
        </body>
        </html>
        """

    /// Apache 2.4 with Debian's options (`FancyIndexing HTMLTable`): links that sort, icons, rounded sizes.
    static let apacheTable = """
        <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
        <html>
         <head>
          <title>Index of /films/d</title>
         </head>
         <body>
        <h1>Index of /films/d</h1>
          <table>
           <tr><th valign="top"><img src="/icons/blank.gif" alt="[ICO]"></th><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th><th><a href="?C=S;O=A">Size</a></th><th><a href="?C=D;O=A">Description</a></th></tr>
           <tr><th colspan="5"><hr></th></tr>
        <tr><td valign="top"><img src="/icons/back.gif" alt="[PARENTDIR]"></td><td><a href="/films/">Parent Directory</a></td><td>&nbsp;</td><td align="right">  - </td><td>&nbsp;</td></tr>
        <tr><td valign="top"><img src="/icons/movie.gif" alt="[VID]"></td><td><a href="film.mkv">film.mkv</a></td><td align="right">2026-11-23 20:07  </td><td align="right">118M</td><td>&nbsp;</td></tr>
        <tr><td valign="top"><img src="/icons/text.gif" alt="[TXT]"></td><td><a href="film.en.srt">film.en.srt</a></td><td align="right">2026-11-23 20:07  </td><td align="right"> 71 </td><td>&nbsp;</td></tr>
        <tr><td valign="top"><img src="/icons/movie.gif" alt="[VID]"></td><td><a href="a&amp;b%20c.mkv">a&amp;b c.mkv</a></td><td align="right">2026-11-23 20:07  </td><td align="right">1.5G</td><td>&nbsp;</td></tr>
        <tr><td valign="top"><img src="/icons/folder.gif" alt="[DIR]"></td><td><a href="sub%20dir/">sub dir/</a></td><td align="right">2026-11-23 20:07  </td><td align="right">  - </td><td>&nbsp;</td></tr>
           <tr><th colspan="5"><hr></th></tr>
        </table>
        <address>Apache/2.4.62 (Debian) Server at host Port 8080</address>
        </body></html>
        """

    /// Apache with `FancyIndexing` and `IconsAreLinks`: each name twice, in one line.
    static let apachePre = """
        <html>
         <head>
          <title>Index of /films/d</title>
         </head>
         <body>
        <h1>Index of /films/d</h1>
        <pre><img src="/icons/blank.gif" alt="Icon "> <a href="?C=N;O=D">Name</a>                    <a href="?C=M;O=A">Last modified</a>      <a href="?C=S;O=A">Size</a>  <a href="?C=D;O=A">Description</a><hr><a href="/films/"><img src="/icons/back.gif" alt="[PARENTDIR]"></a> <a href="/films/">Parent Directory</a>                             -
        <a href="film.mkv"><img src="/icons/movie.gif" alt="[VID]"></a> <a href="film.mkv">film.mkv</a>                2026-11-23 20:07  118M
        <hr></pre>
        </body></html>
        """

    /// Apache without `FancyIndexing`.
    static let apachePlain = """
        <html><head><title>Index of /films/d</title></head><body><h1>Index of /films/d</h1>
        <ul><li><a href="/films/"> Parent Directory</a></li>
        <li><a href="film.mkv"> film.mkv</a></li>
        <li><a href="sub%20dir/"> sub dir/</a></li>
        </ul></body></html>
        """

    private let moment = WebIndex.Change(year: 2026, month: 11, day: 23, hour: 20, minute: 7)

    @Test func nginxsPageIsRead() throws {
        let list = try #require(try index(Self.nginx))
        #expect(
            list.entries.map(\.name) == [
                "sub dir", "100%.mkv", "a very long name that nginx cuts off because it has more than fifty characters.mkv",
                "a'b\"c.mkv", "film.en.srt", "film.mkv", "q?x=1#y.mkv", "Ünïcode & <b> film 2.mkv",
            ])
        #expect(list.entries.map(\.isFolder) == [true] + Array(repeating: false, count: 7) && !list.isCut)
        let film = list.entries[5]
        #expect(film.bytes == 123_456_789 && film.changed == moment && film.reference == "film.mkv")
        #expect(list.entries[0].bytes == nil && list.entries[0].changed == moment && list.entries[0].reference == "sub%20dir")
        #expect(list.entries[6].reference == "q%3Fx%3D1%23y.mkv")
    }

    @Test func pythonsPageIsRead() throws {
        let list = try #require(try index(Self.python))
        #expect(
            list.entries.map(\.name) == [
                "100%.mkv", "a'b\"c.mkv", "film.en.srt", "film.mkv", "q?x=1#y.mkv", "sub dir", "Ünïcode & <b> film 2.mkv",
            ])
        #expect(list.entries.allSatisfy { $0.bytes == nil && $0.changed == nil } && list.entries[5].isFolder)
    }

    @Test func apachesPagesAreRead() throws {
        let table = try #require(try index(Self.apacheTable))
        #expect(table.entries.map(\.name) == ["film.mkv", "film.en.srt", "a&b c.mkv", "sub dir"])
        #expect(table.entries.map(\.bytes) == [118 << 20, 71, 1_610_612_736, nil] && table.entries.map(\.isFolder).last == true)
        #expect(table.entries.allSatisfy { $0.changed == moment })
        let pre = try #require(try index(Self.apachePre))
        #expect(pre.entries.map(\.name) == ["film.mkv"])
        let plain = try #require(try index(Self.apachePlain))
        #expect(plain.entries.map(\.name) == ["film.mkv", "sub dir"] && plain.entries.map(\.isFolder) == [false, true])
    }

    private func page(_ links: String) -> String { "<html><title>Index of /films/d/</title><pre>\(links)</pre>" }

    /// A page lists its own folder, and nothing else.
    @Test(arguments: [
        "../", "..", ".", "./", "/", "/films/", "/films/d/", "/etc/passwd", "../e/film.mkv", "sub/film.mkv",
        "http://evil/films/d/a.mkv",
        "https://host:8080/films/d/a.mkv", "//evil/films/d/a.mkv", "file:///films/d/a.mkv", "javascript:alert(1)", "data:,x",
        "?C=N;O=D", "#top", "", "a.mkv?x=1", "a.mkv#x", "%2e%2e/", "%2E%2E", "%2e%2e%2fa.mkv", "a%2Fb.mkv", ".hidden",
        "a%00b.mkv",
        "a%0Ab.mkv", "a\u{7F}.mkv", "%1B[2J.mkv", "concat:a|b", "d/../../x.mkv",
    ])
    func whatLiesElsewhereIsLeftOut(_ reference: String) throws {
        let list = try #require(try index(page("<a href=\"\(reference)\">film.mkv</a>")))
        #expect(list.entries.isEmpty, "\(list.entries)")
    }

    @Test(arguments: [
        ("<a href=\"a.mkv\">x</a>", "a.mkv"), ("<a href='a.mkv'>x</a>", "a.mkv"), ("<A HREF=a.mkv>x</A>", "a.mkv"),
        ("<a class=\"x\" href = \"./a.mkv\" >x</a>", "a.mkv"), ("<a\nhref=\"/films/d/a.mkv\">x</a>", "a.mkv"),
        ("<a href=\"http://HOST:8080/films/d/a.mkv\">x</a>", "a.mkv"), ("<a href=\"a&#38;b.mkv\">x</a>", "a&b.mkv"),
        ("<a href=\"a%zz.mkv\">x</a>", "a%zz.mkv"), ("<a href=\"x/../a.mkv\">x</a>", "a.mkv"),
        ("<a name=x><abbr href=\"no.mkv\"><a href=\"a.mkv\">", "a.mkv"),
    ])
    func linksAreReadAsBrowsersDo(_ text: String, _ name: String) throws {
        #expect(try index(page(text))?.entries.map(\.name) == [name])
    }

    @Test(arguments: [
        "", "<html><title>Films</title><a href=\"a.mkv\">a</a>", "Index of /films",
        "<title>My index of /x</title><a href=\"a.mkv\">",
        "#EXTM3U\na.mkv\n", "<title>Index of films</title><a href=\"a.mkv\">",
    ])
    func anyOtherPageIsNone(_ text: String) throws { #expect(try index(text) == nil) }

    /// Large and broken pages end, in time by their length.
    @Test func hostilePagesAreBounded() throws {
        let many = (0..<20_000).map { "<a href=\"film\($0).mkv\">x</a>" }.joined()
        let list = try #require(try index(page(many)))
        #expect(list.entries.count == WebIndex.entryLimit && list.isCut)
        for text in ["<a ", "<a href=", "<a href=\"", "<a href=a>", "<", "<a href=\"x\">", "&amp;", "<a href=\"&&&&"] {
            let long = String(repeating: text, count: 300_000)
            #expect(try #require(try index(page(long))).entries.count <= 1)
        }
        let large = page("<a href=\"a.mkv\">a</a>") + String(repeating: " ", count: WebIndex.sizeLimit)
        #expect(try index(large)?.isCut == true)
    }
}
