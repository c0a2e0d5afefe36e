import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Texts without a script in stills: with their looks, where they belong, and in their order.
@Suite struct PlainEventsTests {
    private static let track = TrackID(.external, 1)
    private static let red = SubtitleColor(r: 255, g: 0, b: 0), lime = SubtitleColor(r: 0, g: 255, b: 0)

    private func cue(
        _ id: Int, _ span: Range<Double>, _ body: SubtitleCue.Body, _ placement: SubtitleTextPlacement? = nil,
        markup: String? = nil
    ) -> SubtitleCue {
        SubtitleCue(
            id: id, track: Self.track, start: .seconds(span.lowerBound), end: .seconds(span.upperBound), body: body,
            placement: placement, markup: markup)
    }

    @Test func textsOfOnePlaceAreOneEventTheFirstOnTop() {
        let sign = SubtitleTextPlacement(alignment: 7, position: SubtitlePoint(x: 0.25, y: 0.5))
        let cues = [
            cue(1, 0..<4, .text("one")), cue(2, 0..<4, .richText([SubtitleTextRun("sign", color: Self.red, isBold: true)]), sign),
            cue(3, 1..<3, .text("{two}\\")), cue(4, 1..<3, .text("x"), markup: "0,Default,,0,0,0,,x"),
        ]
        #expect(
            PlainEvents.markups(cues) == [
                "0,Default,,0,0,0,,one\\N\\{two\\}\\\u{2060}",
                "0,Default,,0,0,0,,{\\an7\\pos(96,144)}{\\b1\\c&H0000FF&}sign{\\r}",
            ])
        let events = PlainEvents(cues)
        #expect(events?.ids == [1, 2, 3] && events?.span == .seconds(1)..<MediaTime.seconds(3))
        #expect(PlainEvents([]) == nil)
    }

    /// The mean row of the pixels of each colour, nil without any.
    private func rows(_ image: RasterImage) -> (red: Int?, lime: Int?) {
        var (red, lime): ([Int], [Int]) = ([], [])
        for (index, pixel) in image.pixels.enumerated() {
            let (r, g) = (pixel & 255, pixel >> 8 & 255)
            if r > 150, g < 80 { red.append(index / image.width) }
            if g > 150, r < 80 { lime.append(index / image.width) }
        }
        func mean(_ rows: [Int]) -> Int? { rows.isEmpty ? nil : rows.reduce(0, +) / rows.count }
        return (mean(red), mean(lime))
    }

    @Test func stillsHaveColoursPlacesAndOrder() {
        let store = CueStore(), time = ManualTime()
        let top = SubtitleTextPlacement(alignment: 8, position: SubtitlePoint(x: 0.5, y: 0.05))
        for (span, color, placement) in [
            (1.0..<5.0, Self.red, nil), (3.0..<5.0, Self.lime, nil), (8.0..<9.0, Self.red, top),
        ] as [(Range<Double>, SubtitleColor, SubtitleTextPlacement?)] {
            store.add(
                DecodedSubtitle(
                    start: .seconds(span.lowerBound), end: .seconds(span.upperBound),
                    body: .richText([SubtitleTextRun("MMMM", color: color)]), placement: placement),
                track: Self.track)
        }
        var blender = SubtitleBlender(cues: store, storage: nil, header: { _ in nil }, fonts: { [] })
        let demand = RasterDemand(box: nil, pixelAspect: 1, burning: .whole), bare = RasterImage(width: 320, height: 240)
        func rows(at seconds: Double) -> (red: Int?, lime: Int?) {
            self.rows(
                blender.blended(bare, at: .seconds(seconds), SubtitleChoice(track: Self.track), demand, clock: time))
        }
        // In any order, as stills are asked for.
        for _ in 0..<2 {
            let both = rows(at: 4), high = rows(at: 8.5), alone = rows(at: 2)
            #expect((both.red ?? 999) < (both.lime ?? 0) && (both.red ?? 0) > 120, "\(both)")
            #expect((high.red ?? 999) < 60 && high.lime == nil, "\(high)")
            #expect((alone.red ?? 0) > (both.red ?? 999) && alone.lime == nil, "\(alone)")
            let none = rows(at: 6)
            #expect(none.red == nil && none.lime == nil)
        }
    }
}
