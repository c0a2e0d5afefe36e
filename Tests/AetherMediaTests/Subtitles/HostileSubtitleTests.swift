import AetherCore
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherMedia

/// Packets that nobody made in good faith, straight to the decoder.
@Suite struct HostileSubtitleTests {
    private func decoder(_ id: AVCodecID) throws -> SubtitleDecoder {
        let parameters = try #require(avcodec_parameters_alloc())
        defer {
            var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
            avcodec_parameters_free(&owned)
        }
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = id
        return try SubtitleDecoder(CodecParameters(copying: parameters, timeBase: TimeBase(1, 1000)))
    }

    private func packet(_ bytes: [UInt8], at milliseconds: Int64 = 1000) throws -> Packet {
        let pointer = try #require(av_packet_alloc())
        try #require(av_new_packet(pointer, Int32(bytes.count)) == 0)
        pointer.pointee.data?.update(from: bytes, count: bytes.count)
        (pointer.pointee.pts, pointer.pointee.duration) = (milliseconds, 500)
        return Packet(taking: pointer, epoch: Epoch(), timeBase: TimeBase(1, 1000))
    }

    private func lines(_ id: AVCodecID, _ bytes: [UInt8]) throws -> [String] {
        var decoder = try decoder(id)
        return try decoder.decode(try packet(bytes)).flatMap(\.lines)
    }

    // MARK: - Text

