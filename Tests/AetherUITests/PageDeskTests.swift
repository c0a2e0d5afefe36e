import AetherCore
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
        #expect(PageDesk.page(.url("http://" + String(repeating: "a", count: 20_000)), after: noMedia) == nil)
    }

    @Test func whatItSaysIsCheckedAndStripped() {
        #expect(
            PageDesk.answer("https://cdn/x.mp4?s=1\nA \u{1B}[31mfilm\n")
                == .film(.init(url: "https://cdn/x.mp4?s=1", title: "A [31mfilm")))
        for text in ["", "\n", "file:///etc/passwd\nx", "-o\nx", "https://a b\nx", "concat:http://a\nx"] {
            #expect(PageDesk.answer(text) == .failure("yt-dlp found nothing to play there"), "\(text)")
        }
        #expect(PageDesk.complaint("WARNING: x\nERROR: gone\u{7}\n\n") == "yt-dlp: ERROR: gone")
        #expect(PageDesk.complaint(" \n") == "yt-dlp found nothing to play there")
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
}
