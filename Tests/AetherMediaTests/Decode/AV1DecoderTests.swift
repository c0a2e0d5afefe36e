import AetherCore
import AetherSources
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// The output of a decoder, frame by frame.
private struct Output: Equatable {
    var pictures: [String] = []
    var times: [MediaTime?] = []
    var durations: [TimeSpan?] = []
    var format = ""
    /// Sample aspect of the first picture, and whether it says how bright film and display are.
    var aspect: Double?
    var light: [Int] = []
    var damage = 0

    mutating func add(_ frame: borrowing DecodedFrame) {
        pictures.append(DecodedSource.digest(frame))
        times.append(frame.pts)
        durations.append(frame.duration)
        guard pictures.count == 1 else { return }
        format = frame.pixelFormatName ?? "none"
        aspect = frame.sampleAspect
        let raw = frame.pointer
        light = [
            raw.pointee.color_primaries.rawValue, raw.pointee.color_trc.rawValue, raw.pointee.colorspace.rawValue,
            raw.pointee.color_range.rawValue,
        ].map { Int($0) }
        for kind in [AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL] {
            guard let data = av_frame_get_side_data(raw, kind) else { continue }
            light += UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)).map { Int($0) }
        }
    }
}

/// AV1 by libdav1d against the same through libavcodec.
@Suite struct AV1DecoderTests {
    private func packets(_ path: String) throws -> (stream: StreamInfo, packets: [Packet]) {
        var demuxer = try Demuxer(try reading(path), options: OpenOptions(), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        return (stream, try DecodedSource.allPackets(&demuxer))
    }

    /// Sends as the player does, and takes what comes.
    private func decode<Decoder: VideoDecoding & ~Copyable>(
        _ decoder: inout Decoder, _ packets: [Packet], drained: Bool = true
    ) throws -> Output {
        var output = Output()
        do throws(MediaError) {
            for packet in packets.map(Optional.some) + (drained ? [nil] : []) {
                var result = SendResult.full
                while result == .full {
                    result = try decoder.send(packet)
                    while let frame = try decoder.receive() { output.add(frame) }
                }
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
        return output
    }

    private func compare(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (stream, packets) = try packets(path)
        var reference = try CodecVideoDecoder(stream.parameters, threadCount: 1)
        let theirs = try decode(&reference, packets)
        #expect(!theirs.pictures.isEmpty, "\(path)", sourceLocation: sourceLocation)
        for threads in [1, 4] {
            var decoder = try AV1Decoder(stream.parameters, threadCount: threads)
            let ours = try decode(&decoder, packets)
            #expect(ours.pictures == theirs.pictures, "\(path)", sourceLocation: sourceLocation)
            #expect(ours.times == theirs.times, "\(path)", sourceLocation: sourceLocation)
            #expect(ours.format == theirs.format && ours.light == theirs.light, "\(path)", sourceLocation: sourceLocation)
            let damage = decoder.damageCount
            #expect(damage == 0)
        }
    }

    private func clip(_ encoder: [String], format: String = "yuv420p", filter: String = "null", ext: String = "mkv") throws
        -> String
    {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=176x98:r=25:d=1", "-vf", filter, "-pix_fmt", format, "-g", "10", "-c:v"] + encoder,
            ext: ext)
    }

    private static let aom = ["libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-threads", "1"]

    @Test(arguments: ["yuv420p", "yuv420p10le", "yuv420p12le", "yuv422p10le", "yuv444p", "yuv444p12le", "gbrp", "gray"])
    func everyFormatIsDecodedToTheBit(format: String) throws {
        let encoder = ["libaom-av1", "-usage", "good", "-cpu-used", "8", "-threads", "1", "-row-mt", "0"]
        try compare(try clip(encoder, format: format))
    }

    @Test func hiddenFramesAndFilmGrainAreDecodedToTheBit() throws {
        try compare(
            try clip([
                "libaom-av1", "-usage", "good", "-cpu-used", "8", "-threads", "1", "-lag-in-frames", "16", "-denoise-noise-level",
                "20",
            ]))
    }

    @Test func sizesWithinMP4AndBareUnitsAreDecodedToTheBit() throws {
        for ext in ["mp4", "ivf", "obu"] { try compare(try clip(Self.aom, ext: ext)) }
    }

    @Test(
        .enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"),
        arguments: [
            "androidx/mkv/sample_av1.mkv", "androidx/mp4/sample_av1.mp4", "androidx/mp4/hdr10-av1.mp4",
            "torchcodec/av1_video.mkv",
            "mp4ff/examples/ivf-to-mp4/testdata/av1.ivf", "firefox/reftest/color_quads/720p.png.bt709.bt709.tv.yuv420p.av1.webm",
        ])
    func filesOfOthersAreDecodedToTheBit(name: String) throws {
        let root = try #require(Fixtures.shared).appendingPathComponent("corpus")
        try compare(root.appendingPathComponent(name).path)
    }

    /// A decoder that is too slow leaves out what no other picture needs: what is left is what it would have been.
    @Test(arguments: [
        ["libsvtav1", "-preset", "10", "-svtav1-params", "pred-struct=2:lp=1"],
        ["libaom-av1", "-usage", "good", "-cpu-used", "8", "-threads", "1", "-lag-in-frames", "19"],
    ]) func framesThatNoOtherNeedsAreLeftOut(_ encoder: [String]) throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=176x98:r=25:d=3", "-pix_fmt", "yuv420p", "-g", "50", "-c:v"] + encoder, ext: "mkv")
        let (stream, packets) = try packets(path)
        var whole = try AV1Decoder(stream.parameters, threadCount: 1)
        let all = try decode(&whole, packets)
        var pressed = try AV1Decoder(stream.parameters, threadCount: 1)
        pressed.apply(DecodeEffort(discard: .nonReference))
        let some = try decode(&pressed, packets)
        let damage = pressed.damageCount
        #expect(damage == 0 && all.pictures.count == 75)
        // libaom's hidden pictures are all needed; SVT's pyramid has leaves.
        let most = encoder[0] == "libsvtav1" ? all.pictures.count * 9 / 10 : all.pictures.count
        #expect(some.pictures.count <= most && some.pictures.count >= all.pictures.count / 3, "\(some.pictures.count)")
        let byTime = Dictionary(zip(all.times, all.pictures), uniquingKeysWith: { first, _ in first })
        #expect(zip(some.times, some.pictures).allSatisfy { byTime[$0] == $1 })
        var keys = try AV1Decoder(stream.parameters, threadCount: 1)
        keys.apply(DecodeEffort(discard: .nonKey))
        let key = try decode(&keys, packets)
        #expect(key.pictures.count == packets.count { $0.isKey })
    }

    /// Whatever the bytes, looking at them ends, and what is unclear is kept.
    @Test func brokenUnitsAreKept() throws {
        let (stream, packets) = try packets(try clip(["libaom-av1", "-usage", "good", "-cpu-used", "8", "-threads", "1"]))
        _ = stream
        var random = SeededRandom(seed: 6), sequence: AV1Sequence?
        for round in 0..<3000 {
            var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if round % 2 == 0, let packet = packets.first {
                bytes = packet.bytes(limit: 60)
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.withUnsafeBytes { _ = AV1Units($0).isDroppable(&sequence) }
        }
        var none: AV1Sequence?
        #expect(![UInt8](repeating: 0xFF, count: 64).withUnsafeBytes { AV1Units($0).isDroppable(&none) })
        #expect(
            !packets.contains { packet in
                guard packet.isKey, let payload = packet.payload else { return false }
                return AV1Units(UnsafeRawBufferPointer(payload)).isDroppable(&none)
            })
    }

    @Test func isWhatDecodesAV1() throws {
        let (stream, _) = try packets(try clip(Self.aom))
        let decoder = try VideoDecoder(stream.parameters, threadCount: 2)
        let name = decoder.name
        #expect(name == "dav1d")
        #expect(stream.isDecodable)
    }

    @Test func aSeekForgetsWhatWasSent() throws {
        let (stream, packets) = try packets(try clip(Self.aom))
        var decoder = try AV1Decoder(stream.parameters, threadCount: 4)
        let whole = try decode(&decoder, packets)
        let second = try #require(packets.indices.dropFirst().first { packets[$0].isKey })
        decoder.flush()
        _ = try decode(&decoder, Array(packets[0..<5]), drained: false)
        decoder.flush()
        let isEmpty = try decoder.receive() == nil
        #expect(isEmpty)
        let rest = try decode(&decoder, Array(packets[second...]))
        #expect(rest.pictures == Array(whole.pictures[second...]))
        #expect(rest.times == Array(whole.times[second...]))
    }

    /// The same packet with other bytes.
    private func changed(_ packet: Packet, _ change: (inout [UInt8]) -> Void) throws -> Packet {
        var bytes = packet.bytes(limit: .max)
        change(&bytes)
        let pointer = try #require(av_packet_alloc())
        #expect(av_new_packet(pointer, Int32(bytes.count)) == 0 && packet.withAVPacket { av_packet_copy_props(pointer, $0) } == 0)
        pointer.pointee.data?.update(from: bytes, count: bytes.count)
        return Packet(taking: pointer, epoch: packet.epoch, timeBase: packet.timeBase)
    }

    @Test func theHeaderOfTheContainerIsEnough() throws {
        let (stream, packets) = try packets(try clip(Self.aom))
        var decoder = try AV1Decoder(stream.parameters, threadCount: 1)
        let whole = try decode(&decoder, packets)
        // Sequence headers (units of type 1) are made padding (15): the container's copy must do.
        let headless = try packets.map { packet in
            try changed(packet) { if $0[0] >> 3 & 15 == 1 { $0[0] = $0[0] & 0x87 | 15 << 3 } }
        }
        #expect(headless.contains { $0.bytes(limit: 1)[0] >> 3 & 15 == 15 })
        decoder.flush()
        #expect(try decode(&decoder, headless) == whole)
    }

    @Test func damageIsCountedAndNeverFatal() throws {
        let path = try clip(Self.aom)
        var random = SeededRandom(seed: 11)
        for round in 0..<60 {
            let (stream, packets) = try packets(path)
            var decoder = try AV1Decoder(stream.parameters, threadCount: 1 + round % 3)
            let damaged = try packets.map { packet in
                try changed(packet) { bytes in
                    for _ in 0..<(round % 5 + 1) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
                    if round % 7 == 3 { bytes.removeLast(random.below(bytes.count)) }
                }
            }
            _ = try decode(&decoder, damaged)
        }
        let (stream, packets) = try packets(path)
        let noise = try packets.map { try changed($0) { $0 = [UInt8](repeating: 0xFF, count: $0.count) } }
        var decoder = try AV1Decoder(stream.parameters, threadCount: 1)
        #expect(try decode(&decoder, noise).pictures.isEmpty)
        let damage = decoder.damageCount
        #expect(damage > 0)
    }

    @Test func aFrameOutlivesItsDecoder() throws {
        let (stream, packets) = try packets(try clip(Self.aom))
        var last: DecodedFrame?
        do {
            var decoder = try AV1Decoder(stream.parameters, threadCount: 2)
            for packet in packets.prefix(8) {
                _ = try decoder.send(packet)
                if let frame = try decoder.receive() { last = consume frame }
            }
        }
        guard let frame = last.take() else {
            Issue.record("no picture of eight")
            return
        }
        let digest = DecodedSource.digest(frame)
        #expect(digest.count == 32)
    }

    @Test func whatTheSizeHidesIsLeftOutWhenOpening() throws {
        let (stream, packets) = try packets(
            try clip(
                [
                    "libaom-av1", "-usage", "good", "-cpu-used", "8", "-threads", "1", "-denoise-noise-level", "30",
                ], filter: "noise=alls=30:allf=t"))
        var exact = try AV1Decoder(stream.parameters, threadCount: 1)
        var plain = try AV1Decoder(stream.parameters, threadCount: 1, effort: DecodeEffort(omitsFilmGrain: true))
        var bare = try AV1Decoder(stream.parameters, threadCount: 1, effort: DecodeEffort(skipLoopFilter: .all))
        let (a, b, c) = (try decode(&exact, packets), try decode(&plain, packets), try decode(&bare, packets))
        #expect(a.times == b.times && a.times == c.times)
        #expect(a.pictures != b.pictures && a.pictures != c.pictures)
        let grainless = DecodeEffort(omitsFilmGrain: true)
        let answers = [
            exact.needsReopening(for: grainless), plain.needsReopening(for: grainless),
            exact.needsReopening(for: DecodeEffort(discard: .nonReference, halvings: 2)),
        ]
        #expect(answers == [true, false, false])
    }
}

/// Messages beside pictures.
@Suite struct RegisteredUserDataTests {
    @Test func captionsAreFoundInMessagesOfATSCOnly() {
        let head: [UInt8] = [0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]
        let triples: [UInt8] = [0xFC, 0x94, 0x20, 0xFD, 0x80, 0x80]
        func captions(_ payload: [UInt8], country: UInt8 = 0xB5) -> [UInt8]? {
            RegisteredUserData(country: country, payload: payload).captions
        }
        #expect(captions(head + [0x42, 0xFF] + triples + [0xFF]) == triples)
        #expect(captions(head + [0x42, 0xFF] + triples.dropLast()) == nil)
        #expect(captions(head + [0x02, 0xFF] + triples) == nil)
        #expect(captions(head + [0x42, 0xFF] + triples, country: 0xB4) == nil)
        #expect(captions([0x00, 0x3C, 0x00, 0x01, 0x04, 0x01]) == nil)
        #expect(captions([]) == nil && captions(head) == nil)
    }
}
