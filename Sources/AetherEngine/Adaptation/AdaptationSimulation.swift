public import AetherCore
import Glibc

/// Plays a ladder of variants over a recorded link, without media and without time: the choices that adaptation would make, and the quality
/// and stalls of the result.
public struct AdaptationSimulation: Sendable {
    /// A stretch of a link that stays as it is.
    public struct Period: Sendable, Equatable {
        /// Seconds; positive.
        public let duration: Double
        /// Bits a second; 0 for an outage.
        public let rate: Double
        /// Seconds between a request and its first byte.
        public let latency: Double

        /// A part of the record; nil for impossible numbers.
        public init?(duration: Double, rate: Double, latency: Double) {
            guard duration.isFinite, rate.isFinite, latency.isFinite, duration > 0, rate >= 0, (0...600).contains(latency) else {
                return nil
            }
            (self.duration, self.rate, self.latency) = (duration, rate, latency)
        }
    }

    /// One choice: the segment that was requested.
    public struct Step: Sendable, Equatable {
        /// Seconds since the start.
        public let time: Double
        /// The link's rate at that time, and the estimate of it; bits a second.
        public let link, estimate: Double?
        /// Seconds that were held.
        public let buffer: Double
        /// The variant's place in the ladder that was given, and its bits a second.
        public let variant: Int, rate: Double
        /// The rule.
        public let reason: AdaptationReason
        /// The segment was given up before its end.
        public var isGivenUp = false
    }

    /// Sums over the whole play.
    public struct Totals: Sendable, Equatable {
        /// The mean bit rate of the segments that were watched, in bits a second.
        public internal(set) var meanBitRate = 0.0
        /// The mean logarithm of the rate against that of the lowest variant (BOLA's utility).
        public internal(set) var meanUtility = 0.0
        /// The number of stalls, and their seconds in all; without the start.
        public internal(set) var stalls = 0, stalledTime = 0.0
        /// Changes from one watched segment to the next.
        public internal(set) var switches = 0
        /// Seconds until the first frame, and of media in all.
        public internal(set) var startUp = 0.0, mediaTime = 0.0
    }

    /// The choices in the order of time.
    public private(set) var steps: [Step] = []
    /// Over all.
    public private(set) var totals = Totals()

    private let variants: [MediaVariant]
    private let sizes: [[Double]]
    private let segment: Double
    private let adapts: Bool
    private var link: LinkPlayback
    private var buffer = 0.0
    private var hasStarted = false
    private static let capacity = 30.0

    /// Plays `count` segments of `segment` seconds. `sizes`: bits of each segment by variant and number, repeated from the start where the
    /// list is shorter; empty: from the variants' rates. The link begins anew at its end. Stops where the link gives nothing for an hour.
    public init(
        _ variants: [MediaVariant], sizes: [[Double]] = [], segment: Double, count: Int, link periods: [Period],
        window: PixelSize? = nil, options: AdaptationOptions = AdaptationOptions()
    ) {
        (self.variants, self.sizes, self.segment, adapts) = (variants, sizes, segment, options.isOn)
        link = LinkPlayback(periods)
        guard !variants.isEmpty, segment > 0, link.carriesAnything else { return }
        let ladder = AdaptationLadder(variants, window: window, limits: options.limits)
        guard let first = options.first(of: variants, window: window, isRemote: true, decoding: .unlimited) else { return }
        var adaptation = Adaptation(ladder, active: first), estimate = LinkEstimate()
        var watched: [Int] = [], reason = AdaptationReason.unknown
        for number in 0..<max(0, count) {
            guard let place = variants.firstIndex(where: { $0.id == adaptation.active }) else { break }
            fetch(number, place, reason, &adaptation, &estimate, into: &watched)
            if link.isDead { break }
            if options.isOn {
                reason = adaptation.decide(now, situation(estimate)).reason
            }
        }
        sum(watched)
    }

    private var now: HostTime { HostTime(nanoseconds: Int64(link.time * 1e9)) }

    private func situation(_ estimate: LinkEstimate) -> Adaptation.Situation {
        Adaptation.Situation(
            buffer: .seconds(buffer), capacity: .seconds(Self.capacity), link: estimate.rate, latency: .seconds(link.latency),
            segment: .seconds(segment))
    }

    private func bits(_ variant: Int, _ number: Int) -> Double {
        guard sizes.indices.contains(variant), !sizes[variant].isEmpty else { return variants[variant].adaptationRate * segment }
        return sizes[variant][number % sizes[variant].count]
    }