    /// Bytes that stand between "be" and "low", and the text that is to be read there.
    static let broken: [(name: String, bytes: [UInt8], shown: String)] = [
        ("zero", [0], ""), ("controls", [0x1B, 0x5B, 0x32, 0x4A, 0x07, 0x7F, 0x08], "[2J"), ("C1", [0xC2, 0x9B], ""),
        ("continuations", [0x80, 0xBF, 0x80], "\u{FFFD}"), ("overlong", [0xC0, 0xAF], "\u{FFFD}"),
        ("overlong zero", [0xE0, 0x80, 0x80], "\u{FFFD}"), ("surrogate", [0xED, 0xA0, 0x80], "\u{FFFD}"),
        ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80], "\u{FFFD}"), ("no letter", [0xFE, 0xFF], "\u{FFFD}"),
        ("U+FFFE", [0xEF, 0xBF, 0xBE], "\u{FFFD}"), ("cut", [0xE6, 0x97], "\u{FFFD}"), ("bidi", Array("\u{202E}".utf8), ""),
        ("isolate", Array("\u{2066}".utf8), ""), ("whole", Array("日".utf8), "日"),
    ]

    @Test(arguments: broken.indices, [AV_CODEC_ID_SUBRIP.rawValue, AV_CODEC_ID_WEBVTT.rawValue, AV_CODEC_ID_ASS.rawValue])
    func whatIsNoTextTakesNothingWithIt(_ index: Int, _ id: UInt32) throws {
        let (name, bytes, shown) = Self.broken[index]
        let head = id == AV_CODEC_ID_ASS.rawValue ? "0,0,Default,,0,0,0,,Übe" : "Übe"
        let text = Array(head.utf8) + bytes + Array("low und mehr Wörter".utf8)
        #expect(try lines(AVCodecID(id), text) == ["Übe\(shown)low und mehr Wörter"], "\(name)")
        // At the very end.
        let end = try lines(AVCodecID(id), Array(head.utf8) + bytes)
        #expect(end == ["Übe\(shown)"], "\(name)")
    }

    @Test(arguments: broken.indices) func inMP4EveryByteKeepsItsPlace(_ index: Int) throws {
        let (name, bytes, _) = Self.broken[index]
        let text = Array("Übe".utf8) + bytes + Array("low".utf8)
        // A style for the three letters at the end.
        let letters = UInt8(
            String(decoding: SubtitleBytes.masked(movText: [0, UInt8(text.count)] + text), as: UTF8.self).unicodeScalars.count - 2
        )
        let style: [UInt8] =
            [0, 0, 0, 22] + Array("styl".utf8) + [0, 1, 0, letters - 3, 0, letters, 0, 1, 2, 18, 255, 255, 255, 255]
        var decoder = try decoder(AV_CODEC_ID_MOV_TEXT)
        let decoded = try decoder.decode(try packet([0, UInt8(text.count)] + text + style))
        let line = try #require(decoded.first?.lines.first)
        #expect(line.hasPrefix("Übe") && line.hasSuffix("low"), "\(name): \(line)")
        let last = try #require(decoded.first?.body?.runs?.last)
        #expect(last.text.hasSuffix("low") && last.text.utf8.count <= 4 && last.isItalic, "\(name): \(last)")
        #expect(!line.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }

    /// libavcodec's reader of markup takes minutes for the second, which is why it does not get all of it.
    @Test(
        .timeLimit(.minutes(30)), arguments: ["ä", "<", "{\\b1}ä", "日\n", "&", "<b>"],
        [AV_CODEC_ID_SUBRIP.rawValue, AV_CODEC_ID_WEBVTT.rawValue, AV_CODEC_ID_ASS.rawValue])
    func aMegabyteIsBounded(_ part: String, _ id: UInt32) throws {
        let head = id == AV_CODEC_ID_ASS.rawValue ? "0,0,Default,,0,0,0,,First " : "First "
        let bytes = Array(head.utf8) + Array(repeating: Array(part.utf8), count: (1 << 20) / part.utf8.count).joined()
        let start = CPUTime.ofThread
        var decoder = try decoder(AVCodecID(id))
        let decoded = try decoder.decode(try packet(bytes))
        #expect(CPUTime.ofThread - start < .seconds(2))
        #expect(decoded.first?.lines.first?.hasPrefix("First") == true)
        for subtitle in decoded {
            #expect(subtitle.lines.count <= 16 && subtitle.lines.allSatisfy { $0.unicodeScalars.count <= 501 })
            #expect((subtitle.markup?.utf8.count ?? 0) <= ASSText.markupLimit)
            #expect(!subtitle.lines.joined().contains("\u{FFFD}"), "no half letter at the cut")
        }
    }

    @Test func noiseInWebVTTIsStillNoText() throws {
        var random = SeededRandom(seed: 5)
        let noise = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) } + [0]
        #expect(try lines(AV_CODEC_ID_WEBVTT, noise) == [])
        #expect(try lines(AV_CODEC_ID_WEBVTT, [0, 1, 2, 3, 0x41]) == [])
    }

    // MARK: - Pictures

    private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    /// One object, all of a colour, in one window.
    private func pgs(width: Int, height: Int, canvas: Int) -> [UInt8] {
        func segment(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + word(body.count) + body }
        var row: [UInt8] = [], left = width
        while left > 0 {
            row += [0, UInt8(0xC0 | min(left, 16383) >> 8), UInt8(min(left, 16383) & 255), 1]
            left -= 16383
        }
        var runs: [UInt8] = []
        for _ in 0..<height where runs.count + row.count < 60_000 { runs += row + [0, 0] }
        let length = runs.count + 4
        // The composition comes first: it empties what was there.
        return segment(
            0x16, word(canvas) + word(canvas) + [0x10] + word(1) + [0x80, 0, 0, 1] + word(0) + [0, 0] + word(0) + word(0))
            + segment(0x14, [0, 0, 1, 200, 128, 128, 255])
            + segment(
                0x15,
                word(0) + [0, 0xC0, UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255)] + word(width)
                    + word(height) + runs)
            + segment(0x80, [])
    }

    @Test(arguments: [
        (64, 32, 1920, 1), (4000, 2000, 2048, 0), (4096, 4096, 4096, 2), (8192, 8192, 8192, 3), (9000, 8000, 9000, 0),
        (65535, 65535, 65535, 0), (16383, 16383, 16383, 0),
        (0, 0, 1920, 0),
    ])
    func aGiantOfADiscIsMadeSmallerOrIsNoImage(_ width: Int, _ height: Int, _ canvas: Int, _ step: Int) async {
        // In a process of its own: the heap of this one is that of all tests.
        await #expect(processExitsWith: .success) { [width, height, canvas, step] in
            let hostile = HostileSubtitleTests(), bytes = hostile.pgs(width: width, height: height, canvas: canvas)
            var decoder = try hostile.decoder(AV_CODEC_ID_HDMV_PGS_SUBTITLE)
            let before = HeapUse.bytes
            for round in 0..<4 {
                let images = try decoder.decode(try hostile.packet(bytes, at: Int64(round) * 1000))
                    .compactMap { if case .image(let image)? = $0.body { image } else { nil } }
                #expect(images.count == min(step, 1))
                guard let image = images.first else { continue }
                #expect(image.width == (width - 1) / step + 1 && image.height == (height - 1) / step + 1)
                #expect(image.canvasSize == PixelSize(width: canvas / step, height: canvas / step))
            }
            let grown = HeapUse.bytes - before
            // libavcodec keeps the last of its objects: 8192 by 8192 bytes are the largest that it reads.
            #expect(grown < 65 << 20, "\(grown) bytes")
        }
    }

    /// A page that names regions, each of them, without a picture in it.
    private func dvb(regions: [Int], width: Int, height: Int, shown: [Int]) -> [UInt8] {
        func segment(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [0x0F, type, 0, 1] + word(body.count) + body }
        let page = segment(0x10, [30, 0x08] + shown.flatMap { [UInt8($0), 0, 0, 0, 0, 0] })
        let all = regions.flatMap { segment(0x11, [UInt8($0), 0x08] + word(width) + word(height) + [0x6C, 0, 1, 0]) }
        return page + all + segment(0x80, [])
    }

    @Test(arguments: [
        ([1, 2], 720, 100, [1, 2], true), ([1], 65535, 65535, [1], false), (Array(0...255), 4000, 2000, Array(0...255), false),
        ([1], 1920, 1080, Array(repeating: 1, count: 9000), false), (Array(0...255), 4000, 2000, [], false),
    ])
    func regionsOfABroadcastAreBounded(
        _ regions: [Int], _ width: Int, _ height: Int, _ shown: [Int], _ isFit: Bool
    ) async {
        await #expect(processExitsWith: .success) { [regions, width, height, shown, isFit] in
            let hostile = HostileSubtitleTests()
            let bytes = hostile.dvb(regions: regions, width: width, height: height, shown: shown)
            var decoder = try hostile.decoder(AV_CODEC_ID_DVB_SUBTITLE)
            let before = HeapUse.bytes, start = CPUTime.ofThread
            for round in 0..<4 { _ = try decoder.decode(try hostile.packet(bytes, at: Int64(round) * 1000)) }
            let grown = HeapUse.bytes - before
            #expect(grown < 64 << 20 && CPUTime.ofThread - start < .seconds(5), "\(grown) bytes")
            #expect((decoder.damageCount == 0) == isFit, "\(decoder.damageCount)")
        }
    }

    @Test func regionsAreBoundedOverSeveralPacketsToo() {
        var tally = DVBRegions(), admitted = 0
        for number in 0..<256 {
            let bytes = dvb(regions: [number], width: 4000, height: 2000, shown: [number])
            if bytes.withUnsafeBufferPointer({ tally.admits($0) }) { admitted += 1 }
        }
        #expect(admitted == DVBRegions.pixelLimit / 8_000_000)
    }

    @Test func cutAndGarbledImagesAreNoTrouble() throws {
        var random = SeededRandom(seed: 9)
        let whole = [pgs(width: 64, height: 32, canvas: 1920), dvb(regions: [1, 2], width: 64, height: 32, shown: [1, 2])]
        for (id, bytes) in zip([AV_CODEC_ID_HDMV_PGS_SUBTITLE, AV_CODEC_ID_DVB_SUBTITLE], whole) {
            var decoder = try decoder(id)
            for count in 1...bytes.count { _ = try decoder.decode(try packet(Array(bytes.prefix(count)))) }
            for _ in 0..<2000 {
                var garbled = bytes
                for _ in 0..<4 {
                    garbled[Int.random(in: garbled.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                _ = try decoder.decode(try packet(garbled))
            }
        }
        var xsub = try decoder(AV_CODEC_ID_XSUB)
        #expect(
            try xsub.decode(try packet(Array("[00:00:01.000-00:00:02.000]".utf8) + [UInt8](repeating: 0xFF, count: 60))).isEmpty)
    }
}

extension SubtitleBytes {
    /// The bytes, changed or not.
    fileprivate static func masked(movText bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { masked(movText: $0) } ?? bytes
    }
}
