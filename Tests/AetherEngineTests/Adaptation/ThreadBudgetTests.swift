import AetherCore
import Testing

@testable import AetherEngine

/// The threads of a decoder, by machine and stream.
@Suite struct ThreadBudgetTests {
    private static let hd = PixelSize(width: 1920, height: 1080), uhd = PixelSize(width: 3840, height: 2160)

    @Test(arguments: [
        // One and two cores have no choice.
        (1, "av1", uhd, 60.0 as Double?, 1), (2, "av1", uhd, 60, 2), (2, "h264", PixelSize(width: 320, height: 240), 25, 2),
        // Small video has two threads, however large the machine.
        (16, "h264", PixelSize(width: 720, height: 576), 25, 2), (64, "h264", hd, 24, 2),
        // A costly codec has the threads that it needs.
        (16, "h264", hd, 60, 3), (16, "h264", uhd, 24, 4), (16, "hevc", uhd, 24, 5), (16, "hevc", uhd, 60, 12),
        (16, "av1", uhd, 60, 15), (64, "av1", uhd, 60, 15), (64, "vvc", uhd, 60, 16), (64, "prores", uhd, 24, 8),
        // And no more than there is.
        (4, "hevc", uhd, 60, 4), (8, "av1", uhd, 60, 8),
        // A rate that is not stated is 30, and codecs that are not known are as costly as HEVC.
        (16, "h264", uhd, nil, 5), (16, "wmv3", hd, 60, 3),
    ])
    func aStreamHasTheThreadsThatItNeeds(_ cores: Int, _ codec: String, _ size: PixelSize, _ rate: Double?, _ threads: Int) {
        #expect(ThreadBudget(cores: cores, codec: codec, size: size, frameRate: rate).threads == threads)
    }

    @Test func whatIsNotStatedIsTakenAsUsual() {
        #expect(ThreadBudget(cores: 16, codec: "hevc", size: nil, frameRate: nil).threads == 2)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0, 1e300])
    func aNonsensicalRateIsBounded(_ rate: Double) {
        let vast = PixelSize(width: Int(Int32.max), height: Int(Int32.max))
        #expect(ThreadBudget(cores: 16, codec: "h264", size: vast, frameRate: rate).threads == 16)
        #expect((1...16).contains(ThreadBudget(cores: 16, codec: "h264", size: Self.hd, frameRate: rate).threads))
        #expect(ThreadBudget(cores: 0, codec: "h264", size: Self.hd, frameRate: rate).threads == 1)
    }

    @Test func theMachineSaysHowManyCoresThisProcessMayUse() {
        #expect(Machine.cores >= 1)
    }
}