    /// One segment, in another variant where it is given up.
    private mutating func fetch(
        _ number: Int, _ first: Int, _ why: AdaptationReason, _ adaptation: inout Adaptation, _ estimate: inout LinkEstimate,
        into watched: inout [Int]
    ) {
        var place = first, reason = why
        // A full buffer has no room for it yet.
        if buffer + segment > Self.capacity { pass(buffer + segment - Self.capacity) }
        while true {
            steps.append(
                Step(
                    time: link.time, link: link.rate, estimate: estimate.rate, buffer: buffer, variant: place,
                    rate: variants[place].peakBitRate ?? 0, reason: reason))
            pass(link.latency)
            let begin = link.time, size = bits(place, number)
            var done = 0.0, given: Adaptation.Decision?
            while done < size, !link.isDead {
                let (bits, span) = link.transfer(size - done, atMost: 0.25)
                done += bits
                play(span)
                let load = Adaptation.Load(
                    elapsed: .seconds(link.time - begin), bytes: Int64(done / 8), size: Int64(size / 8),
                    duration: .seconds(segment))
                guard adapts, done < size, let decision = adaptation.decide(now, situation(estimate), load) else { continue }
                given = decision
                break
            }
            estimate.add(LinkSample(bytes: Int64(done / 8), span: .seconds(link.time - begin)))
            guard let given, let other = variants.firstIndex(where: { $0.id == given.variant }) else { break }
            steps[steps.count - 1].isGivenUp = true
            (place, reason) = (other, given.reason)
        }
        if !hasStarted { (hasStarted, totals.startUp) = (true, link.time) }
        buffer += segment
        watched.append(place)
    }

    /// Time passes without bytes.
    private mutating func pass(_ seconds: Double) {
        link.pass(seconds)
        play(seconds)
    }

    /// Plays media out of the buffer; playback stalls where the buffer is empty.
    private mutating func play(_ seconds: Double) {
        guard hasStarted, seconds > 0 else { return }
        if buffer < seconds {
            if buffer > 0 || totals.stalls == 0 { totals.stalls += 1 }
            totals.stalledTime += seconds - buffer
        }
        buffer = max(0, buffer - seconds)
    }

    private mutating func sum(_ watched: [Int]) {
        guard !watched.isEmpty, let lowest = variants.map(\.adaptationRate).min() else { return }
        let rates = watched.map { variants[$0].adaptationRate }
        totals.meanBitRate = rates.reduce(0, +) / Double(rates.count)
        totals.meanUtility = rates.map { log($0 / lowest) }.reduce(0, +) / Double(rates.count)
        totals.switches = zip(watched, watched.dropFirst()).count { $0 != $1 }
        totals.mediaTime = Double(watched.count) * segment
    }
}

/// A recorded link as it is used: it begins anew at its end.
private struct LinkPlayback: Sendable {
    private let periods: [AdaptationSimulation.Period]
    private var index = 0, left: Double
    private(set) var time = 0.0
    /// Since the last bit.
    private var silence = 0.0

    init(_ periods: [AdaptationSimulation.Period]) {
        self.periods = periods
        left = periods.first?.duration ?? 0
    }

    var carriesAnything: Bool { periods.contains { $0.rate > 0 } }
    var rate: Double { periods[index].rate }
    var latency: Double { periods[index].latency }
    /// Nothing has come for an hour.
    var isDead: Bool { silence > 3600 }

    mutating func pass(_ seconds: Double) {
        var rest = seconds
        while rest > 0 {
            let step = min(rest, left)
            advance(step)
            rest -= step
        }
    }

    /// Transfers so many bits, for a time at most. Returns the bits and the time that it took.
    mutating func transfer(_ bits: Double, atMost longest: Double) -> (bits: Double, span: Double) {
        let step = min(left, longest, rate > 0 ? bits / rate : longest)
        let moved = min(bits, rate * step)
        silence = moved > 0 ? 0 : silence + step
        advance(max(step, 1e-6))
        // The last bit of a double is not worth a step of its own.
        return (bits - moved < 1 ? bits : moved, step)
    }

    private mutating func advance(_ seconds: Double) {
        time += seconds
        left -= seconds
        if left <= 1e-9 {
            index = (index + 1) % periods.count
            left = periods[index].duration
        }
    }
}
