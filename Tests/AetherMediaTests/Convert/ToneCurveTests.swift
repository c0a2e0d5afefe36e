import AetherCore
import Foundation
import Testing

@testable import AetherMedia

@Suite struct ToneCurveTests {
    @Test(arguments: [203.0, 400, 1000, 4000, 10000])
    func everyCurveRisesFromBlackToWhite(_ peak: Double) {
        let scene = SceneCurve(peak: peak, target: 400, kneeX: 0.1, kneeY: 0.3, anchors: [0.4, 0.6, 0.8, 0.9])
        let curves: [ToneCurve] = [.clip, .bt2390(peak: peak), .hable(peak: peak), scene.map { ToneCurve.scene($0) } ?? .clip]
        for curve in curves {
            #expect(curve.map(0) < 0.01)
            #expect(abs(curve.map(peak) - ToneCurve.white) < 0.5, "\(curve): \(curve.map(peak))")
            var last = 0.0
            for nits in stride(from: 0.0, through: peak, by: peak / 500) {
                let shown = curve.map(nits)
                #expect(shown >= last - 1e-9 && shown <= ToneCurve.white + 1e-6)
                last = shown
            }
        }
    }

    @Test func belowTheKneeNothingIsChanged() {
        // 1000 to 203: the knee lies at 1.5 × PQ(203) / PQ(1000) - 0.5 = 0.658 of PQ(1000), 45.8 cd/m².
        let curve = ToneCurve.bt2390(peak: 1000)
        for nits in [0.01, 0.1, 1.0, 10, 40] { #expect(abs(curve.map(nits) - nits) < 1e-9) }
        #expect(curve.map(100) < 100 && curve.map(100) > 70)
    }

    @Test func aSourceThatFitsIsLeftAlone() {
        for nits in [1.0, 50, 150, 203] { #expect(ToneCurve.bt2390(peak: 150).map(nits) == nits) }
    }

    @Test func perceptualQuantizerHasTheStandardsValues() {
        #expect(abs(PerceptualQuantizer.code(nits: 10000) - 1) < 1e-12)
        #expect(abs(PerceptualQuantizer.code(nits: 100) - 0.508078) < 1e-6)
        #expect(abs(PerceptualQuantizer.code(nits: 203) - 0.580689) < 1e-5)
        for nits in [0.005, 1.0, 203, 4000] {
            #expect(abs(PerceptualQuantizer.nits(PerceptualQuantizer.code(nits: nits)) / nits - 1) < 1e-9)
        }
    }

    @Test func hybridLogGammaHasTheStandardsValues() {
        // BT.2408: 75 % is the reference white, 203 of 1000 cd/m² after the system gamma.
        let scene = TransferCurve.hlg.light(0.75)
        #expect(abs(pow(scene, 1.2) * 1000 - 203) < 1)
        #expect(abs(TransferCurve.hlg.light(0.5) - 1.0 / 12) < 1e-9)
        #expect(abs(TransferCurve.hlg.light(1) - 1) < 1e-6)
    }

    @Test func aSceneCurveGoesThroughItsKneeAndItsEnd() throws {
        let curve = try #require(SceneCurve(peak: 1000, target: 500, kneeX: 0.2, kneeY: 0.35, anchors: [0.5, 0.7]))
        #expect(abs(curve.map(200) - 175) < 1e-9)
        #expect(abs(curve.map(100) - 87.5) < 1e-9)
        #expect(abs(curve.map(1000) - 500) < 1e-9)
        // Half way from knee to peak: a cubic Bézier of 0, 0.5, 0.7, 1.
        let half = (3 * 0.5 + 3 * 0.7 + 1) / 8
        #expect(abs(curve.map(600) - (0.35 + 0.65 * half) * 500) < 1e-9)
    }

    @Test func nonsenseIsNoSceneCurve() {
        #expect(SceneCurve(peak: .nan, target: 500, kneeX: 0, kneeY: 0, anchors: []) == nil)
        #expect(SceneCurve(peak: 1000, target: 0, kneeX: 0, kneeY: 0, anchors: []) == nil)
        #expect(SceneCurve(peak: 1000, target: 500, kneeX: 1, kneeY: 0, anchors: []) == nil)
        #expect(SceneCurve(peak: 1000, target: 500, kneeX: 0, kneeY: 2, anchors: []) == nil)
        #expect(SceneCurve(peak: 1000, target: 500, kneeX: 0, kneeY: 0, anchors: [.infinity]) == nil)
        #expect(SceneCurve(peak: 1000, target: 500, kneeX: 0, kneeY: 0, anchors: Array(repeating: 0.5, count: 16)) == nil)
    }

    @Test func theCurveIsChosenByWhatIsKnown() throws {
        let scene = try #require(SceneCurve(peak: 800, target: 500, kneeX: 0, kneeY: 0, anchors: [0.5]))
        func chosen(_ mapping: ToneMapping, _ metadata: LightMetadata, _ transfer: TransferCurve = .pq, dv: Double? = nil)
            -> ToneCurve
        {
            ToneCurve(mapping, metadata, transfer: transfer, dolbyVisionPeak: dv, measured: { 512 })
        }
        #expect(chosen(.auto, LightMetadata(peak: 1000, scene: scene)) == .scene(scene))
        #expect(chosen(.off, LightMetadata(peak: 1000, scene: scene)) == .clip)
        func peak(_ curve: ToneCurve) -> Double? {
            switch curve {
            case .bt2390(let peak), .hable(let peak): peak
            default: nil
            }
        }
        func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 / b - 1) < 0.01 } ?? false }
        #expect(isNear(peak(chosen(.bt2390, LightMetadata(peak: 1000, scene: scene))), 1000))
        #expect(isNear(peak(chosen(.auto, LightMetadata())), 512))
        #expect(isNear(peak(chosen(.hable, LightMetadata())), 512))
        #expect(isNear(peak(chosen(.auto, LightMetadata(), .hlg)), 1000))
        #expect(isNear(peak(chosen(.auto, LightMetadata(peak: 4000), dv: 600)), 600))
    }
}

