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
        #expect(PageDesk.page(.url(page), after: MediaError(.cannotOpen, "open", cause: -ECONNREFUSED)) == nil)
        #expect(PageDesk.page(.url(page), after: MediaError(.cannotOpen, "open", cause: -EIO)) == page)
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

    /// Two minutes: all other tests run beside it, and what asks waits for its turn.
    private static let patience = TimeSpan.seconds(120)

    /// A desk that asks a program which never answers, and its clock. The program has a child that would outlive it.
    private func stalled(in folder: TemporaryFolder) throws -> (desk: PageDesk, clock: ManualTime, number: () -> Int32?) {
        let program = folder.path("yt-dlp"), pid = folder.path("pid")
        // What is moved is whole.
        try Data("#!/bin/sh\nsleep 1000 &\necho $! > '\(pid)'.new\nmv '\(pid)'.new '\(pid)'\nwait\n".utf8).write(
            to: URL(filePath: program))
        chmod(program, 0o755)
        let clock = ManualTime(HostTime(nanoseconds: 1_000_000_000_000))
        let number = {
            (try? String(contentsOfFile: pid, encoding: .utf8)).flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
        }
        return (PageDesk(path: folder.url.path + ":/usr/bin:/bin", wake: WakeHandle(), time: clock), clock, number)
    }

    /// Giving way meanwhile: what asks is a task, too.
    private func waitForNumber(_ number: () -> Int32?) async throws -> Int32 {
        let end = SystemTime().now() + Self.patience
        while SystemTime().now() < end {
            if let found = number() { return found }
            await Task.yield()
        }
        throw MediaError(.cannotOpen, "start the program")
    }

    /// Gone, or waited for by nobody but the system.
    private func isGone(_ pid: Int32) async -> Bool {
        let end = SystemTime().now() + Self.patience
        while SystemTime().now() < end {
            if kill(pid, 0) == -1 { return true }
            let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            if state.isEmpty || state.contains(") Z ") { return true }
            await Task.yield()
        }
        return false
    }

    @Test func aProgramThatDoesNotAnswerIsGivenUpAfterHalfAMinute() async throws {
        let folder = try TemporaryFolder()
        let (desk, clock, number) = try stalled(in: folder)
        desk.ask(page)
        let child = try await waitForNumber(number)
        clock.advance(by: .seconds(29))
        #expect(desk.take() == nil && desk.isAsking)
        #expect(desk.deadline == clock.now() + .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(desk.take() == .failure("yt-dlp does not answer"))
        #expect(desk.take() == nil && !desk.isAsking && desk.deadline == nil)
        #expect(await isGone(child))
    }

    @Test func whoDoesNotWantToWaitGivesItUp() async throws {
        let folder = try TemporaryFolder()
        let (desk, _, number) = try stalled(in: folder)
        desk.giveUp()
        #expect(desk.take() == nil)
        desk.ask(page)
        let child = try await waitForNumber(number)
        desk.giveUp()
        #expect(desk.take() == .failure("yt-dlp was asked no further") && !desk.isAsking)
        #expect(await isGone(child))
    }
}
