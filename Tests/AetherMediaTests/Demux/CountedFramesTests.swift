import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Raw streams, whose times are counted.
@Suite struct CountedFramesTests {
    private func times(_ frames: [(count: Int, isNew: Bool)], start: Int64 = 0) -> [Int64?] {
        var order = DisplayOrder(start: start)
        for frame in frames { order.take(DisplayOrder.Frame(count: frame.count, beginsAnew: frame.isNew, length: 10)) }
        order.end()
        return frames.map { _ in order.popTime() }
    }

    @Test func framesAreShownInTheOrderOfTheirCounts() {
        #expect(times([(0, true), (8, false), (4, false), (2, false), (6, false)]) == [0, 40, 20, 10, 30])
        #expect(times([(0, true), (4, false), (2, false), (0, true), (2, false)]) == [0, 20, 10, 30, 40])
        // A key frame of an open GOP with two that lead it.
        #expect(times([(20, false), (16, false), (18, false), (24, false)], start: 100) == [120, 100, 110, 130])
    }

    @Test func aTimeIsToldAsSoonAsItIsKnown() {
        var order = DisplayOrder()
        for count in 0..<32 { order.take(DisplayOrder.Frame(count: count, beginsAnew: count == 0, length: 1)) }
        #expect(order.popTime() == nil)
        order.take(DisplayOrder.Frame(count: 32, beginsAnew: false, length: 1))
        #expect(order.popTime() == 0)
        #expect(order.popTime() == nil)
        order.take(DisplayOrder.Frame(count: 0, beginsAnew: true, length: 1))
        #expect((1...32).allSatisfy { order.popTime() == $0 })
        #expect(order.popTime() == nil)
    }

    @Test func theIndexFindsTheLastKeyFrameShownBefore() {
        var index = KeyFrameIndex()
        #expect(index.entry(at: 5) == nil)
        for number: Int64 in 0..<10 {
            index.note(KeyFrameIndex.Entry(position: number * 1000, start: number * 100, shown: number * 100 + 20))
        }
        // Read a second time.
        index.note(KeyFrameIndex.Entry(position: 3000, start: 1, shown: 2))
        #expect(index.entries.count == 10)
        for (time, shown) in [(0, 20), (20, 20), (119, 20), (120, 120), (5000, 920)] as [(Int64, Int64)] {
            #expect(index.entry(at: time)?.shown == shown)
        }
    }

    /// FFmpeg 7.1 says of later packets of this one that they last a tick.
    @Test(.enabled(if: Shared.path("corpus/openh264") != nil, "\(Shared.missing)"))
    func framesLastAsLongAsTheRateSays() throws {
        let path = try #require(Shared.path("corpus/openh264/BA_MW_D.264")).path
        var demuxer = try Demuxer(try reading(path), options: OpenOptions(), interrupt: Interrupt())
        var times: [MediaTime?] = []
        do throws(MediaError) {
            while true { times.append(try demuxer.read(epoch: Epoch()).pts) }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        #expect(times == (0..<100).map { MediaTime(ticks: Int64($0), in: TimeBase(1, 25)) })
    }

    @Test func theIndexIsBounded() {
        var index = KeyFrameIndex()
        for number: Int64 in 0..<200_000 { index.note(KeyFrameIndex.Entry(position: number, start: number, shown: number)) }
        #expect(index.entries.count <= 1 << 16)
        #expect(index.entry(at: 0)?.shown == 0)
    }

    @Test func aNewBeginningIsReadFromTheFirstSlice() {
        func begins(_ bytes: [UInt8], isHEVC: Bool) -> Bool {
            bytes.withUnsafeBufferPointer { OrderParser.beginsAnew($0, isHEVC: isHEVC) }
        }
        #expect(begins([0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x65, 1], isHEVC: false))
        #expect(!begins([0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x41, 1, 0, 0, 1, 0x65], isHEVC: false))
        // CRA is no new beginning, IDR is.
        #expect(!begins([0, 0, 1, 0x40, 1, 0, 0, 1, 42, 1], isHEVC: true))
        #expect(begins([0, 0, 1, 0x40, 1, 0, 0, 1, 38, 1], isHEVC: true))
        #expect(!begins([], isHEVC: true))
        #expect(!begins([0, 0, 1], isHEVC: false))
    }
}
