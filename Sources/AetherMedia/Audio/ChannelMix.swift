import AetherCore
import Glibc

/// The shares of each source channel in every channel of a device. Pure.
///
/// A channel that the device has goes there untouched. Others go to their nearest neighbours (side to back, back to side, then to
/// the front, the centre to left and right) at the levels of ITU-R BS.775. Where the loudest sum of a front speaker could go beyond full
/// scale, `Downmix.safe` lowers everything alike, so that nothing clips and the balance stays; surround speakers that two pairs share
/// are lowered alone. `Downmix.loud` keeps left and right as loud as a stereo recording is, and leaves the peaks to a limiter.
struct ChannelMix: Sendable, Equatable {
    let inputs: Int
    let outputs: Int
    /// Row by row: for each output the weights of all inputs.
    private(set) var weights: [Double]

    /// Channels without a known position go round the outputs in turn.
    init(from source: [AudioChannel], to target: [AudioChannel], levels: MixLevels = MixLevels()) {
        (inputs, outputs) = (source.count, target.count)
        weights = [Double](repeating: 0, count: source.count * target.count)
        for (input, channel) in source.enumerated() {
            for share in ChannelMix.shares(of: channel, in: source, to: target, levels: levels) {
                guard let output = target.firstIndex(of: share.to) else { continue }
                weights[output * inputs + input] += share.weight
            }
        }
        if source.contains(.unknown) || target.contains(.unknown) { mixByPosition(source, target) }
        normalise(source, target, levels.downmix)
    }

    /// Whether nothing has to be mixed or moved.
    var isIdentity: Bool {
        inputs == outputs && weights.indices.allSatisfy { weights[$0] == ($0 / inputs == $0 % inputs ? 1 : 0) }
    }

    private static let partners: [AudioChannel: AudioChannel] = [
        .backLeft: .sideLeft, .sideLeft: .backLeft, .backRight: .sideRight, .sideRight: .backRight,
    ]
    private typealias Share = (to: AudioChannel, weight: Double)

    private static func gain(_ decibels: Double) -> Double { decibels.isNaN ? 0 : pow(10, min(max(decibels, -120), 20) / 20) }

    private static func shares(
        of channel: AudioChannel, in source: [AudioChannel], to target: [AudioChannel], levels: MixLevels
    ) -> [Share] {
        if target.contains(channel) {
            // A neighbour without a speaker joins here: both share it.
            let guest = partners[channel].map { source.contains($0) && !target.contains($0) } ?? false
            return channel == .unknown ? [] : [(channel, guest ? 0.5.squareRoot() : 1)]
        }
        for option in neighbours(of: channel, in: source, levels: levels) where option.allSatisfy({ target.contains($0.to) }) {
            return option
        }
        return []
    }

