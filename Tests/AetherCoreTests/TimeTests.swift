import AetherCore
import Testing

/// Container ticks, points and spans: rounding, and what does not fit.
@Suite struct TimeTests {
    /// Ticks, the base, nanoseconds to the nearest; half a nanosecond goes away from zero.
    @Test(
        arguments: [
            (0, 1, 90_000, 0), (1, 1, 90_000, 11_111), (2, 1, 90_000, 22_222), (5, 1, 90_000, 55_556), (-1, 1, 90_000, -11_111),
            (-5, 1, 90_000, -55_556), (90_000, 1, 90_000, 1_000_000_000), (1, 1001, 24_000, 41_708_333),
            (24_000, 1001, 24_000, 1_001_000_000_000), (1, 1, 48_000, 20_833), (3, 1, 48_000, 62_500), (1, 1, 1000, 1_000_000),
            (1, 1, 2_000_000_000, 1), (-1, 1, 2_000_000_000, -1), (3, 1, 2_000_000_000, 2), (1, 1, Int32.max, 0),
            (1, Int32.max, 1, 2_147_483_647_000_000_000),
        ] as [(Int64, Int32, Int32, Int64)])
    func ticksAreRoundedToTheNearestNanosecond(_ ticks: Int64, _ numerator: Int32, _ denominator: Int32, _ nanoseconds: Int64) {
        #expect(TimeBase(numerator, denominator).nanoseconds(ticks: ticks) == nanoseconds)
        #expect(MediaTime(ticks: ticks, in: TimeBase(numerator, denominator)) == MediaTime(nanoseconds: nanoseconds))
    }

    @Test(
        arguments: [(1, 90_000), (1001, 24_000), (1, 48_000), (1, 1000), (1, 14_112_000), (1001, 60_000), (1, 25)]
            as [(Int32, Int32)])
    func aTickIsFoundAgainFromItsTime(_ numerator: Int32, _ denominator: Int32) {
        let base = TimeBase(numerator, denominator)
        // Up to 33 bits, where MPEG-TS turns over, on both sides of zero.
        for power in 0..<33 {
            for ticks in [1 << power, (1 << power) + 1, -(1 << power), 3 - (1 << power)] as [Int64] {
                #expect(base.ticks(at: MediaTime(ticks: ticks, in: base)) == ticks, "\(ticks)")
            }
        }
    }