@Suite struct PeakMeterTests {
    private func histogram(_ nits: [Double]) -> LightHistogram {
        var histogram = LightHistogram()
        for value in nits { histogram.note(nits: value) }
        return histogram
    }

    /// 10000 pixels of one light, with one in a hundred brighter.
    private func scene(_ mean: Double, peak: Double) -> LightHistogram {
        histogram((0..<10000).map { $0 % 100 == 0 ? peak : mean })
    }

    @Test func theFirstFrameCountsFully() {
        var meter = PeakMeter()
        #expect(abs(meter.note(scene(20, peak: 900)) / 900 - 1) < 0.03)
    }

    @Test func sparklesAreLeftOut() {
        var meter = PeakMeter()
        let nits = (0..<10000).map { $0 < 5 ? 9000.0 : 300 }
        #expect(meter.note(histogram(nits)) < 320)
    }

    @Test func aPeakRisesFastAndFallsSlowly() {
        var meter = PeakMeter()
        _ = meter.note(scene(20, peak: 400))
        for _ in 0..<8 { _ = meter.note(scene(20, peak: 1000)) }
        #expect((meter.peak ?? 0) > 900)
        for _ in 0..<8 { _ = meter.note(scene(20, peak: 400)) }
        #expect((meter.peak ?? 0) > 600)
        for _ in 0..<100 { _ = meter.note(scene(20, peak: 400)) }
        #expect((meter.peak ?? 0) < 420)
    }

    @Test func aCutIsFollowedAtOnce() {
        var meter = PeakMeter()
        _ = meter.note(scene(100, peak: 4000))
        #expect(abs(meter.note(scene(5, peak: 600)) / 600 - 1) < 0.03)
    }

    @Test func aBlackFrameHasThePeakOfWhite() {
        var meter = PeakMeter()
        #expect(abs(meter.note(histogram([0, 0, 0])) - 203) < 1e-9)
        #expect(abs(meter.note(LightHistogram()) - 203) < 1e-9)
    }
}
