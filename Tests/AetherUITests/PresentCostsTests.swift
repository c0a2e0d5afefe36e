import AetherCore
import AetherEngine
import Testing

@testable import AetherUI

@Suite("Costs of presenting")
struct PresentCostsTests {
    /// The lead after sixteen more frames of the same costs.
    private func lead(_ costs: PresentCosts, encoding: Double, early: Double, interval: Double) -> Double? {
        let told = (0..<16).compactMap { _ in
            costs.noteEncoded(in: .milliseconds(encoding), early: .milliseconds(early), interval: .milliseconds(interval))
        }
        #expect(told.count == 1, "the lead is found once in sixteen frames")
        return told.last?.milliseconds
    }

    @Test("The lead is encoding and beginning to write early, and a millisecond to wake up")
    func sum() {
        #expect(lead(PresentCosts(), encoding: 4, early: 2, interval: 40) == 7)
    }

    @Test(
        "A frame is wanted earlier by one frame at most, that is by 25 to 50 ms",
        arguments: [(10.0, 25.0), (16, 25), (40, 40), (200, 50)])
    func limit(_ interval: Double, _ wanted: Double) {
        #expect(lead(PresentCosts(), encoding: 90, early: 2, interval: interval) == wanted)
    }

    @Test("One slow frame of twenty does not move the lead, two do")
    func outlier() {
        for (slow, wanted) in [(0, 4.0), (1, 31)] {
            let costs = PresentCosts()
            var lead: Double?
            // The 33rd frame finds it: of 33 the p95 is the second slowest.
            for number in 0..<33 {
                let span = number == 0 || number <= slow ? 30.0 : 3
                lead = costs.noteEncoded(in: .milliseconds(span), early: .zero, interval: .milliseconds(40))?.milliseconds ?? lead
            }
            #expect(lead == wanted)
        }
    }

    @Test("Costs are told in percentiles, and are blank before the first frame")
    func percentiles() {
        let costs = PresentCosts()
        var statistics = SinkStatistics()
        costs.fill(&statistics)
        #expect(statistics.encode == nil && statistics.write == nil)
        _ = costs.noteEncoded(in: .milliseconds(5), early: .zero, interval: .milliseconds(40))
        costs.noteWritten(in: .milliseconds(2))
        costs.fill(&statistics)
        #expect(statistics.encode?.p95 == 5 && statistics.write?.p95 == 2)
    }
}