    /// The speakers for a channel without its own, best first. Halves of a channel are 3 dB down: two of them are as loud as the one.
    private static func neighbours(of channel: AudioChannel, in source: [AudioChannel], levels: MixLevels) -> [[Share]] {
        let half = 0.5.squareRoot()
        let surround = gain(levels.surroundDecibels)
        // Back and side on one pair of speakers share it.
        let pair = source.contains(.sideLeft) && source.contains(.backLeft) ? half : 1
        switch channel {
        case .frontCenter:
            // Mono is as loud on two speakers as stereo with the same signal on both.
            let center = source.count == 1 ? 1 : gain(levels.centerDecibels)
            return [[(.frontLeft, center), (.frontRight, center)]]
        case .frontLeft, .frontRight: return [[(.frontCenter, 1)]]
        case .lowFrequency:
            guard let decibels = levels.lowFrequencyDecibels else { return [] }
            return [[(.frontLeft, gain(decibels)), (.frontRight, gain(decibels))], [(.frontCenter, gain(decibels))]]
        case .backLeft: return [[(.sideLeft, pair)], [(.frontLeft, surround * pair)], [(.frontCenter, surround * pair)]]
        case .backRight: return [[(.sideRight, pair)], [(.frontRight, surround * pair)], [(.frontCenter, surround * pair)]]
        case .sideLeft: return [[(.backLeft, pair)], [(.frontLeft, surround * pair)], [(.frontCenter, surround * pair)]]
        case .sideRight: return [[(.backRight, pair)], [(.frontRight, surround * pair)], [(.frontCenter, surround * pair)]]
        case .backCenter:
            let front = surround * half
            return [
                [(.backLeft, half), (.backRight, half)], [(.sideLeft, half), (.sideRight, half)],
                [(.frontLeft, front), (.frontRight, front)], [(.frontCenter, front)],
            ]
        case .frontLeftOfCenter: return [[(.frontLeft, half), (.frontCenter, half)], [(.frontLeft, 1)], [(.frontCenter, 1)]]
        case .frontRightOfCenter: return [[(.frontRight, half), (.frontCenter, half)], [(.frontRight, 1)], [(.frontCenter, 1)]]
        case .topFrontLeft: return [[(.frontLeft, surround)], [(.frontCenter, surround)]]
        case .topFrontRight: return [[(.frontRight, surround)], [(.frontCenter, surround)]]
        case .topBackLeft:
            return [[(.backLeft, surround)], [(.sideLeft, surround)], [(.frontLeft, surround)], [(.frontCenter, surround)]]
        case .topBackRight:
            return [[(.backRight, surround)], [(.sideRight, surround)], [(.frontRight, surround)], [(.frontCenter, surround)]]
        case .topCenter, .topFrontCenter, .topBackCenter:
            return [[(.frontLeft, surround * half), (.frontRight, surround * half)], [(.frontCenter, surround * half)]]
        case .unknown: return []
        }
    }

    private mutating func mixByPosition(_ source: [AudioChannel], _ target: [AudioChannel]) {
        guard outputs > 0 else { return }
        for input in 0..<inputs where !(0..<outputs).contains(where: { weights[$0 * inputs + input] != 0 }) {
            // The bass is left out on purpose, not for want of a name.
            if source[input] == .lowFrequency { continue }
            weights[(input % outputs) * inputs + input] = 1
        }
    }

    /// Whether full-scale channels could add up beyond full scale.
    var mayExceed: Bool { (0..<outputs).contains { sum(of: $0) > 1 + 1e-6 } }

    private func sum(of output: Int, where isCounted: (Int) -> Bool = { _ in true }) -> Double {
        (0..<inputs).reduce(0) { isCounted($1) ? $0 + abs(weights[output * inputs + $1]) : $0 }
    }

    private static let surrounds: Set<AudioChannel> = [.sideLeft, .sideRight, .backLeft, .backRight, .backCenter]

    private mutating func normalise(_ source: [AudioChannel], _ target: [AudioChannel], _ downmix: Downmix) {
        guard inputs > 0 else { return }
        let behind = target.indices.filter { Self.surrounds.contains(target[$0]) }
        let inFront = target.indices.filter { !Self.surrounds.contains(target[$0]) }
        switch downmix {
        case .safe:
            let loudest = max(1, inFront.map { sum(of: $0) }.max() ?? 1)
            scale(inFront, by: 1 / loudest)
            scale(behind, by: 1 / max(loudest, behind.map { sum(of: $0) }.max() ?? 1))
        case .loud:
            // Channels without a name were mixed by no known recommendation: they stay below full scale.
            let programme: Set<AudioChannel> = [.frontLeft, .frontRight, .unknown]
            let loudest = target.indices.map { sum(of: $0) { programme.contains(source[$0]) } }.max() ?? 1
            scale(Array(target.indices), by: 1 / max(1, loudest))
        }
    }

    private mutating func scale(_ rows: [Int], by factor: Double) {
        for row in rows { for input in 0..<inputs { weights[row * inputs + input] *= factor } }
    }
}
