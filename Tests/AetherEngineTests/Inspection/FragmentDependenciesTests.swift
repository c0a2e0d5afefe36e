import AetherCore
import AetherFormats
import Testing

@testable import AetherEngine

@Suite struct FragmentDependenciesTests {
    private func number(_ value: Int, _ bytes: Int = 4) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8) + Array(kind.utf8) + body }

    /// A track with samples of ten bytes that depend on others, unless their fragment says something else.
    private var movie: [UInt8] {
        box("moov", box("mvex", box("trex", number(0) + number(1) + number(1) + number(5) + number(10) + number(0x0100_0000))))
    }

    private func fragment(_ runs: [UInt8], base: Int = 0x2_0000) -> [UInt8] {
        box("moof", box("traf", box("tfhd", number(base) + number(1)) + runs)) + box("mdat", Array(repeating: 0, count: 100))
    }

    private func words(_ bytes: [UInt8], at places: [Int]) -> [String] {
        var list = SampleList(streams: [SampleStream(index: 0, kind: "video", timeBase: TimeBase(1, 10))], rows: [])
        list.rows = places.map {
            SampleRow(stream: 0, number: 1, pts: 0, dts: 0, duration: 1, position: Int64($0), size: 1, isKey: false)
        }
        list.readDependencies(of: InspectedBytes(bytes))
        return list.rows.map(\.dependency.text)
    }

    /// Flags of the first sample, of each sample, and those of the track; the runs of a fragment follow one another.
    @Test func flagsOfSamplesAreReadByTheirPlace() {
        let first = box("trun", number(5) + number(2) + number(500) + number(0x0240_0000))
        let second = box("trun", number(0x600) + number(2) + [20, 0x0180_0000, 30, 0].flatMap { number($0) })
        let bytes = movie + fragment(first + second), start = movie.count + 500
        #expect(
            words(bytes, at: [start, start + 10, start + 20, start + 40, start + 1]) == [
                "independent, referenced", "dependent", "dependent, unreferenced", "dependent", "dependent",
            ])
        // The second fragment counts from its own start.
        let two = fragment(box("trun", number(1) + number(1) + number(100))) + bytes.dropFirst(movie.count)
        let place = movie.count + (two.count - bytes.count + movie.count) + 500
        #expect(words(movie + two, at: [place]) == ["independent, referenced"])
    }

    @Test func whatLiesIsBounded() {
        // Four billion samples of no size, and a run that is cut off.
        let endless = box("trun", number(5) + number(0xFFFF_FFFF) + number(0x7FFF_FFFF) + number(0x0240_0000))
        let cut = box("trun", number(0x600) + number(9) + number(20))
        #expect(words(box("moof", box("traf", box("tfhd", number(0) + number(1)) + endless + cut)), at: [5]) == ["dependent"])
        #expect(words([0, 0, 0, 8, 1], at: [0]) == ["dependent"] && words([], at: [0]) == ["dependent"])
    }
}
