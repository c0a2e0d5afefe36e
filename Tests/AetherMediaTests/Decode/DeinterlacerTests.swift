import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherMedia

/// How much the lines of a picture disagree with their neighbours more than with the lines of their own field: near 1 without combs.
private func combing(_ image: RasterImage) -> Double {
    func green(_ x: Int, _ y: Int) -> Int { Int(image.pixels[y * image.width + x] >> 8 & 255) }
    var neighbours = 1, own = 1
    for y in 0..<image.height - 2 {
        for x in 0..<image.width {
            neighbours += abs(green(x, y) - green(x, y + 1))
            own += abs(green(x, y) - green(x, y + 2))
        }
    }
    return Double(neighbours) / Double(own)
}

@Suite struct DeinterlacerTests {
    /// A bar that runs to the right by 8 pixels a field.
    private func clip() throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "color=black:s=192x128:r=50:d=1", "-f", "lavfi", "-i", "color=white:s=24x128:r=50:d=1",
                "-filter_complex",
                "[0][1]overlay=x='mod(8*n,160)':y=0,tinterlace=interleave_top,setfield=tff,format=yuv420p", "-c:v", "mpeg2video",
                "-qscale:v", "2", "-flags", "+ilme+ildct", "-threads",
                "1",
            ], ext: "ts")
    }

    private func picture(_ frame: borrowing DecodedFrame) throws -> RasterImage {
        var scaler = RasterScaler()
        return try scaler.scale(frame, to: PixelSize(width: frame.width, height: frame.height))
    }

    @Test func combsAreGoneAndTimesAreExact() throws {
        var reading = try FrameReading(try clip())
        var before: [Double] = [], after: [Double] = [], times: [MediaTime] = []
        var areWhole = true, areInterlaced = true
        var filter = Deinterlacer(rate: .field, threadCount: 1, interval: .milliseconds(40))
        var isOver = false
        while !isOver {
            if let frame = try reading.next() {
                areInterlaced = areInterlaced && frame.isInterlaced
                before.append(combing(try picture(frame)))
                try filter.send(frame)
            } else {
                isOver = true
                try filter.finish()
            }
            while let whole = try filter.receive() {
                after.append(combing(try picture(whole)))
                if let pts = whole.pts { times.append(pts) }
                areWhole = areWhole && !whole.isInterlaced && whole.duration == .milliseconds(20)
            }
        }
        #expect(areInterlaced && areWhole)
        #expect(before.count == 25 && after.count == 50)
        #expect(before.reduce(0, +) / 25 > 2)
        #expect(after.reduce(0, +) / 50 < 1.05)
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 == .milliseconds(20) })
    }

    @Test func oneFieldHasHalfTheHeightTheSameShapeAndNoCombs() throws {
        var reading = try FrameReading(try clip())
        var count = 0
        var worst = 0.0
        var isRight = true
        while let frame = try reading.next() {
            guard let field = frame.earlierField(aspect: 1) else { break }
            count += 1
            isRight = isRight && field.width == 192 && field.height == 64 && field.pts == frame.pts && !field.isInterlaced
            isRight = isRight && field.sampleAspect == (frame.sampleAspect ?? 1) / 2
            worst = max(worst, combing(try picture(field)))
        }
        #expect(count == 25 && isRight)
        #expect(worst < 1.05)
    }

    @Test func aSeekLeavesNothingOfWhatWentIn() throws {
        var reading = try FrameReading(try clip())
        var filter = Deinterlacer(rate: .frame, threadCount: 1, interval: nil)
        var count = 0
        while let frame = try reading.next() {
            try filter.send(frame)
            filter.reset()
            if let _ = try filter.receive() { count += 1 }
        }
        let isEmpty = filter.isEmpty
        #expect(count == 0 && isEmpty)
    }
}

/// The pictures of a file, one by one.
private struct FrameReading: ~Copyable {
    private var packets: [Packet?]
    private var decoder: VideoDecoder

    init(_ path: String) throws {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        let all = try DecodedSource.allPackets(&demuxer).map(Optional.some) + [nil]
        let made = try VideoDecoder(stream.parameters, threadCount: 1)
        packets = all
        decoder = made
    }

    mutating func next() throws -> DecodedFrame? {
        while true {
            do throws(MediaError) {
                if let frame = try decoder.receive() { return frame }
            } catch {
                if error.code == .endOfMedia { return nil }
                throw error
            }
            guard !packets.isEmpty else { return nil }
            _ = try decoder.send(packets.removeFirst())
        }
    }
}
