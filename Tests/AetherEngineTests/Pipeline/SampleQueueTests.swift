import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct SampleQueueTests {
    /// Frames of four bytes that carry their number, at 1000 a second so that the memory of the past is short.
    private let format = AudioFormat(sampleRate: 1000, channelCount: 1, sample: .int32)

    private func numbers(_ bytes: UnsafeRawBufferPointer) -> [Int32] { Array(bytes.bindMemory(to: Int32.self)) }

    @Test(arguments: 0..<20)
    func behavesLikeTwoPlainLists(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var queue = SampleQueue(format: format)
        var past: [Int32] = [], future: [Int32] = []
        var next: Int32 = 1
        func append(_ count: Int) -> [Int32] {
            let numbers = (0..<Int32(count)).map { next + $0 }
            next += Int32(count)
            return numbers
        }
        for _ in 0..<2000 {
            switch random.below(12) {
            case 0...3:
                let added = append(random.below(400))
                let count = queue.append { bytes in
                    for number in added { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }
                }
                #expect(count == added.count)
                future += added
                if random.below(4) == 0, count > 0 {
                    let cut = random.below(count + 20)
                    queue.removeFirst(cut, ofLast: count)
                    future.removeSubrange(future.count - count..<future.count - count + min(cut, count))
                }
            case 4...7:
                let limit = random.below(600)
                var given: [Int32] = []
                let taken = queue.consume { bytes in
                    given = numbers(bytes)
                    return min(limit, given.count)
                }
                #expect(given == future || future.isEmpty)
                #expect(taken == min(limit, future.count))
                past += future.prefix(taken)
                future.removeFirst(taken)
            case 8, 9:
                let wanted = random.below(1300) - 10
                let count = queue.takeBack(frames: wanted)
                // At least a second of the past is kept, if there was one.
                #expect(count >= min(max(0, wanted), past.count, 1000))
                #expect(count <= max(0, wanted))
                future = past.suffix(count) + future
                past.removeLast(count)
            case 10:
                let silent = random.below(50)
                queue.appendSilence(frames: silent)
                future += [Int32](repeating: 0, count: silent)
            default:
                if random.below(10) == 0 {
                    queue.removeAll()
                    (past, future) = ([], [])
                }
            }
            #expect(queue.frameCount == future.count)
            // Two seconds of past at most, and what is thrown away then leaves one.
            past = past.suffix(queue.historyCount)
            #expect(queue.historyCount <= 2 * 1000)
        }
    }

    @Test func anErrorOfTheDeviceLeavesTheQueueAsItWas() {
        var queue = SampleQueue(format: format)
        queue.appendSilence(frames: 10)
        #expect(throws: MediaError.self) {
            _ = try queue.consume { _ throws(MediaError) in throw MediaError(.audioDevice, "write sound") }
        }
        #expect(queue.frameCount == 10)
        #expect(queue.historyCount == 0)
    }

    @Test func negativeAmountsDoNothing() {
        var queue = SampleQueue(format: format)
        queue.appendSilence(frames: -5)
        #expect(queue.frameCount == 0)
        #expect(queue.takeBack(frames: -5) == 0)
    }
}
