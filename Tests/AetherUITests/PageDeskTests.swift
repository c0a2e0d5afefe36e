import AetherCore
import AetherEngine
import AetherSources
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherUI

@Suite struct PageDeskTests {
    private let page = "http://example.org/watch?v=1"

    @Test func onlyAddressesThatAreNoMediaAreAskedAbout() {
        let noMedia = MediaError(.notMedia, "open")
        #expect(PageDesk.page(.url(page), after: noMedia) == page)
        #expect(
            PageDesk.page(.url("HTTPS://example.org/"), after: MediaError(.noDecodableStream, "open")) == "HTTPS://example.org/")
        for location in [
            MediaLocation.file("a.mkv"), .standardInput, .url("ftp://example.org/"), .url("http://a/\nb"), .url("http://a b"),
        ] {
            #expect(PageDesk.page(location, after: noMedia) == nil)
        }
        #expect(PageDesk.page(.url(page), after: MediaError(.cannotOpen, "open")) == nil)
        #expect(PageDesk.page(.url(page), after: MediaError(.cannotOpen, "open", cause: -ECONNREFUSED)) == nil)
        #expect(PageDesk.page(.url(page), after: MediaError(.cannotOpen, "open", cause: -EIO)) == page)
        #expect(PageDesk.page(.url("http://" + String(repeating: "a", count: 20_000)), after: noMedia) == nil)
    }

    @Test func whatItSaysIsCheckedAndStripped() {
        #expect(
            PageDesk.answer("A \u{1B}[31mfilm\nhttps://cdn/x.mp4?s=1\n")
                == .page(.init(url: "https://cdn/x.mp4?s=1", title: "A [31mfilm")))
        #expect(
            PageDesk.answer("\nhttp://cdn/v\nhttp://cdn/a\n")
                == .page(.init(url: "http://cdn/v", audio: "http://cdn/a", title: "")))
        #expect(
            PageDesk.answer(
                "x\nhttp://cdn/v\n{\"User-Agent\": \"me\", \"Range\": \"bytes=0-\", \"A b\": \"c\", \"N\": 1, \"X\": \"a\\r\\nb\"}\n"
            )
                == .page(.init(url: "http://cdn/v", title: "x", headers: ["User-Agent": "me"])))
        #expect(PageDesk.answer("x\nhttp://cdn/v\nNA\n") == .page(.init(url: "http://cdn/v", title: "x")))
        #expect(PageDesk.answer("x\nhttp://cdn/v\n{broken\n") == .page(.init(url: "http://cdn/v", title: "x")))
        for text in [
            "", "\n", "x\nfile:///etc/passwd", "x\n-o", "x\nhttps://a b", "x\nconcat:http://a", "x\nhttp://v\nfile:///a",
            "x\nhttp://v\nhttp://a\nhttp://b",
        ] {
            #expect(PageDesk.answer(text) == .failure("yt-dlp found nothing to play there"), "\(text)")
        }
        #expect(PageDesk.complaint("WARNING: x\nERROR: gone\u{7}\n\n") == "yt-dlp: ERROR: gone")
        #expect(PageDesk.complaint(" \n") == "yt-dlp found nothing to play there")
    }

    /// The lines as yt-dlp 2023.03.04 prints them for a page with two kinds of stills.
    @Test func imagesOfThePageAreTaken() throws {
        let formats =
            #"[{"format_id":"sb1","protocol":"mhtml","rows":10,"columns":10,"width":48},"#
            + #"{"format_id":"sb0","protocol":"mhtml","rows":5,"columns":4,"width":160},"#
            + #"{"format_id":"22","protocol":"https","url":"http://cdn/v","width":1280}]"#
        let lines = [
            "x", "http://cdn/v", "{}", #"{"format_id": "22", "thumbnail": "https://i/x.jpg"}"#, formats,
            #"[{"url": "https://i/a.jpg", "duration": 320.0}]"#,
            #"[{"url": "https://i/b.jpg", "duration": 50.0}, {"url": "https://i/c.jpg", "duration": 20.5}, {"url": "file:///c"}]"#,
            "{}", "{}", "",
        ]
        guard case .page(let page) = PageDesk.answer(lines.joined(separator: "\n")) else {
            Issue.record("no page")
            return
        }
        #expect(page.images.cover == "https://i/x.jpg")
        let sheets = [("https://i/b.jpg", 50), ("https://i/c.jpg", 20.5)]
        let board = Storyboard(
            columns: 4, rows: 5, sheets: sheets.map { Storyboard.Sheet(address: $0.0, duration: .seconds($0.1)) })
        #expect(page.images.storyboard == board && board != nil)
    }

    @Test(arguments: [
        #"{"thumbnail": "file:///etc/passwd"}"#, #"{"thumbnail": 3}"#, #"{"thumbnail": "http://a b"}"#, "null",
    ])
    func imagesThatMakeNoSenseAreNone(_ facts: String) throws {
        let mhtml =
            #"[{"protocol": "mhtml", "rows": 5, "columns": 0}, {"protocol": "mhtml"},"#
            + #" {"protocol": "http", "rows": 1, "columns": 1}]"#
        let piece = #"[{"url": "https://i/a.jpg", "duration": 3}]"#
        let images = PageImages(
            facts: try JSON(facts.utf8), formats: try JSON(mhtml.utf8), pieces: try [JSON](repeating: JSON(piece.utf8), count: 4))
        #expect(images == PageImages())
    }

    @Test func theProgramSpeaksToServersAsThePersonWants() throws {
        #expect(!PageDesk.words(page, format: "b", http: HTTPOptions(), cookies: nil).contains { $0.hasPrefix("--user-agent") })
        var http = HTTPOptions()
        (http.userAgent, http.referrer, http.proxy, http.trustsAnybody) = ("me", "-x", "http://p", true)
        http.headers = ["X-Token": "secret"]
        let words = PageDesk.words(page, format: "-f", http: http, cookies: "/tmp/c")
        for word in [
            "--user-agent=me", "--referer=-x", "--proxy=http://p", "--no-check-certificates", "--cookies=/tmp/c", "--format=-f",
        ] {
            #expect(words.contains(word), "\(word)")
        }
        // A header is meant for one server, and it would tell all.
        #expect(words.suffix(2) == ["--", page] && !words.contains { $0.contains("secret") })
    }

    /// It writes into the file that it is given, and others must not read that.
    @Test func cookiesAreGivenAsACopy() throws {
        let folder = try TemporaryFolder()
        try Data("# Netscape HTTP Cookie File\n".utf8).write(to: URL(filePath: folder.path("cookies")))
        let copy = try CookieCopy(of: folder.path("cookies"))
        var status = stat()
        #expect(stat(copy.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try String(contentsOfFile: copy.path, encoding: .utf8) == "# Netscape HTTP Cookie File\n")
        copy.remove()
        #expect(access(copy.path, F_OK) != 0 && access(folder.path("cookies"), F_OK) == 0)
        #expect(throws: CookieCopy.Failure.self) { try CookieCopy(of: folder.path("none")) }
    }

    @Test func withoutTheProgramThePersonIsToldWhatIsMissing() throws {
        let folder = try TemporaryFolder(), desk = PageDesk(path: folder.url.path, wake: WakeHandle())
        desk.ask(page)
        guard case .failure(let text)? = desk.take() else {
            Issue.record("no answer")
            return
        }
        #expect(text.contains("yt-dlp") && text.contains("installed") && !desk.isAsking)
    }

    /// In processes of their own: what asks is a task, and the threads that tasks have are busy with all other tests here.
    @Test func aProgramThatDoesNotAnswerIsGivenUpAfterHalfAMinute() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(), stalled = try StalledDesk(in: folder)
            stalled.desk.ask(stalled.page)
            let child = try #require(await stalled.child())
            stalled.clock.advance(by: .seconds(29))
            #expect(stalled.desk.take() == nil && stalled.desk.isAsking)
            #expect(stalled.desk.deadline == stalled.clock.now() + .seconds(1))
            stalled.clock.advance(by: .seconds(1))
            #expect(stalled.desk.take() == .failure("yt-dlp does not answer"))
            #expect(stalled.desk.take() == nil && !stalled.desk.isAsking && stalled.desk.deadline == nil)
            #expect(await stalled.isGone(child))
        }
    }

    @Test func whoDoesNotWantToWaitGivesItUp() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(), stalled = try StalledDesk(in: folder)
            stalled.desk.giveUp()
            #expect(stalled.desk.take() == nil)
            stalled.desk.ask(stalled.page)
            let child = try #require(await stalled.child())
            stalled.desk.giveUp()
            #expect(stalled.desk.take() == .failure("yt-dlp was cancelled") && !stalled.desk.isAsking)
            #expect(await stalled.isGone(child))
        }
    }
}