    @Test func whatDoesNotFitStopsAtTheEnds() {
        let seconds = TimeBase(1, 1), longest = TimeBase(.max, 1)
        for base in [seconds, longest] {
            #expect(base.nanoseconds(ticks: .max) == .max && base.nanoseconds(ticks: .min) == .min)
        }
        let fine = TimeBase(1, .max)
        #expect(fine.ticks(at: MediaTime(nanoseconds: .max)) == .max && fine.ticks(at: MediaTime(nanoseconds: .min)) == .min)
        // The largest that fits.
        #expect(seconds.nanoseconds(ticks: 9_223_372_036) == 9_223_372_036_000_000_000)
        #expect(seconds.nanoseconds(ticks: 9_223_372_037) == .max)
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 25), (25, -1), (0, 0), (.min, .min)] as [(Int32, Int32)])
    func aBrokenBaseIsMicroseconds(_ numerator: Int32, _ denominator: Int32) {
        #expect(TimeBase(numerator, denominator) == TimeBase(1, 1_000_000))
    }

    @Test func sumsAndDifferencesStopAtTheEnds() {
        let first = MediaTime(nanoseconds: .min), last = MediaTime(nanoseconds: .max), one = TimeSpan(nanoseconds: 1)
        #expect(first - one == first && last + one == last)
        #expect(last - first == TimeSpan(nanoseconds: .max) && first - last == TimeSpan(nanoseconds: .min))
        #expect(first - MediaTime(nanoseconds: 1) == TimeSpan(nanoseconds: .min))
        let host = HostTime(nanoseconds: .max)
        #expect(host + one == host && HostTime(nanoseconds: .min) - one == HostTime(nanoseconds: .min))
        #expect(host - HostTime(nanoseconds: -5) == TimeSpan(nanoseconds: .max))
        let longest = TimeSpan(nanoseconds: .max), shortest = TimeSpan(nanoseconds: .min)
        #expect(longest + one == longest && shortest - one == shortest && -shortest == longest && -longest < .zero)
    }

    /// Stamps of a broken file lie as far apart as can be: that must not look like a negative distance, which is below every bound.
    @Test func theMagnitudeIsNeverNegative() {
        #expect(TimeSpan(nanoseconds: -7).magnitude == TimeSpan(nanoseconds: 7))
        #expect(TimeSpan(nanoseconds: .max).magnitude == TimeSpan(nanoseconds: .max))
        #expect(TimeSpan(nanoseconds: .min).magnitude == TimeSpan(nanoseconds: .max))
        #expect((MediaTime(nanoseconds: .min) - MediaTime(nanoseconds: .max)).magnitude > .seconds(1))
    }

    @Test func secondsAreRoundedAndNeverTrap() {
        #expect(TimeSpan.seconds(0.1).nanoseconds == 100_000_000 && TimeSpan.milliseconds(1.5).nanoseconds == 1_500_000)
        #expect(TimeSpan.seconds(1e-9 / 2).nanoseconds == 1 && TimeSpan.seconds(-1e-9 / 2).nanoseconds == -1)
        #expect(TimeSpan.seconds(.nan) == .zero && MediaTime.seconds(.nan) == .zero)
        for huge in [Double.infinity, .greatestFiniteMagnitude, 1e10] {
            #expect(TimeSpan.seconds(huge).nanoseconds == 9_200_000_000_000_000_000)
            #expect(TimeSpan.seconds(-huge).nanoseconds == -9_200_000_000_000_000_000)
            #expect(MediaTime.seconds(huge) + .seconds(huge) == MediaTime(nanoseconds: .max))
        }
        #expect(TimeSpan.seconds(3).scaled(by: 0.5) == .seconds(1.5) && TimeSpan.seconds(3).scaled(by: .infinity) > .seconds(9e9))
        #expect(TimeSpan.zero.scaled(by: .infinity) == .zero)
        #expect(TimeSpan.milliseconds(40).seconds == 0.04 && TimeSpan.seconds(0.04).milliseconds == 40)
    }

    @Test func aManualClockMovesOnlyWhenTold() {
        let time = ManualTime(HostTime(nanoseconds: 5))
        #expect(time.now() == HostTime(nanoseconds: 5))
        time.advance(by: .milliseconds(3))
        #expect(time.now() == HostTime(nanoseconds: 3_000_005) && time.now() == time.now())
        let system = SystemTime()
        let first = system.now()
        #expect(system.now() >= first && first > HostTime(nanoseconds: 0))
    }
}

/// A point in a file, as the command line names it.
@Suite struct TimePointTests {
    @Test(arguments: [
        ("90", 90), ("1:30", 90), ("0:05", 5), ("1:02:03.5", 3723.5), ("90:00", 5400), ("100:00:00", 360_000), (".5", 0.5),
        ("0", 0),
    ])
    func anOffset(_ text: String, _ seconds: Double) {
        #expect(TimePoint(text) == .offset(.seconds(seconds)))
        #expect(TimePoint("-" + text) == .beforeEnd(.seconds(seconds)))
    }

    @Test(arguments: [
        "", "-", "--1", ":", "1:", ":30", "1:90", "1:60:00", "1:2:3:4", "1e3", "inf", "nan", "+5", " 5", "5 ", "1.5:30", "101%",
        "-5%%", "%",
        "-50%", "٣", "1..5", "99999999999999999999",
    ])
    func whatIsNone(_ text: String) { #expect(TimePoint(text) == nil) }

    @Test func aPointLiesInsideTheFile() throws {
        let start = MediaTime.seconds(10), duration = TimeSpan.seconds(100)
        #expect(TimePoint("50%")?.time(start: start, duration: duration) == .seconds(60))
        #expect(TimePoint("-30")?.time(start: start, duration: duration) == .seconds(80))
        #expect(TimePoint("-300")?.time(start: start, duration: duration) == start)
        #expect(TimePoint("5")?.time(start: start, duration: nil) == .seconds(15))
        #expect(try #require(TimePoint("50%")).time(start: start, duration: nil) == nil)
        #expect(try #require(TimePoint("-5")).time(start: start, duration: nil) == nil)
    }
}
