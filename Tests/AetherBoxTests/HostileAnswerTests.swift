import AetherCore
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherBox
@testable import AetherMedia

/// Answers of a captured worker: whatever the bytes are, the player gets values within bounds, or nothing.
struct HostileAnswerTests {
    /// Memory that only this process has.
    private final class Place: FrameSlot {
        nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

        init(_ count: Int) {
            memory = .allocate(byteCount: count, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 9)
        }

        deinit { memory.deallocate() }
    }

    /// Copies of some bytes with a few of them changed, cut off or said twice.
    private func bent(_ bytes: [UInt8], _ count: Int, _ body: ([UInt8]) -> Void) {
        var random = SeededRandom(seed: 26)
        for _ in 0..<count {
            var copy = bytes
            for _ in 0...random.below(4) {
                let place = random.below(copy.count)
                switch random.below(5) {
                case 0: copy[place] = UInt8(random.below(256))
                case 1: copy[place] = 0xFF
                case 2: copy.removeLast(min(copy.count - 1, random.below(40)))
                case 3: copy.insert(contentsOf: copy[place..<min(copy.count, place + random.below(20))], at: place)
                default: copy[place] ^= 1 << UInt8(random.below(8))
                }
            }
            body(copy)
        }
    }

    private func isFrame(_ bytes: [UInt8], in place: Place?) -> Bool {
        switch FrameRecord.frame(bytes, in: place) {
        case .some: true
        case nil: false
        }
    }

    private func opened() throws -> (info: SourceInfo, packets: [Packet]) {
        var demuxer = try BoxedFixture.demuxer(try BoxedParityTests.shapes[0].clip(), box: nil)
        return (demuxer.info, try BoxedFixture.packets(&demuxer, limit: 40))
    }

    @Test func descriptionsAreBounded() throws {
        let bytes = SourceRecord.bytes(of: try opened().info)
        #expect(SourceRecord.info(bytes, box: BoxedFixture.box) != nil)
        #expect(SourceRecord.info(bytes + [0], box: BoxedFixture.box) == nil)
        #expect(SourceRecord.info([], box: BoxedFixture.box) == nil)
        var taken = 0
        bent(bytes, 3000) { copy in
            guard let info = SourceRecord.info(copy, box: BoxedFixture.box) else { return }
            taken += 1
            for (place, stream) in info.streams.enumerated() {
                #expect(stream.index == place && stream.sampleAspect.isSane)
                #expect(DisplayText.singleLine(stream.codecName) == stream.codecName)
            }
        }
        #expect(taken > 0 && taken < 3000)
    }

    @Test func textsOfDescriptionsAreSafe() throws {
        var record = RecordWriter()
        record.put("a\u{1B}[2Jb\nc")
        var reader = RecordReader(record.bytes)
        #expect(!reader.line().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func packetsAreBounded() throws {
        let packet = try #require(try opened().packets.first { $0.byteCount > 100 })
        let bytes = packet.record
        var shelf = PacketShelf(), taken = 0
        func read(_ bytes: [UInt8]) -> Packet? {
            PacketRecord.boxed(bytes, epoch: Epoch(), in: &shelf) {
                Packet.StreamName(id: StreamID(source: 0, number: $0), format: 0)
            }
        }
        #expect(read(bytes)?.record == bytes)
        bent(bytes, 3000) { copy in
            guard let packet = read(copy) else { return }
            taken += 1
            #expect(packet.byteCount <= copy.count && (0..<1024).contains(packet.stream.number))
        }
        #expect(taken > 0)
    }

    @Test func framesLieInTheirPlace() throws {
        let (info, packets) = try opened()
        let stream = try #require(info.streams.first { $0.kind == .video })
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        let frames = try BoxedFixture.frames(&decoder, packets.filter { $0.stream == stream.id })
        let bytes = try #require(frames.first).record, place = Place(try #require(frames.first).pixels.count)
        #expect(isFrame(bytes, in: place))
        #expect(!isFrame(bytes, in: nil))
        #expect(!isFrame(bytes, in: Place(place.memory.count / 2)))
        var taken = 0
        bent(bytes, 3000) { copy in
            guard let frame = FrameRecord.frame(copy, in: place) else { return }
            taken += 1
            let raw = frame.pointer.pointee
            let planes = [raw.data.0, raw.data.1, raw.data.2, raw.data.3]
            let start = UnsafeRawPointer(place.memory.baseAddress!), end = start + place.memory.count
            for plane in planes { if let plane { #expect(UnsafeRawPointer(plane) >= start && UnsafeRawPointer(plane) < end) } }
            #expect((FrameRecord.room(for: frame) ?? .max) <= place.memory.count)
        }
        #expect(taken > 0)
    }

    /// Places inside of side data that lie outside of it, before it, or overflow.
    @Test(arguments: [-8, 0, 1 << 40, Int.max, Int.min])
    func sideDataNamesNoPlaceOutside(_ offset: Int) throws {
        let (info, packets) = try opened()
        let stream = try #require(info.streams.first { $0.kind == .video })
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1, effort: DecodeEffort(tellsCoding: true))
        let frame = try #require(try BoxedFixture.frames(&decoder, packets.filter { $0.stream == stream.id }).first)
        var params = AVVideoEncParams()
        (params.nb_blocks, params.blocks_offset, params.block_size) = (4, offset, MemoryLayout<AVVideoBlockParams>.size)
        let side = withUnsafeBytes(of: params) { Array($0) } + [UInt8](repeating: 0, count: 200)
        var record = RecordWriter()
        record.put(UInt32(1))
        record.put(AV_FRAME_DATA_VIDEO_ENC_PARAMS.rawValue)
        record.put(side)
        // The list of side data is the end of a record: behind an empty one the count is the last four bytes.
        var plain = try VideoDecoder(stream.parameters, threadCount: 1)
        let bare = try #require(try BoxedFixture.frames(&plain, packets.filter { $0.stream == stream.id }).first).record
        try #require(Array(bare.suffix(4)) == [0, 0, 0, 0])
        let place = Place(frame.pixels.count)
        #expect(isFrame(bare, in: place))
        #expect(!isFrame(Array(bare.dropLast(4)) + record.bytes, in: place))
    }

    @Test func errorsAreSentences() {
        let error = MediaError(.readFailed, "read packet", subject: "a", cause: -5, reason: "why")
        let bytes = ErrorRecord.bytes(of: error)
        #expect(ErrorRecord.error(bytes) == error)
        bent(bytes, 2000) { _ = ErrorRecord.error($0).description }
        #expect(ErrorRecord.error([]).code == .internalFailure)
    }
}
