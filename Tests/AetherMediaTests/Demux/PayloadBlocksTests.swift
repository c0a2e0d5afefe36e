import AetherCore
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherMedia

/// Tests that count payload blocks run in a process of their own, because other tests hold blocks, too.
@Suite struct PayloadBlocksTests {
    private static func packet(_ size: Int, _ fill: UInt8) throws -> UnsafeMutablePointer<AVPacket> {
        let packet = try #require(av_packet_alloc())
        try #require(av_new_packet(packet, Int32(size)) == 0)
        packet.pointee.data?.update(repeating: fill, count: size)
        return packet
    }

    private static func isWhole(_ slot: PayloadSlot, _ size: Int, _ fill: UInt8) -> Bool {
        let start = PayloadSlot.payload(behind: slot.head)
        let padding = UnsafeBufferPointer(start: start + size, count: PayloadSlot.padding)
        return slot.head.pointee.byteCount == size && slot.head.pointee.pts == Int64(size)
            && UnsafeBufferPointer(start: start, count: size).allSatisfy { $0 == fill } && padding.allSatisfy { $0 == 0 }
    }

    private static func head(_ size: Int) -> Packet.Head {
        Packet.Head(
            pts: Int64(size), dts: 0, duration: 0, source: 0, format: 0, streamIndex: 0, flags: 0, byteCount: Int32(size),
            epoch: Epoch(1),
            timeBase: TimeBase(1, 1000), whole: nil)
    }

    /// Nothing in it that would have to be let go of.
    @Test func aHeadIsPlainAndFitsItsLine() {
        #expect(MemoryLayout<Packet.Head>.size <= PayloadSlot.headBytes && _isPOD(Packet.Head.self))
        #expect(MemoryLayout<Packet?>.stride <= 16)
    }

