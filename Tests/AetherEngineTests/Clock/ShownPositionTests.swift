import AetherCore
import Testing

@testable import AetherEngine

/// A file from 0:10 that says that it lasts for 60 s.
struct ShownPositionTests {
    @Test(arguments: [
        (5.0, nil as Double?, 10.0), (10, nil, 10), (69.9, nil, 69.9), (70.3, nil, 70), (72, nil, 72),
        // Everything has been read: the clock alone runs on.
        (72, 69.96, 70), (72, 70.2, 70), (72, 75, 72), (80, 75, 75), (30, 69.96, 30),
    ])
    func theClockIsFollowedAsFarAsThereIsSomething(_ time: Double, _ end: Double?, _ shown: Double) {
        let position = ShownPosition.of(
            .seconds(time), from: .seconds(10), duration: .seconds(60), end: end.map { MediaTime.seconds($0) })
        #expect(position == .seconds(shown))
    }

    @Test func aSourceOfUnknownLengthIsFollowed() {
        #expect(ShownPosition.of(.seconds(100), from: .zero, duration: nil, end: .seconds(50)) == .seconds(100))
    }
}
