import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Sheets of stills that a page has: their places by a table, their images from a server.
@Suite struct StoryboardTests {
    /// Two sheets of two rows of two stills, the second one shorter: stills of 10 s and of 5 s.
    private func board(_ origin: String = "http://h") throws -> Storyboard {
        try #require(
            Storyboard(
                columns: 2, rows: 2,
                sheets: [
                    .init(address: origin + "/0.jpg", duration: .seconds(40)),
                    .init(address: origin + "/1.jpg", duration: .seconds(20)),
                ]))
    }

    @Test(arguments: [
        (-3.0, 0, 0, 0.0), (0, 0, 0, 0), (9.999, 0, 0, 0), (10, 0, 1, 10), (39.9, 0, 3, 30), (40, 1, 0, 40), (44.9, 1, 0, 40),
        (45, 1, 1, 45), (59.99, 1, 3, 55), (60, 1, 3, 55), (69.9, 1, 3, 55),
    ])
    func aPointHasItsStill(_ point: Double, _ sheet: Int, _ still: Int, _ start: Double) throws {
        let place = try board().place(of: .seconds(point))
        #expect(place == .init(sheet: sheet, still: still, start: .seconds(start)))
    }

    @Test func farBehindItsEndThereIsNone() throws {
        #expect(try board().place(of: .seconds(70)) == nil)
    }

    @Test func whatCannotBeIsRefused() {
        let sheet = Storyboard.Sheet(address: "http://h/0", duration: .seconds(1))
        #expect(Storyboard(columns: 2, rows: 2, sheets: []) == nil)
        #expect(Storyboard(columns: 0, rows: 2, sheets: [sheet]) == nil)
        #expect(Storyboard(columns: 2, rows: 101, sheets: [sheet]) == nil)
        #expect(Storyboard(columns: 2, rows: 2, sheets: Array(repeating: sheet, count: 2001)) == nil)
        #expect(Storyboard(columns: 2, rows: 2, sheets: [.init(address: "http://h/0", duration: .zero)]) == nil)
        #expect(Storyboard(columns: 2, rows: 2, sheets: [.init(address: "http://h/0", duration: .seconds(90_000))]) == nil)
    }

    /// A sheet of four stills of 32x16 pixels in colours of their own.
    private func sheet(_ colours: [UInt32]) throws -> [UInt8] {
        var pixels: [UInt32] = []
        for y in 0..<32 { for x in 0..<64 { pixels.append(colours[y / 16 * 2 + x / 32]) } }
        return try JPEGImage.bytes(RasterImage(width: 64, height: 32, pixels: pixels))
    }

    /// Whether the middle of an image is near a colour, 0xAABBGGRR.
    private func has(_ image: RasterImage?, _ colour: UInt32) -> Bool {
        guard let image, image.size == PixelSize(width: 32, height: 16) else { return false }
        let pixel = image.pixels[8 * 32 + 16]
        return [0, 8, 16].allSatisfy { abs(Int(pixel >> $0 & 255) - Int(colour >> $0 & 255)) < 24 }
    }

    private static let red: UInt32 = 0xFF00_00FF, green: UInt32 = 0xFF00_FF00
    private static let blue: UInt32 = 0xFFFF_0000, grey: UInt32 = 0xFF80_8080

    @Test func aSheetIsFetchedOnceAndABrokenOneNeverAgain() throws {
        let origin = try TestOrigin([
            "/0.jpg": .bytes(try sheet([Self.red, Self.green, Self.blue, Self.grey])), "/1.jpg": .bytes(Array("<html>".utf8)),
        ])
        var stills = StoryboardStills(try board(origin.address), http: HTTPOptions(), interrupt: Interrupt())
        for (point, colour) in [(1.0, Self.red), (11, Self.green), (21, Self.blue), (31, Self.grey), (2, Self.red)] {
            #expect(try has(stills.still(at: .seconds(point)), colour), "\(point)")
        }
        #expect(origin.requests.map(\.target) == ["/0.jpg"])
        #expect(stills.time(of: .seconds(41)) == .seconds(40))
        #expect(try stills.still(at: .seconds(41)) == nil)
        #expect(try stills.still(at: .seconds(46)) == nil)
        #expect(stills.time(of: .seconds(41)) == nil && stills.time(of: .seconds(1)) == .zero)
        #expect(origin.requests.map(\.target) == ["/0.jpg", "/1.jpg"])
    }

    @Test func aRaisedInterruptIsNoBrokenSheet() throws {
        let origin = try TestOrigin(["/0.jpg": .bytes(try sheet([Self.red, Self.green, Self.blue, Self.grey]))])
        let interrupt = Interrupt()
        var stills = StoryboardStills(try board(origin.address), http: HTTPOptions(), interrupt: interrupt)
        interrupt.raise()
        #expect(throws: MediaError.self) { try stills.still(at: .zero) }
        interrupt.clear()
        #expect(try has(stills.still(at: .zero), Self.red))
    }

    /// As it is used: the extractor of a video that plays takes stills of the board and leaves the video alone.
    @Test func theExtractorTakesItsStills() async throws {
        let origin = try TestOrigin(["/0.jpg": .bytes(try sheet([Self.red, Self.green, Self.blue, Self.grey]))])
        let screening = Screening(), board = try board(origin.address)
        try await screening.engine.load(
            .location(.file(try NumberedVideo.clip("mkv"))),
            options: Screening.options {
                ($0.autoplay, $0.audioOutput) = (false, .none)
                $0.supplement.storyboard = board
            })
        let extractor = try #require(screening.engine.makeFrameExtractor())
        let answer = Monitor<Result<ExtractedStill, MediaError>?>(nil)
        // Nothing of the file's second half is in memory while it stands at its start.
        extractor.requestThumbnail(at: .seconds(11), maxWidth: 320) { result in answer.update { $0 = result } }
        let still = try answer.wait { $0 }?.get()
        #expect(has(still?.image, Self.green) && still?.time == .seconds(10))
        extractor.shutDown()
        await screening.engine.stop()
    }
}
