import AetherCore
import Glibc

/// The recorded rates of a link, from a file in one of the formats in which such records are published. Hostile input is refused, and
/// bounded.
public struct LinkTrace: Sendable, Equatable {
    /// The stretches of the record in the order of time.
    public let periods: [AdaptationSimulation.Period]

    /// Two days in steps of a second, and twice as many.
    static let limit = 400_000

    /// Reads Sabre's JSON (`duration_ms`, `bandwidth_kbps`, `latency_ms`), two columns of seconds and Mbit/s (Pensieve), or the six of the 3G
    /// commute logs of the University of Oslo (time in s and ms, two of the place, bytes, ms). nil for anything else.
    public init?(_ bytes: [UInt8]) {
        let first = bytes.first { !UTF8.isSpace($0) }
        guard let periods = first == UInt8(ascii: "[") ? Self.list(bytes) : Self.columns(bytes), !periods.isEmpty else {
            return nil
        }
        self.periods = periods
    }

    private static func list(_ bytes: [UInt8]) -> [AdaptationSimulation.Period]? {
        do throws(JSON.Flaw) {
            guard let values = try JSON(bytes).values, values.count <= limit else { return nil }
            var periods: [AdaptationSimulation.Period] = []
            for value in values {
                guard let duration = value["duration_ms"]?.number, let rate = value["bandwidth_kbps"]?.number,
                    let period = AdaptationSimulation.Period(
                        duration: duration / 1000, rate: rate * 1000, latency: (value["latency_ms"]?.number ?? 0) / 1000)
                else { return nil }
                periods.append(period)
            }
            return periods
        } catch {
            return nil
        }
    }

    private static func columns(_ bytes: [UInt8]) -> [AdaptationSimulation.Period]? {
        var periods: [AdaptationSimulation.Period] = [], last: Double?
        for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            let words = String(decoding: line.prefix(400), as: UTF8.self).split(whereSeparator: { " \t,".contains($0) })
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            let numbers = words.compactMap { Double($0) }
            guard numbers.count == words.count, periods.count < limit else { return nil }
            let period: AdaptationSimulation.Period?
            switch numbers.count {
            case 2:
                // A line says what came since the one before.
                defer { last = numbers[0] }
                guard let last else { continue }
                guard numbers[0] > last else { return nil }
                period = .init(duration: numbers[0] - last, rate: numbers[1] * 1_000_000, latency: 0)
            case 6...:
                guard numbers[5] > 0 else { continue }
                period = .init(duration: numbers[5] / 1000, rate: numbers[4] * 8000 / numbers[5], latency: 0)
            default: return nil
            }
            guard let period else { return nil }
            periods.append(period)
        }
        return periods
    }
}

extension UTF8 {
    fileprivate static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
