import AetherCore
import Testing

@testable import AetherMedia

@Suite struct LayerSearchTests {
    private typealias Candidate = LayerSearch.Candidate
    private static let large = PixelSize(width: 3840, height: 2160), half = PixelSize(width: 1920, height: 1080)

    @Test func recordsAreBelieved() {
        let base = Candidate(index: 0, size: Self.large), layer = Candidate(index: 1, size: Self.half, hasBaseLayer: false)
        #expect(LayerSearch.partners([base, layer]) == [1: 0])
        #expect(LayerSearch.partners([layer, base]) == [1: 0])
        #expect(LayerSearch.partners([layer]) == [:])
        // Two that refine nothing are left as they are.
        #expect(LayerSearch.partners([layer, Candidate(index: 2, size: Self.half, hasBaseLayer: false)]) == [:])
    }

    @Test func withoutARecordUnitsAndSizeTell() {
        let base = Candidate(index: 0, size: Self.large)
        func layer(_ size: PixelSize?, units: Bool = true) -> Candidate {
            Candidate(index: 1, size: size, hasLayerUnits: units, hasUnits: true)
        }
        #expect(LayerSearch.partners([base, layer(Self.half)]) == [1: 0])
        #expect(LayerSearch.partners([base, layer(Self.large)]) == [1: 0])
        #expect(LayerSearch.partners([base, layer(PixelSize(width: 1920, height: 1088))]) == [1: 0])
        #expect(LayerSearch.partners([base, layer(PixelSize(width: 1280, height: 720))]) == [:])
        #expect(LayerSearch.partners([base, layer(nil)]) == [:])
        #expect(LayerSearch.partners([base, layer(Self.half, units: false)]) == [:])
        var boasting = layer(Self.half)
        boasting.hasBaseLayer = true
        #expect(LayerSearch.partners([base, boasting]) == [1: 0])
        // A base that has metadata itself needs none.
        #expect(LayerSearch.partners([Candidate(index: 0, size: Self.large, hasUnits: true), layer(Self.half)]) == [:])
    }

    @Test func discsSayItByTheirNumbers() {
        let base = Candidate(index: 0, programs: [1], packetID: 0x1011),
            layer = Candidate(index: 1, programs: [1], packetID: 0x1015)
        #expect(LayerSearch.partners([base, layer]) == [1: 0])
        var elsewhere = layer
        elsewhere.programs = [2]
        #expect(LayerSearch.partners([base, elsewhere]) == [:])
    }

    @Test func eachProgrammeHasItsPair() {
        let candidates = [1, 2].flatMap { programme in
            [
                Candidate(index: programme * 2, size: Self.large, programs: [programme]),
                Candidate(index: programme * 2 + 1, size: Self.half, hasBaseLayer: false, programs: [programme]),
            ]
        }
        #expect(LayerSearch.partners(candidates) == [3: 2, 5: 4])
    }

    // MARK: - Units

    @Test(arguments: [0, 1, 2, 4]) func unitsAreFoundAndFramed(_ lengthBytes: Int) {
        var header = [UInt8](repeating: 0, count: 23)
        if lengthBytes > 0 { (header[0], header[21]) = (1, UInt8(0xFC | (lengthBytes - 1))) }
        let units = HEVCUnits(header: lengthBytes > 0 ? header : [0, 0, 0, 1, 0x40, 1])
        #expect(units.lengthBytes == lengthBytes)
        let slice: [UInt8] = [0x26, 0x01, 5, 6, 7], own: [UInt8] = [0x7C, 0x01, 0x19, 8, 9],
            wrapped: [UInt8] = [0x7E, 0x01, 1, 2]
        func packet(_ list: [[UInt8]]) -> [UInt8] { list.flatMap { units.framed($0) ?? [] } }
        func metadata(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes { units.metadata(in: $0) } }
        #expect(metadata(packet([slice, own])) == own)
        #expect(metadata(packet([slice, own, wrapped])) == own)
        #expect(metadata(packet([slice])) == nil)
        #expect(metadata([]) == nil)
        #expect(packet([slice, wrapped]).withUnsafeBytes { units.hasWrappedLayer($0) })
        #expect(!packet([slice, own]).withUnsafeBytes { units.hasWrappedLayer($0) })
        // Cut anywhere and bent anywhere it is still only bytes.
        let whole = packet([slice, own])
        for count in 0..<whole.count { _ = metadata(Array(whole.prefix(count))) }
        for index in whole.indices {
            var bent = whole
            bent[index] = 255
            _ = metadata(bent)
        }
        #expect((units.framed([UInt8](repeating: 1, count: 300)) == nil) == (lengthBytes == 1))
    }
}
