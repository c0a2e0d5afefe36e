import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// The packets of which another decoder makes what is missing.
@Suite struct ReplayMemoryTests {
    private func times(_ memory: ReplayMemory) -> [Int64] { memory.packets.compactMap(\.ptsTicks) }

    private func noteOut(_ memory: inout ReplayMemory, _ milliseconds: Int64) {
        memory.noteOut(MediaTime(nanoseconds: milliseconds * 1_000_000))
    }

    @Test func itBeginsAtTheKeyFrameOfTheNewestFrame() throws {
        var memory = ReplayMemory()
        for (pts, isKey) in [(0, true), (40, false), (80, false), (120, true), (160, false)] as [(Int64, Bool)] {
            memory.note(try packet(stream: 0, pts: pts, isKey: isKey))
        }
        noteOut(&memory, 0)
        noteOut(&memory, 40)
        // The decoder has the second key frame, and has not given the last frame before it.
        #expect(times(memory) == [0, 40, 80, 120, 160])
        noteOut(&memory, 80)
        #expect(times(memory) == [0, 40, 80, 120, 160])
        noteOut(&memory, 120)
        #expect(times(memory) == [120, 160])
        #expect(memory.newestOut == MediaTime(nanoseconds: 120_000_000))
    }

    /// Frames before a key frame that come behind it, as in an open GOP, need the stretch before it.
    @Test func leadingFramesKeepTheStretchBefore() throws {
        var memory = ReplayMemory()
        for (pts, isKey) in [(0, true), (40, false), (160, true), (80, false), (120, false)] as [(Int64, Bool)] {
            memory.note(try packet(stream: 0, pts: pts, isKey: isKey))
        }
        for out in [0, 40, 80, 120] as [Int64] { noteOut(&memory, out) }
        #expect(times(memory) == [0, 40, 160, 80, 120])
        noteOut(&memory, 160)
        #expect(times(memory) == [160, 80, 120])
    }

    @Test func whatIsTooLongIsNotKept() throws {
        var memory = ReplayMemory()
        memory.note(try packet(stream: 0, pts: 0, isKey: true))
        for number in 1...ReplayMemory.limits.packets { memory.note(try packet(stream: 0, pts: Int64(number), bytes: 1)) }
        #expect(memory.isCut && memory.packets.isEmpty)
        memory.note(try packet(stream: 0, pts: 9000))
        #expect(memory.packets.isEmpty)
        memory.note(try packet(stream: 0, pts: 9040, isKey: true))
        #expect(!memory.isCut && times(memory) == [9040])
    }
}
