import AetherCore
import Testing

@testable import AetherFormats

/// Events of manifests and of segments.
struct MediaEventTests {
    private let text = """
        <MPD><Period duration="PT4S"><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$" duration="2"/><Representation id="v"/>
        </AdaptationSet></Period><Period start="PT10S" duration="PT10S">
        <EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" value="1" timescale="1000" presentationTimeOffset="500">
        <Event presentationTime="3500" duration="2000" id="7"><Signal><Binary>/DAh</Binary></Signal></Event><Event presentationTime="x"/></EventStream>
        <AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$" duration="2" presentationTimeOffset="100"/><Representation id="v"/>
        </AdaptationSet></Period></MPD>
        """

    @Test func ofTheManifest() throws {
        let events = try MPD.presentation(text).events
        #expect(
            events.count == 2 && events[0].scheme == "urn:scte:scte35:2014:xml+bin" && events[0].value == "1"
                && events[0].id == "7")
        #expect(events[0].start == Ticks(13, timescale: 1) && events[0].duration == Ticks(2, timescale: 1))
        #expect(events[0].message == Array("/DAh".utf8) && events[1].duration == nil)
    }

    private func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private func box(_ version: Int, _ time: Int) -> [UInt8] {
        let names = Array("urn:x\u{1B}\0".utf8) + Array("v\0".utf8)
        let numbers = big(1000, 4) + big(time, version == 0 ? 4 : 8) + big(500, 4) + big(9, 4)
        let body = big(version << 24, 4) + (version == 0 ? names + numbers : numbers + names) + [1, 2, 3]
        return big(body.count + 8, 4) + Array("emsg".utf8) + body
    }

    @Test func ofSegments() throws {
        let segment = try #require(try MPD.segments(text).last)
        #expect(segment.mediaOffset == Ticks(-90, timescale: 1))
        let bytes = big(8, 4) + Array("styp".utf8) + box(0, 250) + box(1, 105_250) + big(8, 4) + Array("moof".utf8)
        let events = MediaEvent.events(in: bytes[...], of: segment)
        #expect(events.map(\.start) == [segment.start + Ticks(1, timescale: 4), Ticks(1525, timescale: 100)])
        #expect(
            events.allSatisfy {
                $0.id == "9" && $0.message == [1, 2, 3] && $0.duration == Ticks(1, timescale: 2) && !$0.scheme.contains("\u{1B}")
            })
        let media = bytes.count - 8
        for length in bytes.indices { #expect(MediaEvent.areComplete(in: bytes[..<length]) == (length >= media + 8)) }
        #expect(MediaEvent.areComplete(in: bytes[...]) && MediaEvent.areComplete(in: Array("<!DOCTYPE html>".utf8)[...]))
        for length in bytes.indices { _ = MediaEvent.events(in: bytes[..<length], of: segment) }
    }

    // MARK: - Advertisements

    private static let head: [UInt8] = [0xFC, 0x30, 0x20, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, 0x0F]

    /// A segmentation descriptor of a type, with 40 bits of duration: 270 000 ticks are 3 s.
    private static func segmentation(_ type: UInt8) -> [UInt8] {
        let body: [UInt8] = Array("CUEI".utf8) + [0, 0, 0, 1, 0x7F, 0xFF, 0, 0, 4, 0x1E, 0xB0, 0, 0, type, 0, 0]
        return [6, 0xFE, 0, 0, 0, 0, 0, UInt8(body.count + 2), 2, UInt8(body.count)] + body
    }

    @Test(
        arguments: [
            ([5, 0, 0, 0, 9, 0x7F, 0xEF, 0xFE, 0, 0, 0, 0, 0xFE, 0, 2, 0x0F, 0x58, 0, 1], true, 1.5),
            ([5, 0, 0, 0, 9, 0x7F, 0xDF, 0, 1, 0, 0], true, nil), ([5, 0, 0, 0, 9, 0x7F, 0x5F, 0, 1, 0, 0], false, nil),
            ([5, 0, 0, 0, 9, 0xFF], nil, nil), (segmentation(0x30), true, 3), (segmentation(0x35), false, 3),
            (segmentation(0x10), nil, nil),
            ([0], nil, nil), ([5, 0], nil, nil), ([], nil, nil),
        ] as [([UInt8], Bool?, Double?)])
    func aMessageOfSCTE35(_ command: [UInt8], _ isOut: Bool?, _ seconds: Double?) {
        let section = Self.head + command, signal = SpliceSignal(section)
        #expect(signal?.isOut == isOut && signal?.duration == seconds.map { .seconds($0) }, "\(String(describing: signal))")
        for length in section.indices { _ = SpliceSignal(Array(section.prefix(length))) }
    }
}
