import AetherCore
import AetherTestSupport
import CFFmpeg
import Glibc
import Testing

@testable import AetherBox
@testable import AetherMedia

/// Frames in the memory that player and worker share: who holds which place, and what may be said of it.
struct SharedFrameTests {
    /// A decoder as in a worker, with memory for its frames.
    private struct Pair: ~Copyable {
        let pool: FramePool
        var service: FrameService

        init(_ parameters: CodecParameters, room: Int? = nil) throws {
            let bytes = try #require(room ?? FrameRecord.likelyRoom(of: parameters))
            let made = try #require(FramePool.make(bytes: bytes))
            var wish = RecordWriter()
            wish.put(true)
            made.pool.put(to: &wish)
            wish.put(UInt8(1))
            EffortRecord.put(DecodeEffort(), to: &wish)
            ParametersRecord.put(parameters, to: &wish)
            let service = try FrameService(BoxMessage(.openVideo, wish.bytes), made.descriptor)
            pool = made.pool
            self.service = service
        }

        mutating func send(_ packet: Packet?, releasing places: [UInt8] = []) throws -> HandedFrames {
            let tail = places + [UInt8(places.count)]
            let bytes = try #require(packet.map { PacketRecord.bytes(of: $0, behind: [1], before: tail) } ?? [0] + tail)
            let answer = try service.answer(BoxMessage(.sendPacket, bytes), -1)
            var record = RecordReader(answer.bytes)
            _ = record.integer(UInt8.self)
            return try #require(HandedFrames(&record))
        }
    }

    private func video(_ shape: BoxedParityTests.Shape) throws -> (StreamInfo, [Packet]) {
        var demuxer = try BoxedFixture.demuxer(try shape.clip(), box: nil)
        let stream = try #require(demuxer.info.streams.first { $0.kind == .video })
        return (stream, try BoxedFixture.packets(&demuxer).filter { $0.stream == stream.id })
    }

    /// The second byte of a record says that it names where the planes lie.
    private func isInPlace(_ frame: HandedFrames.Frame) -> Bool { frame.record.count > 2 && frame.record[1] == 1 }

