import AetherCore
import Testing

@testable import AetherMedia

@Suite struct ChannelMixTests {
    private let stereo = AudioChannel.usual(2)
    private let surround = AudioChannel.usual(6)
    private let half = 0.5.squareRoot()
    private let safe = MixLevels(downmix: .safe)

    /// The weights of one output, before everything was lowered alike.
    private func row(_ mix: ChannelMix, _ output: Int) -> [Double] {
        Array(mix.weights[output * mix.inputs..<(output + 1) * mix.inputs])
    }

    private func expect(_ mix: ChannelMix, _ rows: [[Double]], isLowered: Bool = true) {
        let loudest = !isLowered ? 1 : max(1, rows.map { $0.reduce(0, +) }.max() ?? 1)
        for (index, wanted) in rows.enumerated() {
            let got = row(mix, index)
            #expect(got.count == wanted.count && zip(got, wanted).allSatisfy { abs($0 - $1 / loudest) < 1e-3 }, "\(got)")
        }
    }

    @Test func whatTheDeviceHasGoesThereUntouched() {
        for count in 1...8 { #expect(ChannelMix(from: AudioChannel.usual(count), to: AudioChannel.usual(count)).isIdentity) }
        // Odd orders are followed.
        let card: [AudioChannel] = [.frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency]
        let mix = ChannelMix(from: surround, to: card)
        #expect(mix.isIdentity == false)
        for (output, channel) in card.enumerated() {
            #expect(row(mix, output) == surround.map { $0 == channel ? 1 : 0 })
        }
    }

    @Test func monoIsAsLoudAsStereo() { expect(ChannelMix(from: [.frontCenter], to: stereo, levels: safe), [[1], [1]]) }

    @Test func stereoToMonoIsTheMean() { expect(ChannelMix(from: stereo, to: [.frontCenter], levels: safe), [[1, 1]]) }

    @Test func surroundToStereoAsBS775() {
        let c = 0.7079, s = 0.7079
        expect(ChannelMix(from: surround, to: stereo, levels: safe), [[1, 0, c, 0, s, 0], [0, 1, c, 0, 0, s]])
        let side: [AudioChannel] = [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight]
        expect(ChannelMix(from: side, to: stereo, levels: safe), [[1, 0, c, 0, s, 0], [0, 1, c, 0, 0, s]])
    }

    @Test func dialogueAndBassAtTheirLevels() {
        let levels = MixLevels(centerDecibels: 0, surroundDecibels: -6.0206, lowFrequencyDecibels: -20, downmix: .safe)
        expect(ChannelMix(from: surround, to: stereo, levels: levels), [[1, 0, 1, 0.1, 0.5, 0], [0, 1, 1, 0.1, 0, 0.5]])
    }

    /// A channel that shares its speakers is lowered alone: nothing else changes.
    @Test(arguments: [(Downmix.safe, 0.5), (.loud, 0.7071)])
    func eightChannelsShareFiveSpeakers(_ downmix: Downmix, _ share: Double) {
        let mix = ChannelMix(from: AudioChannel.usual(8), to: surround, levels: MixLevels(downmix: downmix))
        expect(
            mix,
            [
                [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0],
                [0, 0, 0, 0, share, 0, share, 0], [0, 0, 0, 0, 0, share, 0, share],
            ], isLowered: false)
        #expect(mix.mayExceed == (downmix == .loud))
    }

    /// Left and right of a film with more channels are as loud as those of a stereo film; 7.7 dB of 5.1 were lost.
    @Test func loudIsAsLoudAsStereo() {
        let c = 0.7079
        let mix = ChannelMix(from: surround, to: stereo)
        expect(mix, [[1, 0, c, 0, c, 0], [0, 1, c, 0, 0, c]], isLowered: false)
        #expect(mix.mayExceed && !ChannelMix(from: surround, to: stereo, levels: safe).mayExceed)
        expect(ChannelMix(from: stereo, to: [.frontCenter]), [[0.5, 0.5]], isLowered: false)
        expect(ChannelMix(from: [.frontCenter], to: stereo), [[1], [1]], isLowered: false)
        expect(ChannelMix(from: [.unknown, .unknown, .unknown], to: stereo), [[0.5, 0, 0.5], [0, 0.5, 0]], isLowered: false)
    }

    @Test func sixPointOneGoesToSidesAndRear() {
        let card: [AudioChannel] = [
            .frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
        ]
        let source: [AudioChannel] = [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter, .sideLeft, .sideRight]
        for downmix in Downmix.allCases {
            let mix = ChannelMix(from: source, to: card, levels: MixLevels(downmix: downmix))
            for (output, channel) in card.enumerated() {
                let isRear = channel == .backLeft || channel == .backRight
                #expect(row(mix, output) == source.map { $0 == channel ? 1 : isRear && $0 == .backCenter ? half : 0 })
            }
        }
    }

    @Test func sideAndBackStandInForEachOther() {
        let side: [AudioChannel] = [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight]
        let mix = ChannelMix(from: side, to: surround)
        #expect(mix.isIdentity)
    }

    /// No sum of full-scale channels goes beyond full scale, and no channel but the bass is lost, whatever is asked for.
    @Test func nothingClipsAndNothingIsLost() {
        let named = AudioChannel.allCases.filter { $0 != .unknown }
        let sources =
            (1...8).map { AudioChannel.usual($0) } + [named] + named.map { [$0] } + named.map { [.frontLeft, .frontRight, $0] }
        let targets = (1...8).map { AudioChannel.usual($0) }
        for source in sources {
            for target in targets {
                let mix = ChannelMix(from: source, to: target, levels: safe)
                for output in 0..<mix.outputs { #expect(row(mix, output).reduce(0) { $0 + abs($1) } <= 1 + 1e-9) }
                for (input, channel) in source.enumerated() where channel != .lowFrequency {
                    #expect(
                        (0..<mix.outputs).contains { row(mix, $0)[input] > 0 }, "\(channel) of \(source.count) to \(target.count)"
                    )
                }
            }
        }
    }

    @Test func channelsWithoutANameGoRoundTheSpeakers() {
        let mix = ChannelMix(from: [.unknown, .unknown, .unknown], to: stereo, levels: safe)
        expect(mix, [[1, 0, 1], [0, 1, 0]])
    }

    @Test func hostileLevelsStayFinite() {
        let levels = MixLevels(centerDecibels: .infinity, surroundDecibels: .nan, lowFrequencyDecibels: 1e9, downmix: .safe)
        #expect(ChannelMix(from: surround, to: stereo, levels: levels).weights.allSatisfy { $0.isFinite && $0 <= 1 })
    }
}