/// A desk that asks a program which never answers, and its clock. The program has a child that would outlive it.
private struct StalledDesk {
    let page = "http://example.org/watch?v=1"
    let desk: PageDesk
    let clock = ManualTime(HostTime(nanoseconds: 1_000_000_000_000))
    private let pid: String
    private static let patience = TimeSpan.seconds(60)

    init(in folder: TemporaryFolder) throws {
        let program = folder.path("yt-dlp")
        pid = folder.path("pid")
        // A file that is moved is whole.
        try ProgramFile.write("sleep 1000 &\necho $! > '\(pid)'.new\nmv '\(pid)'.new '\(pid)'\nwait", to: program)
        desk = PageDesk(path: folder.url.path + ":/usr/bin:/bin", wake: WakeHandle(), time: clock)
    }

    /// The child's number, once it runs. Gives way meanwhile: what asks is a task, too.
    func child() async -> Int32? {
        let end = SystemTime().now() + Self.patience
        while SystemTime().now() < end {
            // Until the program has written it there is no file.
            let text = try? String(contentsOfFile: pid, encoding: .utf8)
            if let text, let number = Int32(text.trimmingCharacters(in: .newlines)) { return number }
            await Task.yield()
        }
        return nil
    }

    /// Gone, or waited for by nobody but the system.
    func isGone(_ pid: Int32) async -> Bool {
        let end = SystemTime().now() + Self.patience
        while SystemTime().now() < end {
            if kill(pid, 0) == -1 { return true }
            let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            if state.isEmpty || state.contains(") Z ") { return true }
            await Task.yield()
        }
        return false
    }
}
