import AetherCore
import Testing

@testable import AetherEngine

@Suite struct GrowingExtentTests {
    @Test func theEndFollowsTheBytes() {
        var extent = GrowingExtent(start: .seconds(1.4), duration: .seconds(10), isMeasured: true, size: 1000)
        #expect(extent.end == .seconds(11.4))
        extent.take(size: 2000, reached: .seconds(3), fetched: 100)
        #expect(extent.end == .seconds(21.4))
        extent.take(size: 1500, reached: .seconds(3), fetched: 100)
        #expect(extent.end == .seconds(21.4), "never back")
        extent.close(at: .seconds(20))
        #expect(extent.end == .seconds(20))
    }

    /// A copy in progress: its header speaks of the whole file from the beginning.
    @Test func whatTheHeaderPromisesIsNeitherCutNorStretched() {
        var extent = GrowingExtent(start: .zero, duration: .seconds(100), isMeasured: false, size: 500)
        extent.take(size: 500, reached: .seconds(10), fetched: 100)
        #expect(extent.end == .seconds(100), "the half that is there says 50 s")
        extent.take(size: 1000, reached: .seconds(20), fetched: 200)
        #expect(extent.end == .seconds(100))
    }

    /// A Matroska file that is not finished has no duration.
    @Test func withoutADurationWhatWasReadTells() {
        var extent = GrowingExtent(start: .zero, duration: nil, isMeasured: false, size: 500)
        extent.take(size: 1000, reached: .seconds(0.5), fetched: 100)
        #expect(extent.end == .seconds(0.5), "half a second tells nothing yet")
        extent.take(size: 1000, reached: .seconds(2), fetched: 200)
        #expect(extent.end == .seconds(10))
        // After a seek nobody knows how many bytes lie before.
        var sought = GrowingExtent(start: .zero, duration: nil, isMeasured: false, size: 500)
        sought.take(size: 1000, reached: .seconds(7), fetched: nil)
        #expect(sought.end == .seconds(7))
    }
}
