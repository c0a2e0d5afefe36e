import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

@Suite struct InspectorFrameTests {
    private let box = PixelSize(width: 320, height: 180)

    private func model(columns: Int = 100, rows: Int = 30, _ phase: PlaybackPhase = .playing) -> AppModel {
        var model = ScreenPane.inspector.model(ScreenShape(name: "", columns: columns, rows: rows))
        var snapshot = model.snapshot
        snapshot.phase = phase
        _ = model.update(.snapshot(snapshot), now: at(1))
        return model
    }

    private func requests(_ effects: [AppEffect]) -> [FrameRequest] {
        effects.compactMap { if case .inspect(.frame(let request)) = $0 { request } else { nil } }
    }

    // MARK: - What is asked, and when

    @Test func nothingIsAskedUnlessATabOfFramesIsOpen() {
        var model = model()
        for key in ["1", "2", "5", "6"] as [Character] {
            var effects = model.update(.key(KeyStroke(key)), now: at(2))
            for second in 3..<8 { effects += model.update(.tick, now: at(Double(second))) }
            #expect(requests(effects).isEmpty, "\(key)")
        }
        _ = model.update(.key(KeyStroke(.tab)), now: at(9))
        #expect(requests(model.update(.tick, now: at(60))).isEmpty, "it is closed")
    }

    @Test func theDecodeTabAsksForTheFrameOnTheScreenAndTheVideoTabForItsCodes() throws {
        let (decode, effects) = pressing([KeyStroke("3")], model())
        let first = try #require(requests(effects).first)
        #expect(first.wish.point == .seconds(1810) && !first.wish.wantsLevels && first.drawsVectors && !first.drawsMap)
        // It is asked once.
        #expect(requests(pressing([KeyStroke(.home)], decode).1).isEmpty)
        let second = try #require(requests(pressing([KeyStroke("4")], decode).1).first)
        #expect(second.wish.wantsLevels && !second.drawsVectors)
    }

    /// A look may take a twentieth of the time, whatever it costs; a seek while paused is answered at once.
    @Test(arguments: [(0.1, 1.9, 0), (0.1, 2.1, 1), (1, 19, 0), (1, 21, 1), (0.001, 0.9, 0), (0.001, 1.1, 1)])
    func whilePlayingALookTakesATwentiethOfTheTime(_ cost: Double, _ after: Double, _ expected: Int) {
        var page = FramePage()
        let position = MediaTime.seconds(1810)
        let request = page.next(levels: false, box: box, position: position, isPlaying: true, now: at(0))
        #expect(request != nil)
        _ = page.take(answer(request, cost: cost), at: at(0))
        let later = position + .seconds(after)
        #expect((page.next(levels: false, box: box, position: later, isPlaying: true, now: at(after)) == nil) == (expected == 0))
    }

    /// The work on the frame behind its decoding counts as well.
    @Test func drawingAndRenderersCountAsTimeOfALook() {
        var page = FramePage()
        let position = MediaTime.seconds(1810)
        var view = answer(page.next(levels: true, box: box, position: position, isPlaying: true, now: at(0)), cost: 0.1)
        view.cost = .seconds(0.5)
        _ = page.take(view, at: at(0))
        let ask = { (page: inout FramePage, seconds: Double) in
            page.next(levels: true, box: box, position: position + .seconds(seconds), isPlaying: true, now: at(seconds))
        }
        #expect(ask(&page, 9.9) == nil && ask(&page, 10.1) != nil)
    }

    private func answer(_ request: FrameRequest?, cost: Double = 0.1, number: Int = 1) -> FrameView {
        let wish = FrameWish(point: .zero, box: box)
        return FrameView(request ?? FrameRequest(wish), InspectedFrames.look(cost: .seconds(cost)), number: number)
    }

    @Test func aSeekWhilePausedIsAskedAtOnceAndTheSameFrameIsNot() {
        var page = FramePage()
        let position = MediaTime.seconds(1810)
        let request = page.next(levels: false, box: box, position: position, isPlaying: false, now: at(0))
        _ = page.take(answer(request, cost: 9), at: at(0))
        let ask = { (page: inout FramePage, time: MediaTime) in
            page.next(levels: false, box: box, position: time, isPlaying: false, now: at(0.1))
        }
        #expect(ask(&page, position) == nil && ask(&page, position + .milliseconds(39)) == nil)
        #expect(ask(&page, position + .milliseconds(41))?.wish.point == position + .milliseconds(41))
        #expect(ask(&page, position + .milliseconds(90)) == nil, "one is under way")
    }

