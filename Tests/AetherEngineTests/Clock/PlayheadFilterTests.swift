import AetherCore
import Testing

@testable import AetherEngine

@Suite struct PlayheadFilterTests {
    private func host(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .seconds(seconds) }

    @Test func theFirstReportIsTheLine() {
        var filter = PlayheadFilter()
        let line = filter.observe(media: .seconds(5), host: host(100), rate: 2)
        #expect(line == ClockAnchor(media: .seconds(5), host: host(100), rate: 2))
        #expect(filter.stepCount == 0)
        #expect(filter.driftPPM == nil)
    }

    @Test func twoWildReportsAreIgnoredAndTheThirdMovesTheLine() {
        var filter = PlayheadFilter()
        _ = filter.observe(media: .seconds(0), host: host(0), rate: 1)
        for report in 1...2 {
            let at = 0.02 * Double(report)
            let line = filter.observe(media: .seconds(at + 0.1), host: host(at), rate: 1)
            #expect((line.time(at: host(at)) - .seconds(at)).magnitude < .milliseconds(0.1))
        }
        let line = filter.observe(media: .seconds(0.16), host: host(0.06), rate: 1)
        #expect(line.time(at: host(0.06)) == .seconds(0.16))
        #expect(filter.stepCount == 1)
    }

    @Test func theLastReportIsKeptWithItsErrorAndWhatWasMadeOfIt() {
        var filter = PlayheadFilter()
        _ = filter.observe(media: .zero, host: host(0), rate: 1)
        #expect(filter.lastReport == nil, "the first one is the line")
        _ = filter.observe(media: .seconds(0.025), host: host(0.02), rate: 1)
        #expect(filter.lastReport?.error == .milliseconds(5) && filter.lastReport?.host == host(0.02))
        #expect((filter.lastReport?.correction ?? 0) > 0 && filter.lastReport?.isStep == false)
        for report in 2...4 {
            let at = 0.02 * Double(report)
            _ = filter.observe(media: .seconds(at + 0.2), host: host(at), rate: 1)
            #expect(filter.lastReport?.isStep == (report == 4))
        }
        filter.unlock()
        #expect(filter.lastReport == nil)
    }

    @Test func oneWildReportLeavesNoTrace() {
        var filter = PlayheadFilter()
        for report in 0..<100 {
            let at = 0.02 * Double(report)
            _ = filter.observe(media: .seconds(report == 50 ? at + 0.3 : at), host: host(at), rate: 1)
        }
        let line = filter.observe(media: .seconds(2), host: host(2), rate: 1)
        #expect((line.time(at: host(2)) - .seconds(2)).magnitude < .milliseconds(0.1))
        #expect(filter.stepCount == 0)
    }

    @Test func halfASecondIsNoJitter() {
        var filter = PlayheadFilter()
        _ = filter.observe(media: .seconds(0), host: host(0), rate: 1)
        let line = filter.observe(media: .seconds(0.6), host: host(0.02), rate: 1)
        #expect(line.media == .seconds(0.6))
        #expect(filter.stepCount == 1)
    }

    @Test func theSlopeNeverLeavesFivePerCent() {
        var filter = PlayheadFilter()
        _ = filter.observe(media: .seconds(0), host: host(0), rate: 1)
        for report in 1...200 {
            let at = 0.02 * Double(report)
            let line = filter.observe(media: .seconds(at + (report % 2 == 0 ? 0.039 : -0.039)), host: host(at), rate: 1)
            #expect(line.rate > 0.94 && line.rate < 1.06)
        }
    }

    @Test func aSeekKeepsWhatWasLearntOfTheDevice() throws {
        var filter = PlayheadFilter()
        for report in 0..<6000 {
            let at = 0.02 * Double(report)
            _ = filter.observe(media: .seconds(at * 1.0001), host: host(at), rate: 1)
        }
        let learnt = try #require(filter.driftPPM)
        #expect(abs(learnt - 100) < 5)
        filter.unlock()
        let line = filter.observe(media: .seconds(1000), host: host(200), rate: 1)
        #expect(line.media == .seconds(1000))
        #expect(abs((line.rate - 1) * 1e6 - learnt) < 0.001)
    }

    @Test func reportsOutOfOrderOrRepeatedDoNoHarm() {
        var filter = PlayheadFilter()
        _ = filter.observe(media: .seconds(1), host: host(1), rate: 1)
        let first = filter.observe(media: .seconds(2), host: host(2), rate: 1)
        #expect(filter.observe(media: .seconds(2), host: host(2), rate: 1) == first)
        let back = filter.observe(media: .seconds(1.5), host: host(1.5), rate: 1)
        #expect((back.time(at: host(3)) - .seconds(3)).magnitude < .milliseconds(0.1))
    }
}