    /// Sizes around a block's, let go in an order that is not theirs: no payload touches another, and no block stays.
    @Test func payloadsKeepTheirBytesAndBlocksGoWithTheirLast() async {
        await #expect(processExitsWith: .success) {
            let before = MediaBalance.payloadBlocks.current
            var random = SeededRandom(seed: 7)
            var held: [(slot: PayloadSlot, size: Int, fill: UInt8)] = []
            let block = PayloadBlocks.blockBytes, padding = PayloadSlot.padding + PayloadSlot.headBytes
            let edges = [1, 63, 64, block - padding - 1, block - padding, block - padding + 1, block, 3 * block]
            do {
                var blocks = PayloadBlocks()
                for number in 0..<600 {
                    let size = number % 20 == 0 ? edges[number / 20 % edges.count] : random.below(9000) + 1
                    let fill = UInt8(truncatingIfNeeded: number % 255 + 1)
                    let slot = try #require(
                        [UInt8](repeating: fill, count: size).withUnsafeBytes { blocks.place($0, PayloadBlocksTests.head(size)) })
                    held.append((slot, size, fill))
                    if number % 3 == 0 {
                        let gone = held.remove(at: random.below(held.count))
                        #expect(PayloadBlocksTests.isWhole(gone.slot, gone.size, gone.fill))
                    }
                }
            }
            #expect(held.allSatisfy { PayloadBlocksTests.isWhole($0.slot, $0.size, $0.fill) })
            #expect(MediaBalance.payloadBlocks.current > before)
            held = []
            #expect(MediaBalance.payloadBlocks.current == before)
        }
    }

    /// Who hands each packet on before the next one is read stays on the same pages, with small payloads and large ones. Nothing of what
    /// was there shows behind a shorter payload, and a packet that is held keeps its place.
    @Test func aBlockWithoutPacketsIsFilledAgain() throws {
        var blocks = PayloadBlocks()
        func place(_ size: Int, _ fill: UInt8) throws -> PayloadSlot {
            let payload = [UInt8](repeating: fill, count: size)
            let slot = try #require(payload.withUnsafeBytes { blocks.place($0, Self.head(size)) })
            #expect(Self.isWhole(slot, size, fill))
            return slot
        }
        func starts(_ sizes: [Int]) throws -> Set<UnsafeMutableRawPointer> {
            try Set(sizes.map { try place($0, 0xff).block.start })
        }

        #expect(try starts([200_000, 150_000, 90_000, 256, 1]).count == 1)
        let large = PayloadBlocks.blockBytes
        #expect(try starts([3 * large, 2 * large, 100, 3 * large]).count == 2)

        let small = try place(150_000, 7), big = try place(2 * large, 8)
        let others = try starts([150_000, 120_000, 2 * large])
        #expect(!others.contains(small.block.start) && !others.contains(big.block.start))
        #expect(Self.isWhole(small, 150_000, 7) && Self.isWhole(big, 2 * large, 8))
    }

    /// Libav gets the bytes that it gave, and a reference that it keeps outlives the packet.
    @Test func aPacketIsTheSameToTheDecoder() async {
        await #expect(processExitsWith: .success) {
            let before = MediaBalance.payloadBlocks.current
            let given = try PayloadBlocksTests.packet(5000, 9)
            (given.pointee.pts, given.pointee.dts, given.pointee.duration) = (70, 60, 10)
            (given.pointee.stream_index, given.pointee.flags) = (3, AV_PKT_FLAG_KEY | AV_PKT_FLAG_DISCARD)
            // As the demuxer of MPEG-TS does it.
            try #require(av_packet_new_side_data(given, AV_PKT_DATA_MPEGTS_STREAM_ID, 1) != nil)
            let kept = try #require(av_packet_alloc())
            do {
                var blocks = PayloadBlocks()
                let packet = Packet(placing: given, in: &blocks, epoch: Epoch(1), timeBase: TimeBase(1, 1000))
                packet.shift(by: .milliseconds(5))
                #expect(
                    packet.isKey && packet.stream.number == 3 && packet.byteCount == 5000 && packet.pts?.nanoseconds == 75_000_000
                )
                #expect(packet.withAVPacket { av_packet_ref(kept, $0) } == 0)
            }
            #expect((kept.pointee.pts, kept.pointee.dts, kept.pointee.duration) == (75, 65, 10))
            #expect((kept.pointee.stream_index, kept.pointee.flags) == (3, AV_PKT_FLAG_KEY | AV_PKT_FLAG_DISCARD))
            #expect(UnsafeBufferPointer(start: kept.pointee.data, count: Int(kept.pointee.size)).allSatisfy { $0 == 9 })
            #expect(kept.pointee.size == 5000 && av_buffer_is_writable(kept.pointee.buf) == 0)
            StreamAnalysis.free(kept)
            #expect(MediaBalance.payloadBlocks.current == before)
        }
    }

    /// A palette, the samples to be skipped …: what only libav can say stays with it.
    @Test func aPacketWithMoreBesideItIsKeptAsItIs() throws {
        let given = try Self.packet(100, 1)
        let skipped = try #require(av_packet_new_side_data(given, AV_PKT_DATA_SKIP_SAMPLES, 10))
        skipped.update(repeating: 7, count: 10)
        var blocks = PayloadBlocks()
        let packet = Packet(placing: given, in: &blocks, epoch: Epoch(1), timeBase: TimeBase(1, 1000))
        packet.shift(by: .milliseconds(5))
        #expect(packet.withAVPacket { av_packet_get_side_data($0, AV_PKT_DATA_SKIP_SAMPLES, nil)?.pointee } == 7)
        #expect(packet.payload?.count == 100)
    }

    @Test func aPacketWithoutPayloadIsEmpty() throws {
        var blocks = PayloadBlocks()
        let packet = Packet(
            placing: try #require(av_packet_alloc()), in: &blocks, epoch: Epoch(1), timeBase: TimeBase(1, 1000))
        #expect(packet.byteCount == 0 && packet.payload == nil && packet.bytes(limit: 9).isEmpty)
    }
}