    @Test func aRowThatIsChosenStaysUntilItIsFollowedAgain() throws {
        var model = model(.paused)
        _ = model.update(.key(KeyStroke("3")), now: at(2))
        _ = model.update(.inspected(.frame(InspectedFrames.view(levels: false))), now: at(2))
        let row = { (model: AppModel) in model.layers[Inspector.self]?.cursor.row }
        #expect(row(model) == 3, "the frame on the screen")
        let asked = requests(model.update(.key(KeyStroke(.down)), now: at(3)))
        #expect(row(model) == 4 && asked.last?.wish.point == .seconds(1809.88 + 4.0 / 25))
        #expect(requests(model.update(.tick, now: at(30))).isEmpty)
        #expect(requests(model.update(.key(KeyStroke("f")), now: at(31))).isEmpty, "one is under way")
        // Enter goes there.
        let effects = model.update(.key(KeyStroke(.enter)), now: at(32))
        #expect(effects.contains(.send(.seek(to: .seconds(1809.88 + 4.0 / 25), .exact))), "\(effects)")
    }

    @Test(
        arguments: [("v", false, false, true), ("m", true, true, true), ("g", true, false, false)]
            as [(Character, Bool, Bool, Bool)])
    func keysChangeWhatIsDrawn(_ key: Character, _ vectors: Bool, _ map: Bool, _ grain: Bool) throws {
        var model = model()
        _ = model.update(.key(KeyStroke("3")), now: at(2))
        let request = try #require(requests(model.update(.key(KeyStroke(key)), now: at(2))).last)
        #expect((request.drawsVectors, request.drawsMap, request.wish.drawsGrain) == (vectors, map, grain))
    }

    @Test func aFrameThatCannotBeDecodedIsSaidAndNotAskedForAgain() throws {
        var model = model(.paused)
        let request = try #require(requests(model.update(.key(KeyStroke("3")), now: at(2))).first)
        let trouble = FrameView(
            request: request, look: FrameLook(), trouble: "the source can only be read once", image: nil, number: 1)
        _ = model.update(.inspected(.frame(trouble)), now: at(2))
        #expect(try rendered(model).joined().contains("the source can only be read once"))
        #expect(requests(model.update(.tick, now: at(60))).isEmpty)
    }

    // MARK: - What is drawn

    @Test func aVectorIsALineFromWhereTheBlockWasToADotWhereItIs() {
        var image = RasterImage(width: 64, height: 32)
        let vectors = [
            MotionVector(x: 64, y: 32, fromX: 96, fromY: 32, width: 16, height: 16, isFromLater: false),
            MotionVector(x: 16, y: 16, fromX: 16, fromY: 16, width: 16, height: 16, isFromLater: false),
            MotionVector(x: 20, y: 40, fromX: 20, fromY: -40_000, width: 16, height: 16, isFromLater: true),
        ]
        FrameOverlay.draw(vectors, of: PixelSize(width: 128, height: 64), over: &image)
        let drawn = image.pixels.indices.filter { image.pixels[$0] != 0xFF00_0000 }.map { ($0 % 64, $0 / 64) }
        // Half the size: from 48, 16 to 32, 16, and the dot; the one that does not move is not drawn, the wild one as its dot.
        #expect(drawn.filter { $0.1 == 16 }.map(\.0) == Array(32...48))
        #expect(image[8, 8] == 0xFF00_0000 && image[10, 20] != 0xFF00_0000)
    }

    @Test func pointsOfTheMontageAreThoseOfItsImages() throws {
        let size = PixelSize(width: 160, height: 90), box = PixelSize(width: 400, height: 600)
        for number in 0..<4 {
            let place = try #require(LevelsMontage.place(number, in: box))
            let image = LevelsMontage.fitted(size, in: place)
            let x = (Double(image.x) + Double(image.width) / 4) / 400, y = (Double(image.y) + Double(image.height) / 2) / 600
            let point = try #require(LevelsMontage.point(x: x, y: y, of: size, in: box))
            #expect(abs(point.x - 0.25) < 0.01 && abs(point.y - 0.5) < 0.01)
        }
        let curves = try #require(LevelsMontage.place(4, in: box))
        #expect(LevelsMontage.point(x: Double(curves.x + 5) / 400, y: Double(curves.y + 5) / 600, of: size, in: box) == nil)
        #expect(LevelsMontage.place(0, in: PixelSize(width: 3, height: 3)) == nil)
    }