    @Test(
        arguments: BoxedParityTests.shapes.filter {
            ["h264", "hevc", "hevc of 10 bits", "vp9", "av1", "mpeg2"].contains($0.name)
        })
    func frameIsReadWhereItWasDecoded(_ shape: BoxedParityTests.Shape) throws {
        let (stream, packets) = try video(shape)
        var pair = try Pair(stream.parameters), count = 0, release: [UInt8] = []
        for packet in packets {
            let handed = try pair.send(packet, releasing: release)
            release = handed.frames.compactMap { $0.place.map { UInt8($0) } }
            for frame in handed.frames {
                #expect(isInPlace(frame))
                let slot = pair.pool.slot(try #require(frame.place))
                guard case .some = FrameRecord.frame(frame.record, in: slot) else {
                    Issue.record("a frame that was decoded there is not one")
                    continue
                }
                count += 1
            }
        }
        #expect(count > 40)
    }

    /// The payload of a packet lies in the tray, and the same frames come of it.
    @Test func packetIsReadFromTheTray() throws {
        let (stream, packets) = try video(BoxedParityTests.shapes[0])
        let (player, descriptor) = try #require(SharedTray.make())
        let worker = try #require(SharedTray(descriptor, side: .worker))
        close(descriptor)
        var straight = try Pair(stream.parameters), pair = try Pair(stream.parameters), count = 0
        for packet in packets.prefix(20) {
            let bytes = try #require(PacketRecord.bytes(of: packet, behind: [1], before: [0], apart: player.own))
            #expect(bytes.count < packet.byteCount + PacketRecord.headBytes || packet.byteCount < 8)
            let answer = try pair.service.answer(BoxMessage(.sendPacket, bytes), -1, worker)
            // The decoder has what it needs: what is written there next is not its packet.
            UnsafeMutableRawBufferPointer(rebasing: player.own[..<packet.byteCount]).initializeMemory(
                as: UInt8.self, repeating: 0xA5)
            var record = RecordReader(answer.bytes)
            _ = record.integer(UInt8.self)
            let handed = try #require(HandedFrames(&record)), other = try straight.send(packet)
            for (frame, other) in zip(handed.frames, other.frames) {
                let one = FrameRecord.frame(frame.record, in: pair.pool.slot(try #require(frame.place)))
                let two = FrameRecord.frame(other.record, in: straight.pool.slot(try #require(other.place)))
                guard let one, let two else { continue }
                let isSame = BoxedFixture.Frame(one) == BoxedFixture.Frame(two)
                #expect(isSame)
                count += 1
            }
        }
        #expect(count > 5)
    }

    /// Places that are held and never given back: then frames are copied, and then there is no place.
    @Test func placesThatAreHeldAreNotWrittenTo() throws {
        let (stream, packets) = try video(BoxedParityTests.shapes[0])
        var pair = try Pair(stream.parameters), places: [Int] = [], copies = 0, wanted = 0
        for packet in packets {
            let handed = try pair.send(packet)
            places += handed.frames.compactMap(\.place)
            copies += handed.frames.count { !isInPlace($0) }
            wanted = max(wanted, handed.room)
        }
        #expect(Set(places).count == places.count, "a place was given away twice")
        #expect(places.count > FrameStore.most / 2 && places.count <= FrameStore.most)
        #expect(copies > 0 && wanted > 0)
    }

    /// Memory that is too small for decoding, and enough for a copy.
    @Test func frameIsCopiedWhereDecodingNeedsMore() throws {
        let (stream, packets) = try video(BoxedParityTests.shapes[0])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        // Rows without what decoders add behind and below them: 33 KB, where 38 are needed to decode.
        let frame = try #require(try BoxedFixture.frames(&decoder, packets).first)
        var pair = try Pair(stream.parameters, room: frame.pixels.count)
        var frames: [HandedFrames.Frame] = []
        for packet in packets.prefix(20) { frames += try pair.send(packet).frames }
        #expect(!frames.isEmpty && !frames.contains { isInPlace($0) })
    }

    @Test func placeIsFreeWhenItsLastHolderLetsGo() throws {
        let (pool, descriptor) = try #require(FramePool.make(bytes: 5000))
        close(descriptor)
        #expect(pool.slotBytes == 8192 && pool.count == FrameStore.most)
        #expect(pool.slot(-1) == nil && pool.slot(pool.count) == nil)
        var one = pool.slot(3), other = pool.slot(3)
        #expect(pool.heldCount == 1)
        one = nil
        #expect(one == nil && pool.heldCount == 1 && pool.released() == [3])
        other = nil
        #expect(other == nil && pool.heldCount == 0 && pool.released() == [3])
        #expect(pool.released().isEmpty)
    }

    /// Reading a page of memory that nobody has filled takes one: the rest of a place stays empty.
    @Test func onlyWhatAFrameHasIsMapped() throws {
        let (pool, descriptor) = try #require(FramePool.make(bytes: 1 << 20))
        defer { close(descriptor) }
        let slot = try #require(pool.slot(2))
        slot.willRead(6144 + FrameRecord.margin)
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        // As many pages as were said, or none at all: Linux before 5.14 does not take the advice.
        #expect(status.st_blocks * 512 <= 3 * 4096)
        slot.willRead(1 << 20)
        #expect(fstat(descriptor, &status) == 0 && status.st_blocks * 512 <= 3 * 4096)
    }

    @Test func poolIsBoundedInAll() throws {
        let (pool, descriptor) = try #require(FramePool.make(bytes: FrameRecord.largest))
        close(descriptor)
        #expect(pool.count == 4)
        #expect(FramePool.make(bytes: FrameRecord.largest + 1) == nil && FramePool.make(bytes: 0) == nil)
    }

    // MARK: - What a worker may say

    private func planes(_ values: [(Int32, Int32)]) throws -> FramePlanes {
        var record = RecordWriter()
        for (offset, step) in values {
            record.put(offset)
            record.put(step)
        }
        var reader = RecordReader(record.bytes)
        let planes = FramePlanes(&reader)
        try #require(reader.isWhole)
        return planes
    }

    /// 64x64 with colour of half the size, in 6144 bytes and the margin.
    @Test(
        arguments: [
            ([(0, 64), (4096, 32), (5120, 32), (-1, 0)], true), ([(64, 64), (4096, 32), (5120, 32), (-1, 0)], true),
            ([(0, 64), (4096, 32), (5121, 32), (-1, 0)], false), ([(-1, 64), (4096, 32), (5120, 32), (-1, 0)], false),
            ([(0, 63), (4096, 32), (5120, 32), (-1, 0)], false), ([(0, -64), (4096, 32), (5120, 32), (-1, 0)], false),
            ([(0, 64), (4096, 32), (-1, 0), (-1, 0)], false), ([(0, 64), (4096, 32), (5120, 32), (0, 0)], false),
            ([(0, 64), (4096, 32), (5120, 32), (-1, 8)], false), ([(0, .max), (4096, 32), (5120, 32), (-1, 0)], false),
            ([(.max, 64), (4096, 32), (5120, 32), (-1, 0)], false), ([(0, 64), (.min, 32), (5120, 32), (-1, 0)], false),
            ([(0, 64), (4096, .max), (5120, .min), (-1, 0)], false), ([(6144, 64), (4096, 32), (5120, 32), (-1, 0)], false),
        ] as [([(Int32, Int32)], Bool)])
    func planesLieInTheirPlace(_ values: [(Int32, Int32)], _ isRight: Bool) throws {
        let planes = try planes(values)
        let all = 6144 + FrameRecord.margin
        #expect(planes.end(in: all, AV_PIX_FMT_YUV420P, 64, 64) == (isRight ? all : nil))
        #expect(planes.end(in: all - 1, AV_PIX_FMT_YUV420P, 64, 64) == nil)
    }

    @Test func samplesOfTwoBytesLieAtEvenPlaces() throws {
        #expect(
            try planes([(0, 128), (-1, 0), (-1, 0), (-1, 0)]).end(in: 1 << 20, AV_PIX_FMT_GRAY16LE, 64, 64) == 64 * 128
                + FrameRecord.margin)
        #expect(try planes([(1, 128), (-1, 0), (-1, 0), (-1, 0)]).end(in: 1 << 20, AV_PIX_FMT_GRAY16LE, 64, 64) == nil)
        #expect(try planes([(0, 129), (-1, 0), (-1, 0), (-1, 0)]).end(in: 1 << 20, AV_PIX_FMT_GRAY16LE, 64, 64) == nil)
    }

    @Test(arguments: [AV_PIX_FMT_PAL8, AV_PIX_FMT_VAAPI, AV_PIX_FMT_MONOWHITE, AV_PIX_FMT_NONE])
    func formatsOfOtherKindsNeverDo(_ format: AVPixelFormat) throws {
        #expect(try planes([(0, 64), (-1, 0), (-1, 0), (-1, 0)]).end(in: 1 << 20, format, 64, 64) == nil)
    }

    /// Any bytes in the place of an answer's frames: values within bounds, or nothing.
    @Test func answersAreBounded() throws {
        let (stream, packets) = try video(BoxedParityTests.shapes[0])
        var pair = try Pair(stream.parameters), handed = HandedFrames()
        for packet in packets where handed.frames.isEmpty { handed = try pair.send(packet) }
        var record = RecordWriter()
        handed.put(to: &record)
        var random = SeededRandom(seed: 64), taken = 0, shown = 0
        for _ in 0..<20_000 {
            var bytes = record.bytes
            for _ in 0...random.below(4) {
                let place = random.below(min(bytes.count, 160))
                bytes[place] = random.below(3) == 0 ? 255 : UInt8(random.below(256))
            }
            var reader = RecordReader(bytes)
            guard let read = HandedFrames(&reader) else { continue }
            taken += 1
            #expect(read.frames.count <= HandedFrames.most && read.damage >= 0 && read.room <= FrameRecord.largest)
            for frame in read.frames {
                guard let slot = frame.place.flatMap({ pair.pool.slot($0) }),
                    let frame = FrameRecord.frame(frame.record, in: slot)
                else { continue }
                shown += 1
                let isInside = sum(frame, slot.memory)
                #expect(isInside)
            }
        }
        #expect(taken > 100 && shown > 100)
    }

    /// Reads all of a frame as a sink would: whether it lies in the memory.
    private func sum(_ frame: borrowing DecodedFrame, _ memory: UnsafeMutableRawBufferPointer) -> Bool {
        let raw = frame.pointer.pointee, format = AVPixelFormat(raw.format)
        guard let start = memory.baseAddress else { return false }
        let rows = [raw.linesize.0, raw.linesize.1, raw.linesize.2, raw.linesize.3]
        for (plane, data) in [raw.data.0, raw.data.1, raw.data.2, raw.data.3].enumerated() {
            guard let data else { continue }
            let place = Int(bitPattern: data) - Int(bitPattern: start)
            let bytes = Int(av_image_get_linesize(format, raw.width, Int32(plane)))
            guard place >= 0, bytes >= 0, place + bytes <= memory.count, rows[plane] >= 0 else { return false }
            // The first and the last byte of all: memory of others would end the test.
            var total = Int(data[0])
            if bytes > 0 { total += Int(data[bytes - 1]) }
            guard total >= 0 else { return false }
        }
        return true
    }
}
