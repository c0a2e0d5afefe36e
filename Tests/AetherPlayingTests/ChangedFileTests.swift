import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// A file that is replaced on its server while it plays.
@Suite(.serialized) struct ChangedFileTests {
    private func play(_ fault: (_ size: Int) -> String) async throws -> (screening: Screening, origin: TestOrigin) {
        let path = try Clips.film(4)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let origin = try TestOrigin(["/film.mkv": .file(path)])
        let screening = Screening()
        _ = try await screening.engine.load(
            .location(.url(origin.address + "/~\(fault(size))/film.mkv")), options: Screening.options())
        return (screening, origin)
    }

    /// Said, and read anew from where the bytes of the old one end: each frame is shown once, and for those who follow the list nothing has
    /// happened.
    @Test func itIsReadAnewFromWhereTheOldOneEnds() async throws {
        let (screening, origin) = try await play { "drop=\($0 / 2),drops=1,etag=a,change=2" }
        #expect(await screening.reaches(.ended))
        #expect(origin.requests.contains { $0.fields["if-range"] == "\"a\"" })
        #expect(screening.snapshot.notices.map(\.text) == ["the file on the server has changed: it is read anew from here"])
        let news = screening.engine.takeNews()
        #expect(news.count == 2 && news.allSatisfy { $0.load == 1 })
        #expect(news.contains { $0.turn == .ended(nil) })
        let times = screening.times
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 - .milliseconds(50) })
        let last = try #require(times.last)
        #expect(last > .seconds(3.8), "\(last)")
        await screening.engine.stop()
    }

    /// One that is another file at each request is given up with a sentence.
    @Test func oneThatNeverStaysTheSameEnds() async throws {
        let (screening, origin) = try await play { "drop=\($0 / 2),etag=a,change=2,turns" }
        let isOver: @Sendable (Screening) -> Bool = {
            switch $0.snapshot.phase {
            case .ended, .error: true
            default: false
            }
        }
        #expect(await screening.eventually(isOver))
        let reasons = screening.engine.takeNews().compactMap { news -> String? in
            switch news.turn {
            case .ended(let error): error?.reason
            case .failed(let error, _): error.reason
            case .began: nil
            }
        }
        #expect(reasons.count == 1 && reasons[0].contains("has changed"), "\(reasons)")
        // Neither asked for without end nor read anew twice.
        #expect(origin.requests.count < 40)
        await screening.engine.stop()
    }
}