    @Test func aToneCurveIsDrawnUnderTheOthersWithWhatItDimsInWarmColours() throws {
        let recipe = [
            "-f", "lavfi", "-i",
            "nullsrc=s=64x64:r=5:d=1,format=yuv444p10le,geq=lum='if(lt(X,16),723,400)':cb=512:cr=512,format=yuv420p10le",
        ]
        let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv"]
        let path = try Fixtures.clip(recipe + tags + ["-c:v", "ffv1", "-frames:v", "1"], ext: "mkv")
        let inspection = FrameInspection(FrameInspection.origin(of: .location(.file(path))))
        var model = ScreenPane.inspector.model(ScreenShape(name: "", columns: 120, rows: 40))
        let request = try #require(requests(model.update(.key(KeyStroke("4")), now: at(2))).first)
        var wish = request.wish
        wish.point = .zero
        let look = try inspection.look(wish), colour = try #require(look.colour), box = request.wish.box
        _ = model.update(.inspected(.frame(FrameView(request, look, number: 1))), now: at(2))
        let text = try rendered(model).joined(separator: "\n")
        for words in ["BT.2390", "to 203.0 nits", "25 % of the frame", "Maps nits"] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        // The seventh place is as wide as all of it; the usual range has six.
        let place = try #require(LevelsMontage.place(6, in: box, hasTone: true))
        #expect(
            place.width > box.width * 9 / 10 && place.y + place.height <= box.height && LevelsMontage.place(6, in: box) == nil)
        let montage = try #require(LevelsMontage.image(look, in: box)), graph = ToneGraph(colour).image(width: 240, height: 100)
        #expect(montage[place.x + place.width - 1, place.y + place.height - 1] == RasterImage.rgb(16, 16, 16))
        func columns(_ fill: UInt32) -> [Int] { (0..<240).filter { graph[$0, 99] == fill } }
        let bright = Int(ToneGraph.across(1000) * 240), dark = Int(ToneGraph.across(26) * 240)
        #expect(
            columns(ToneGraph.dimmed).contains { abs($0 - bright) <= 2 }
                && columns(ToneGraph.kept).contains { abs($0 - dark) <= 4 })
        // Each column has a point of the curve; at the left it is the straight line, at the right the surface's white.
        for x in 0..<240 { #expect((0..<100).contains { graph[x, $0] == ToneGraph.line }, "\(x)") }
        let top = (0..<100).first { graph[239, $0] == ToneGraph.line }
        #expect(top.map { abs(99 - $0 - Int(ToneGraph.up(203) * 100)) <= 1 } == true)
        #expect(ToneGraph(colour).image(width: 3, height: 3).pixels.count == 9)
    }

    @Test func theImageLiesBesideTheListAndOnlyInItsTab() throws {
        var model = model(columns: 120, rows: 40)
        _ = model.update(.key(KeyStroke("3")), now: at(2))
        #expect(ChromeView.inset(model) == nil)
        _ = model.update(.inspected(.frame(InspectedFrames.view(levels: false))), now: at(2))
        let inset = try #require(ChromeView.inset(model))
        #expect(inset.isOverText && inset.image.rect.column > 60 && inset.image.rect.columns <= 59)
        // 16:9 in cells of 1:2.
        #expect(abs(Double(inset.image.rect.columns) / Double(inset.image.rect.rows) - 32.0 / 9) < 0.2)
        _ = model.update(.key(KeyStroke("1")), now: at(2))
        #expect(ChromeView.inset(model) == nil)
    }

    @Test(arguments: [true, false]) func theVideoTabSaysWhatTheCodesAreAndWhatThePointIs(isUnicode: Bool) throws {
        let recipe = ["-f", "lavfi", "-i", "nullsrc=s=256x64:r=5:d=1,format=yuv444p,geq=lum='X':cb=128:cr=128,format=yuv420p"]
        let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"]
        let path = try Fixtures.clip(recipe + tags + ["-c:v", "ffv1", "-frames:v", "2"], ext: "mkv")
        let inspection = FrameInspection(FrameInspection.origin(of: .location(.file(path))))
        var model = ScreenPane.inspector.model(ScreenShape(name: "", columns: 120, rows: 40, isUnicode: isUnicode))
        let request = try #require(requests(model.update(.key(KeyStroke("4")), now: at(2))).first)
        var wish = request.wish
        wish.point = .zero
        let look = try inspection.look(wish)
        _ = model.update(.inspected(.frame(FrameView(request, look, number: 1))), now: at(2))
        let text = try rendered(model).joined(separator: "\n")
        for words in ["bt709", "limited", "Y           0 to 255, mean 127.5", "Point       128, 32", "Y 128 U 128 V 128"] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        // The pointer at the left edge of the grey plane of luma, which lies at the right above.
        let rect = try #require(ChromeView.inset(model)?.image.rect)
        let place = try #require(LevelsMontage.place(1, in: request.wish.box))
        let column = rect.column + place.x * rect.columns / request.wish.box.width + 1
        let row = rect.row + (place.y + place.height / 2) * rect.rows / request.wish.box.height
        _ = model.update(.mouse(MouseEvent(.press, .left, x: column, y: row)), now: at(3))
        let point = try #require(model.layers[Inspector.self]?.frames.point)
        #expect(point.x < 0.1 && abs(point.y - 0.5) < 0.2, "\(point)")
        // And the arrows.
        _ = model.update(.key(KeyStroke(.right)), now: at(3))
        #expect(abs((model.layers[Inspector.self]?.frames.point.x ?? 0) - point.x - 0.05) < 0.001)
    }

    // MARK: - Renderers

    @Test func renderersAreSetSideBySideByBytesTimeAndNearness() throws {
        // Stripes of one pixel: what has fewer pixels cannot show them.
        let stripes = RasterImage(
            width: 160, height: 96, pixels: (0..<160 * 96).map { $0 % 2 == 0 ? RasterImage.rgb(200, 200, 200) : 0xFF00_0000 })
        let costs = RendererCost.measure(stripes, time: SteppingTime())
        #expect(costs.map(\.name) == ["halfblock", "octant", "sixel", "kitty"])
        #expect(costs.allSatisfy { $0.bytes > 0 && $0.time == .milliseconds(1) })
        // Grey in place of black and light grey: 100 off everywhere.
        let expected = 20 * log10(255.0 / 100)
        #expect(abs(try #require(costs[0].psnr) - expected) < 0.2 && costs[3].psnr == nil)
        // One colour is exact with all of them.
        let plain = RendererCost.measure(RasterImage(width: 160, height: 96, fill: RasterImage.rgb(51, 102, 204)))
        #expect(plain.allSatisfy { $0.psnr ?? 99 > 40 } && plain[0].bytes < costs[0].bytes + 1)
        #expect(RendererCost.measure(RasterImage(width: 4, height: 4)).isEmpty)
    }

    @Test(arguments: [(0, nil), (3 * 16 * 100, 28.13)] as [(Int, Double?)])
    func nearnessCountsWhatTheRasterLosesAndWhatIsMissedInIt(_ missed: Int, _ expected: Double?) {
        let image = RasterImage(width: 4, height: 4, fill: RasterImage.rgb(9, 9, 9))
        let found = RendererCost.psnr(of: image, plus: missed, against: image)
        #expect(found.map { ($0 * 100).rounded() / 100 } == expected)
    }

    // MARK: - Audio

    @Test func theAudioIsMeteredOnlyWhileItsTabIsOpen() {
        var model = model()
        #expect(!model.isMetered && model.metersDue(after: at(2)) == nil)
        _ = model.update(.key(KeyStroke("5")), now: at(2))
        #expect(model.isMetered && model.metersDue(after: at(2)) == at(2))
        _ = model.update(.metered(InspectedFrames.audio), now: at(2))
        #expect(model.metersDue(after: at(2)) == at(2.1), "ten times a second")
        _ = model.update(.key(KeyStroke("6")), now: at(3))
        #expect(!model.isMetered && model.metersDue(after: at(3)) == nil)
    }

    @Test func metersSayWhatIsHeardAndNotWhatIsAhead() throws {
        let scope = AudioScope(), format = AudioFormat(sampleRate: 48000, channelCount: 2)
        for part in 0..<10 {
            let level: Float = part < 5 ? 0.5 : 0.05
            let samples = (0..<4800).flatMap { index -> [Float] in
                let value = level * (index % 96 < 48 ? 1 : -1)
                return [value, value]
            }
            scope.take(
                ChannelTapBuffer(
                    samples: samples, format: format, sourceTime: 100 + Double(part) / 10, discontinuity: part == 0))
        }
        #expect(scope.count == 10)
        let loud = try #require(scope.view(at: 100.45).reading), soft = try #require(scope.view(at: 101).reading)
        #expect(abs(loud.levels[0].peak + 6.02) < 0.1 && abs(soft.levels[0].peak + 26.02) < 0.1)
        #expect(scope.view(at: 99).reading == nil && scope.view(at: 99).columns.isEmpty)
        // 48 000 samples are 46 columns of 1024.
        let columns = scope.view(at: 102).columns
        #expect(columns.count == 46 && columns[0].most == 0.5 && columns[0].least == -0.5 && columns[0].bands.max() ?? 0 > 200)
        // A seek: what was ahead is another place.
        scope.take(ChannelTapBuffer(samples: [0, 0], format: format, sourceTime: 50, discontinuity: true))
        #expect(scope.view(at: 200).columns.isEmpty)
    }

    @Test func theStripOfTheClockHasFitDriftAndCorrections() {
        let lines = ClockStrip(InspectedFrames.audio.clock).lines(width: 10, isUnicode: true)
        #expect(lines.map(\.label) == ["Off", "Fit", "Drift", "Corrections", "Device"])
        #expect(lines[1].text == "0.50 ms of 50 readings" && lines[2].text == "+12 ppm" && lines[4].text.hasPrefix("42.0 ms"))
        #expect(ClockStrip([]).lines(width: 10, isUnicode: true).isEmpty)
    }
}
