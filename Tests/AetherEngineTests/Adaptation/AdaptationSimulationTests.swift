import AetherCore
import Testing

@testable import AetherEngine

@Suite struct AdaptationSimulationTests {
    private func play(_ periods: [(Double, Double)], segment: Double = 4, count: Int = 60, isOn: Bool = true) throws
        -> AdaptationSimulation
    {
        var options = AdaptationOptions()
        options.isOn = isOn
        return AdaptationSimulation(
            AdaptationTests.ladder, segment: segment, count: count,
            link: try periods.map { try #require(AdaptationSimulation.Period(duration: $0, rate: $1 * 1e6, latency: 0.05)) },
            options: options)
    }

    @Test func aSteadyLinkIsUsedWithoutAStall() throws {
        let found = try play([(1000, 6.5)])
        #expect(found.totals.stalls == 0 && found.totals.switches <= 2)
        #expect(found.steps.last?.variant == 3 && found.totals.startUp < 3)
    }

    @Test func aStepDownIsFollowedWithoutAStall() throws {
        let found = try play([(60, 8), (1000, 1.2)])
        #expect(found.totals.stalledTime == 0, "\(found.totals)")
        #expect(found.steps.last?.variant == 1)
    }

    @Test func anOutageStallsOnlyForWhatWasNotHeld() throws {
        let found = try play([(60, 8), (30, 0), (60, 8)])
        #expect(found.totals.stalledTime < 14, "\(found.totals)")
        let fixed = try play([(60, 3), (60, 0.5)], isOn: false), adapted = try play([(60, 3), (60, 0.5)])
        #expect(fixed.totals.stalledTime > 10 && adapted.totals.stalledTime < 1)
    }

    @Test func aSawtoothChangesSeldom() throws {
        let teeth = (0..<20).flatMap { _ in [(5.0, 2.0), (5.0, 4.0), (5.0, 6.0), (5.0, 3.0)] }
        let found = try play(teeth, count: 90)
        #expect(found.totals.stalls == 0)
        #expect(Double(found.totals.switches) <= found.totals.mediaTime / 8, "\(found.totals)")
    }

    @Test func aDeadLinkEnds() throws {
        #expect(try play([(10, 4), (100_000, 0)]).steps.count < 60)
        #expect(AdaptationSimulation(AdaptationTests.ladder, segment: 4, count: 5, link: []).steps.isEmpty)
        #expect(try play([(10, 0)]).steps.isEmpty)
    }

    @Test func publishedFormsOfTracesAreRead() throws {
        let sabre = try #require(LinkTrace(Array(#"[{"duration_ms":1000,"bandwidth_kbps":2500,"latency_ms":100}]"#.utf8)))
        #expect(sabre.periods == [AdaptationSimulation.Period(duration: 1, rate: 2.5e6, latency: 0.1)])
        let cooked = try #require(LinkTrace(Array("0.5\t1.0\n1.5\t2.0\n3.5\t0.25\n".utf8)))
        #expect(cooked.periods.map(\.duration) == [1, 2] && cooked.periods.map(\.rate) == [2e6, 0.25e6])
        let commute = try #require(
            LinkTrace(Array("1289406399 549 59.85 10.78 125000 1000\n1289406400 550 59.85 10.78 0 1000\n".utf8)))
        #expect(commute.periods.map(\.rate) == [1e6, 0])
    }

    @Test(arguments: [
        "", "x", "1 2 3\n", "[]", "[{}]", #"[{"duration_ms":-1,"bandwidth_kbps":5}]"#, "2 1\n1 1\n", "1 nan\n2 nan\n", "[[[[",
        "1 1e400\n2 1e400\n",
    ])
    func whatIsNoTraceIsRefused(_ text: String) { #expect(LinkTrace(Array(text.utf8)) == nil) }
}
