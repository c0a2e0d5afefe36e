import CFFmpeg
import Testing

@testable import AetherMedia

/// The metadata by which a frame without its own is shown.
@Suite struct DolbyVisionHoldTests {
    private static var scene: DolbyVisionMapping { UnitWriter.profile5(curves: UnitWriter.bentCurves) }
    private static var other: DolbyVisionMapping {
        var other = scene
        other.peakCode = 0.5
        return other
    }

    private static func base(_ transfer: AVColorTransferCharacteristic) -> DolbyVisionHold.Base {
        var frame = AVFrame()
        frame.color_trc = transfer
        return DolbyVisionHold.Base(frame)
    }

    private static var pq: DolbyVisionHold.Base { base(AVCOL_TRC_SMPTE2084) }
    private static var hlg: DolbyVisionHold.Base { base(AVCOL_TRC_ARIB_STD_B67) }
    private static var film: DolbyVisionHold.Base { base(AVCOL_TRC_BT709) }
    private static var unnamed: DolbyVisionHold.Base { base(AVCOL_TRC_UNSPECIFIED) }

    @Test func itsOwnComesFirst() {
        var hold = DolbyVisionHold()
        for base in [Self.pq, Self.hlg, Self.film, Self.unnamed] {
            #expect(hold.mapping(.read(Self.scene), base, decoders: Self.other) == Self.scene)
        }
    }

    @Test(arguments: [DolbyVisionHold.Own.missing, .damaged]) func thatOfTheFrameBeforeHolds(_ own: DolbyVisionHold.Own) {
        var hold = DolbyVisionHold()
        _ = hold.mapping(.read(Self.scene), Self.pq, decoders: nil)
        for _ in 0..<DolbyVisionHold.limit { #expect(hold.mapping(own, Self.pq, decoders: Self.other) == Self.scene) }
        // For ever would be another film.
        #expect(hold.mapping(own, Self.pq, decoders: Self.other) == nil)
    }

    @Test func behindASpliceNothingHolds() {
        for behind in [Self.film, Self.hlg] {
            var hold = DolbyVisionHold()
            _ = hold.mapping(.read(Self.scene), Self.pq, decoders: nil)
            #expect(hold.mapping(.missing, behind, decoders: Self.scene) == nil)
        }
    }

    @Test func withoutAnythingBeforeTheBaseLayerStandsForItself() {
        var hold = DolbyVisionHold()
        #expect(hold.mapping(.damaged, Self.pq, decoders: Self.other) == nil)
        #expect(hold.mapping(.missing, Self.film, decoders: Self.other) == nil)
        // A picture out of the middle: the decoder came from before it.
        #expect(hold.mapping(.missing, Self.pq, decoders: Self.other) == Self.other)
        // Profile 5 cannot be looked at without: whatever there is.
        #expect(hold.mapping(.damaged, Self.unnamed, decoders: Self.other) == Self.other)
    }

    @Test func damageIsSeenByTheChecksum() {
        let unit = UnitWriter.nal(UnitWriter.payload(Self.scene, scenePeak: 2900, hasResidual: false))
        #expect(!DolbyVisionReader.isDamaged(nal: unit))
        for place in stride(from: 1, to: unit.count - 1, by: 7) {
            var damaged = unit
            damaged[place] ^= 0x10
            #expect(DolbyVisionReader.isDamaged(nal: damaged), "\(place)")
        }
        #expect(DolbyVisionReader.isDamaged(nal: []))
        #expect(DolbyVisionReader.isDamaged(nal: [25]))
        #expect(DolbyVisionReader.isDamaged(nal: Array(unit.prefix(20))))
    }
}
