import AetherCore
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        // Before the host.
        ("https://me:hunter2@host/a.mkv", "https://***@host/a.mkv"),
        ("ftp://me@host/a", "ftp://***@host/a"),
        ("https://me:p@ss:w@host:8080/a?b=@c", "https://***@host:8080/a?b=***"),
        ("rtsp://me:s3cret@[::1]:554/live", "rtsp://***@[::1]:554/live"),
        ("https://me:secret@host", "https://***@host"),
        // Values of parameters.
        ("https://h/v?token=abc&t=3", "https://h/v?token=***&t=3"),
        ("https://h/v?t=3&TOKEN=abc", "https://h/v?t=3&TOKEN=***"),
        ("https://h/v?access_token=abc#t=1", "https://h/v?access_token=***#t=1"),
        ("https://h/v?key=a&sig=b&signature=c", "https://h/v?key=***&sig=***&signature=***"),
        ("https://h/v?auth=d&password=e", "https://h/v?auth=***&password=***"),
        (
            "https://h/v?X-Amz-Credential=AK%2Fx&X-Amz-Date=1&X-Amz-Signature=ff",
            "https://h/v?X-Amz-Credential=***&X-Amz-Date=***&X-Amz-Signature=***"
        ),
        ("https://h/v?api-key=1&apiKey=2", "https://h/v?api-key=***&apiKey=***"),
        ("https://h/v?client_secret=3&passwd=4", "https://h/v?client_secret=***&passwd=***"),
        ("https://h/v?to%6ben=abc", "https://h/v?to%6ben=***"),
        ("https://h/v?token=abc==&x=1", "https://h/v?token=***&x=***"),
        ("https://h/v?token=a/b/c", "https://h/v?token=***"),
        ("https://h/v?token=a?b;c d&x=1", "https://h/v?token=***&x=***"),
        ("https://h/v;token=abc/w?x=1", "https://h/v;token=***/w?x=***"),
        ("https://h/v.mp4;jsessionid=0A1B?PHPSESSID=c&x=1", "https://h/v.mp4;jsessionid=***?PHPSESSID=***&x=***"),
        ("https://h/hdnts=exp=1~hmac=ff/v.m3u8", "https://h/hdnts=***/v.m3u8"),
        ("https://h/v#access_token=abc&state=1", "https://h/v#access_token=***&state=***"),
        ("https://h/v#hunter2Hunter2hunter2", "https://h/v#***"), ("https://h/v#part-two", "https://h/v#***"),
        ("rtmp://h/app playpath=x token=abc", "rtmp://h/app playpath=x token=***"),
        // Addresses inside of addresses.
        ("https://h/?url=https%3A%2F%2Fme%3Apw%40x%2F&a=1", "https://h/?url=***&a=***"),
        ("https://proxy/https://me:pw@x/v?token=abc", "https://proxy/https://***@x/v?token=***"),
        // Of a query nothing stays but the video's name.
        ("https://h/v?u=hunter2&e=1700000000&page=2", "https://h/v?u=***&e=***&page=***"),
        ("https://h/v?hunter2", "https://h/v?***"),
        // Nothing to hide.
        ("https://h/watch?v=dQw4w9WgXcQ&list=a&t=10", "https://h/watch?v=dQw4w9WgXcQ&list=a&t=10"),
        ("https://h/@me/v.mkv?list=a&token=", "https://h/@me/v.mkv?list=a&token="),
        ("/films/token=abc?key=1.mkv", "/films/token=abc?key=1.mkv"),
        ("me:secret@host", "me:secret@host"), ("://me:secret@host", "://me:secret@host"), ("", ""), ("https://", "https://"),
    ])
    func secretsAreTakenOutOfURLs(_ url: String, _ expected: String) {
        #expect(Redaction.url(url) == expected)
        // Redacted text stays as it is.
        #expect(Redaction.url(expected) == expected)
    }

    /// The text for others says that there was a query or a fragment, and nothing of it: names tell, too, and a bare word is a token as a rule.
    @Test(arguments: [
        ("https://me:p@h/a.mkv?token=abc&t=3#x", "https://***@h/a.mkv?…#…"), ("https://h/?abc", "https://h/?…"),
        ("https://h/a#hunter2", "https://h/a#…"), ("https://h?a=1", "https://h?…"), ("https://h/a?", "https://h/a?"),
        ("https://h/a?#", "https://h/a?#"), ("https://h/a?#b", "https://h/a?#…"),
        ("https://h/a?u=https://me:pw@x/?b", "https://h/a?…"),
        ("https://h/https://me:pw@x/v?b=1#c", "https://h/https://***@x/v?…#…"),
        ("rtmp://h/app playpath=x token=abc", "rtmp://h/app playpath=x token=***"), ("/films/a.mkv?b#c", "/films/a.mkv?b#c"),
    ])
    func nobodyElseSeesAQuery(_ url: String, _ expected: String) {
        #expect(Redaction.shown(url) == expected)
        #expect(Redaction.shown(expected) == expected)
    }

    /// Keys between slashes, by the name before them or by their looks.
    @Test(arguments: [
        ("https://h/token/abc/film.mkv", "https://h/token/***/film.mkv"), ("https://h/API-Key/a-b/c", "https://h/API-Key/***/c"),
        ("https://h/v/d41d8cd98f00b204e9800998ecf8427e/a.ts", "https://h/v/***/a.ts"),
        ("https://h/d41d8cd98f00b204e9800998ecf8427e.m3u8", "https://h/***"),
        ("https://h/s/aB3xK9mQ2rT7vW1z/a.ts", "https://h/s/***/a.ts"), ("https://h/s/x-aB3xK9mQ2rT7vW1z_-/", "https://h/s/***/"),
        ("https://h/s/aB3xK9mQ2rT7vW1z==/a.ts", "https://h/s/***/a.ts"),
        ("http://h/live/a=b/;c/123.ts", "http://h/live/***/;***/123.ts"),
        ("https://h/s/aB3xK9m%512rT7vW1z/a.ts", "https://h/s/***/a.ts"),
        ("https://h/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/a", "https://h/***/a"),
        ("http://h:8080/live/name/word/123.ts", "http://h:8080/live/***/***/123.ts"),
        ("http://h/timeshift/name/word/60/2026/7", "http://h/timeshift/***/***/60/2026/7"),
        // Names of things.
        ("https://h/token/film.mkv", "https://h/token/film.mkv"), ("https://h/keys/abc/film.mkv", "https://h/keys/abc/film.mkv"),
        ("https://h/live/news/one/index.m3u8", "https://h/live/news/one/index.m3u8"),
        ("https://h/live/1.ts", "https://h/live/1.ts"),
        ("https://h/v/550e8400-e29b-41d4-a716-446655440000/a.ts", "https://h/v/550e8400-e29b-41d4-a716-446655440000/a.ts"),
        ("https://h/Some.Film.2019.1080p.x265.mkv", "https://h/Some.Film.2019.1080p.x265.mkv"),
        ("https://h/The_Big_Film_S03E04_720p_HDTV.mkv", "https://h/The_Big_Film_S03E04_720p_HDTV.mkv"),
        (
            "https://h/TheBigFilmTheory2019Season3Episode4HDTVx264.mkv",
            "https://h/TheBigFilmTheory2019Season3Episode4HDTVx264.mkv"
        ),
        ("https://h/IMG_20190612_120000_HDR4K.mp4", "https://h/IMG_20190612_120000_HDR4K.mp4"),
        ("https://h/12345678901234567890123456789012/a", "https://h/12345678901234567890123456789012/a"),
        ("https://h/embed/dQw4w9WgXcQ", "https://h/embed/dQw4w9WgXcQ"),
    ])
    func keysBetweenSlashesAreTakenOut(_ url: String, _ expected: String) {
        #expect(Redaction.shown(url) == expected && Redaction.url(url) == expected)
        #expect(Redaction.url(expected) == expected)
    }

    @Test(arguments: [
        ("Opening 'https://h/a.ts?token=abc' for reading", "Opening 'https://h/a.ts?… for reading"),
        ("cannot open ‘https://me:pw@h/a’: refused", "cannot open ‘https://***@h/a’: refused"),
        ("two: http://a:b@c/ and http://d/?sig=e, key=f", "two: http://***@c/ and http://d/?… key=f"),
        ("a line without an address: token=abc", "a line without an address: token=abc"),
        ("<a href=\"https://h/?key=1\">", "<a href=\"https://h/?…\">"),
    ])
    func secretsAreTakenOutOfSentences(_ text: String, _ expected: String) { #expect(Redaction.text(text) == expected) }

    @Test func whatIsLongOrDeepEndsAndKeepsNoSecret() {
        let deep = String(repeating: "https://h/", count: 2000) + "https://me:hunter2@h/?token=hunter2"
        #expect(!Redaction.url(deep).contains("hunter2"))
        var nested = "https://me:hunter2@h/"
        for _ in 0..<6 {
            nested = "https://h/?u=" + nested.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            if nested.utf8.count > 1 << 20 { break }
        }
        #expect(!Redaction.url(nested).contains("hunter2"))
        #expect(Redaction.text(String(repeating: "https://h/?key=1 ", count: 10_000)).contains("https://h/?… "))
    }

    @Test func errorsAndLogLinesHaveNoSecrets() {
        let error = MediaError(
            .cannotOpen, "open", subject: "https://me:hunter2@h/v?token=hunter2 x", reason: "https://h/?sig=hunter2 is gone")
        #expect(!error.description.contains("hunter2") && error.description.contains("https://***@h/v?…"))
        let log = Log()
        log.add(.info, "ffmpeg", "Opening 'https://me:hunter2@h/a?token=hunter2' for reading")
        #expect(log.lines.count == 1 && !log.lines[0].text.contains("hunter2"))
    }

    @Test func aPrintableTextKeepsItsShapeAndNothingElse() {
        #expect(DisplayText.printable("Usage: x\n  --a\tb\n") == "Usage: x\n  --a\tb\n")
        #expect(DisplayText.printable("a\u{1B}[2J\u{9B}1m\u{7F}\u{202E}b\r\nc\u{10FF9B}") == "a[2J1mb\nc\u{FFFD}")
    }
}
