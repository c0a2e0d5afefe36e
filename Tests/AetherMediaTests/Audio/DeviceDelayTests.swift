import Testing

@testable import AetherMedia

@Suite struct DeviceDelayTests {
    @Test(arguments: [
        // A card's own figures, and those of one with a latency of its own.
        (8000, 8000, 8000), (12_000, 8000, 12_000),
        // A server asks a period at a time: its clock is ahead of the ring by as much.
        (7600, 8600, 7600), (6700, 8600, 6700), (4300, 8600, 4300),
        // The clock runs although nothing is taken.
        (4200, 8600, 8600), (0, 8600, 8600), (0, 4400, 4400), (-500, 8600, 8600), (-5, 0, 0), (0, 0, 0),
    ])
    func whatLiesInTheRingWasNotHeard(reported: Int, queued: Int, frames: Int) {
        #expect(DeviceDelay.frames(reported: reported, queued: queued, ring: 8640, period: 960) == frames)
    }

    /// As recorded behind ALSA's pulse plugin on a null sink of its first second: milliseconds since the start, frames written, delay and room.
    @Test func aFreshNullSinkIsPlacedByItsRing() {
        let answers = [
            (60.7, 8624, 5702, 16), (171.8, 8624, 374, 16), (787.0, 8624, 0, 16), (1188.3, 8624, 0, 16),
            (1389.1, 14_386, 0, 1936), (1589.9, 23_995, 0, 1938), (1991.3, 43_210, 0, 1938), (2593.9, 72_038, 6298, 1938),
        ]
        let positions = answers.map { time, written, delay, room in
            let heard = written - DeviceDelay.frames(reported: delay, queued: 8640 - room, ring: 8640, period: 960)
            return (time, Double(heard) / 48)
        }
        // Nothing is heard while the server takes nothing, and then all is where it turns out to be in the end.
        #expect(positions.filter { (100...1200).contains($0.0) }.allSatisfy { $0.1 <= 1 })
        let starts = positions.filter { $0.0 > 1300 }.map { $0.0 - $0.1 }
        #expect((starts.max() ?? 0) - (starts.min() ?? 0) < 10, "\(starts)")
    }
}
