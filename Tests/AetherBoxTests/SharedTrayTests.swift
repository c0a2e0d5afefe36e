import Glibc
import Testing

@testable import AetherBox

/// Long contents of messages in memory that both sides share, and how much of a source is asked for at once.
struct SharedTrayTests {
    @Test func eachSideReadsWhatTheOtherHasWritten() throws {
        let (player, descriptor) = try #require(SharedTray.make())
        let worker = try #require(SharedTray(descriptor, side: .worker))
        close(descriptor)
        player.own[7] = 1
        worker.own[7] = 2
        #expect(worker.other[7] == 1 && player.other[7] == 2)
        #expect(player.own.count == SharedTray.halfBytes && player.other.count == SharedTray.halfBytes)
        player.own[SharedTray.halfBytes - 1] = 3
        #expect(worker.other[SharedTray.halfBytes - 1] == 3 && worker.own[0] == 0)
    }

    @Test func nobodyMakesItSmaller() throws {
        let (_, descriptor) = try #require(SharedTray.make())
        defer { close(descriptor) }
        #expect(ftruncate(descriptor, 0) == -1 && errno == EPERM)
    }

    @Test func noTrayOfADescriptorThatThereIsNot() { #expect(SharedTray(-1, side: .worker) == nil) }

    /// A step of reading: so many bytes are wanted; so many are asked for; so many come.
    struct Step: Sendable {
        let wanted: Int
        let asked: Int
        let came: Int
    }

    @Test(arguments: [
        // Reading on doubles what is asked for, up to the most.
        (
            1000,
            [
                Step(wanted: 64, asked: 64, came: 64), Step(wanted: 64, asked: 128, came: 128),
                Step(wanted: 64, asked: 256, came: 256),
            ]
        ),
        (
            100,
            [
                Step(wanted: 64, asked: 64, came: 64), Step(wanted: 64, asked: 100, came: 100),
                Step(wanted: 64, asked: 100, came: 100),
            ]
        ),
        // More than that is asked for where it is wanted.
        (100, [Step(wanted: 300, asked: 300, came: 300), Step(wanted: 300, asked: 300, came: 300)]),
        // A source that gives what it has is not asked for more.
        (
            1000,
            [
                Step(wanted: 64, asked: 64, came: 20), Step(wanted: 64, asked: 64, came: 64),
                Step(wanted: 10, asked: 128, came: 128),
            ]
        ),
        // One that may take a while neither.
        (0, [Step(wanted: 64, asked: 64, came: 64), Step(wanted: 64, asked: 64, came: 64)]),
    ])
    func asMuchIsAskedForAsReadingGoesOn(_ most: Int, _ steps: [Step]) {
        var ahead = ReadAhead(most: most)
        for step in steps {
            let asked = ahead.wish(for: step.wanted)
            #expect(asked == step.asked)
            ahead.take(step.came, of: asked)
            #expect(ahead.left == 0..<step.came)
            ahead.left = step.came..<step.came
        }
    }

    @Test func readingElsewhereBeginsAnew() {
        var ahead = ReadAhead(most: 1000)
        ahead.take(64, of: 64)
        ahead.leave()
        #expect(ahead.left.isEmpty && ahead.wish(for: 64) == 64)
    }
}
