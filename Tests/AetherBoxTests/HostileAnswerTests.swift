import AetherCore
import AetherTestSupport
import CBox
import CFFmpeg
import Glibc
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

    @Test func reportsAreBounded() throws {
        let demuxer = try BoxedFixture.demuxer(try BoxedParityTests.shapes[0].clip(), box: nil, analysis: .full)
        let bytes = ContainerReport(opened: demuxer, demuxer.info, name: "a clip").record
        #expect(ContainerReport(record: bytes) != nil)
        #expect(ContainerReport(record: bytes + [0]) == nil)
        // An array in an array, without end.
        var deep = RecordWriter()
        deep.put(UInt32(1))
        for _ in 0..<100_000 {
            deep.put(UInt8(5))
            deep.put(UInt32(1))
        }
        #expect(ContainerReport(record: deep.bytes) == nil)
        var taken = 0
        bent(bytes, 3000) { copy in
            guard let report = ContainerReport(record: copy) else { return }
            taken += 1
            #expect(report.streams.count <= 1024 && report.chapters.count <= 1000)
            _ = report.format.line
        }
        #expect(taken > 0)
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

    /// A payload that lies apart is read within the memory that was given, and never where none was.
    @Test func payloadsThatLieApartAreBounded() throws {
        let packet = try #require(try opened().packets.first { $0.byteCount > 100 })
        let tray = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.byteCount, alignment: 64)
        defer { tray.deallocate() }
        let bytes = try #require(PacketRecord.bytes(of: packet, apart: tray))
        #expect(bytes.count == packet.record.count - packet.byteCount)
        var shelf = PacketShelf(), taken = 0
        func read(_ bytes: [UInt8], _ apart: UnsafeMutableRawBufferPointer?) -> Packet? {
            PacketRecord.boxed(bytes, apart: apart.map { UnsafeRawBufferPointer($0) }, epoch: Epoch(), in: &shelf) {
                Packet.StreamName(id: StreamID(source: 0, number: $0), format: 0)
            }
        }
        #expect(read(bytes, tray)?.record == packet.record)
        #expect(read(bytes, nil) == nil && PacketRecord.length(of: bytes) == nil)
        #expect(read(bytes, UnsafeMutableRawBufferPointer(rebasing: tray.dropLast())) == nil)
        #expect(PacketRecord.packet(bytes, from: 0, apart: UnsafeRawBufferPointer(tray), epoch: Epoch())?.record == packet.record)
        bent(bytes, 3000) { copy in
            guard let packet = read(copy, tray) else { return }
            taken += 1
            #expect(packet.byteCount <= max(copy.count, tray.count) && (0..<1024).contains(packet.stream.number))
        }
        #expect(taken > 0)
        // What is longer than the memory stays with the record.
        #expect(PacketRecord.bytes(of: packet, apart: UnsafeMutableRawBufferPointer(rebasing: tray.dropLast())) == packet.record)
    }

    /// Several packets in one answer: as many as there is room for, each with what is known of it, and nothing beyond the answer and the tray.
    @Test func packetsOfOneAnswerAreBounded() throws {
        let packets = Array(try opened().packets.prefix(5))
        let tray = UnsafeMutableRawBufferPointer.allocate(byteCount: SharedTray.halfBytes, alignment: 64)
        defer { tray.deallocate() }
        tray.initializeMemory(as: UInt8.self, repeating: 9)
        var writer = HandedPackets.Writer(tray)
        #expect(writer.answer == nil)
        for (number, packet) in packets.enumerated() {
            let isPut = writer.put(packet, damageCount: number, isCut: number == 2, position: number == 3 ? nil : Int64(number))
            #expect(isPut)
        }
        let bytes = try #require(writer.answer)
        var shelf = PacketShelf(), taken = 0
        func read(_ handed: HandedPackets, _ packet: HandedPackets.Packet) -> Packet? {
            let apart = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(tray)[packet.offset...])
            return PacketRecord.boxed(handed.bytes, at: packet.record, apart: apart, epoch: Epoch(), in: &shelf) {
                Packet.StreamName(id: StreamID(source: 0, number: $0), format: 0)
            }
        }
        let whole = try #require(HandedPackets(bytes))
        #expect(whole.packets.count == packets.count && HandedPackets(bytes + [0]) == nil && HandedPackets([]) == nil)
        for (number, (packet, came)) in zip(packets, whole.packets).enumerated() {
            let record = read(whole, came)?.record
            #expect(record == packet.record)
            #expect(
                came.damageCount == number && came.isCut == (number == 2) && came.position == (number == 3 ? nil : Int64(number)))
        }
        bent(bytes, 3000) { copy in
            guard var handed = HandedPackets(copy) else { return }
            taken += 1
            #expect(handed.packets.count <= HandedPackets.most)
            while let next = handed.next() {
                if let packet = read(handed, next) { #expect(packet.byteCount <= max(copy.count, tray.count)) }
            }
        }
        #expect(taken > 0)
    }

    @Test func answerIsFullBeforeItKeepsAnybodyWaiting() throws {
        let packet = try #require(try opened().packets.first { $0.byteCount > 100 })
        let tray = UnsafeMutableRawBufferPointer.allocate(byteCount: SharedTray.halfBytes, alignment: 64)
        defer { tray.deallocate() }
        var many = HandedPackets.Writer(tray)
        for _ in 0..<HandedPackets.most {
            #expect(!many.isFull)
            _ = many.put(packet, damageCount: 0, isCut: false, position: nil)
        }
        #expect(many.isFull)
        // One that is too long for the tray goes with the answer, and is its last.
        var long = HandedPackets.Writer(UnsafeMutableRawBufferPointer(rebasing: tray[..<(packet.byteCount - 1)]))
        _ = long.put(packet, damageCount: 0, isCut: false, position: nil)
        #expect(long.answer.map { $0.count > packet.byteCount } == true)
        let handed = try #require(long.answer.flatMap { HandedPackets($0) })
        #expect(handed.packets.map { Array(handed.bytes[$0.record]) } == [packet.record])
    }

    /// Packets of streams that are no longer wanted do not come.
    @Test func packetsThatAreNoLongerWantedAreLeftOut() throws {
        let tray = UnsafeMutableRawBufferPointer.allocate(byteCount: SharedTray.halfBytes, alignment: 64)
        defer { tray.deallocate() }
        var writer = HandedPackets.Writer(tray)
        for (number, packet) in try opened().packets.prefix(4).enumerated() {
            _ = writer.put(packet, damageCount: number, isCut: false, position: nil)
        }
        var handed = try #require(writer.answer.flatMap { HandedPackets($0) })
        _ = handed.next()
        handed.keep { $0.damageCount != 2 }
        #expect(handed.packets.map(\.damageCount) == [1, 3])
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

    // MARK: - Subtitles

    private static let subtitles: [DecodedSubtitle] = {
        let size = PixelSize(width: 720, height: 576)
        let image = SubtitleImage(
            width: 40, height: 3, indices: (0..<120).map { UInt8($0 / 50) }, palette: [0, 0xFF00_00FF, 0x8000_0080], x: -4,
            y: 500,
            canvasSize: size, isForced: true)
        let runs = [
            SubtitleTextRun("One\n", color: SubtitleColor(r: 1, g: 2, b: 3), isBold: true, isUnderlined: true),
            SubtitleTextRun("two", isItalic: true, isStruckThrough: true, fontName: "Sans", fontSize: 20),
        ]
        let place = SubtitleTextPlacement(alignment: 7, position: SubtitlePoint(x: 0.25, y: 1))
        return [
            DecodedSubtitle(
                start: .seconds(1), end: .seconds(2), body: .text("A line\nand another"), markup: "0,Default,,0,0,0,,A"),
            DecodedSubtitle(start: .seconds(-1), end: nil, body: .richText(runs), placement: place),
            DecodedSubtitle(start: .seconds(3), end: nil, body: .image(image), isReplacedByNext: true),
            DecodedSubtitle(start: .seconds(4), end: nil, body: nil),
        ]
    }()

    @Test func subtitlesAreBoundedAndSafe() throws {
        var record = RecordWriter()
        SubtitleRecord.put(Self.subtitles, to: &record)
        func read(_ bytes: [UInt8]) -> [DecodedSubtitle]? {
            var reader = RecordReader(bytes)
            let found = SubtitleRecord.subtitles(&reader)
            return reader.isWhole ? found : nil
        }
        #expect(read(record.bytes) == Self.subtitles)
        var taken = 0
        bent(record.bytes, 6000) { copy in
            guard let found = read(copy) else { return }
            taken += 1
            for subtitle in found {
                #expect(subtitle.lines.allSatisfy { DisplayText.printable($0) == $0 })
                if case .image(let image) = subtitle.body { #expect(image.image.pixels.count == image.width * image.height) }
            }
        }
        #expect(taken > 0 && taken < 6000)
    }

    @Test(arguments: ["\u{1B}[2J", "a\u{9B}b", "\u{202E}"])
    func textsThatSpeakToTheTerminalAreRefused(_ text: String) {
        var record = RecordWriter()
        SubtitleRecord.put([DecodedSubtitle(start: .zero, end: nil, body: .text(text))], to: &record)
        var reader = RecordReader(record.bytes)
        _ = SubtitleRecord.subtitles(&reader)
        #expect(reader.isBroken)
    }

    @Test func layersLieInTheirFrame() throws {
        let size = PixelSize(width: 64, height: 36)
        let layer = SubtitleLayer(x: 10, y: 20, image: RasterImage(width: 8, height: 4, fill: 0x8000_4000))
        let bytes = ScriptRecord.bytes(of: .layer(layer))
        #expect(ScriptRecord.drawn(bytes, within: size) == .layer(layer))
        #expect(ScriptRecord.drawn(bytes, within: PixelSize(width: 17, height: 36)) == nil)
        #expect(ScriptRecord.drawn(bytes, within: PixelSize(width: 0, height: 0)) == nil)
        for other in [ScriptRecord.Drawn.same, .layer(nil)] {
            #expect(ScriptRecord.drawn(ScriptRecord.bytes(of: other), within: size) == other)
        }
        bent(bytes, 3000) { copy in
            guard case .layer(let layer?) = ScriptRecord.drawn(copy, within: size) else { return }
            #expect(layer.x >= 0 && layer.y >= 0 && layer.x + layer.image.width <= 64 && layer.y + layer.image.height <= 36)
        }
    }

    @Test func ordersComeAsTheyWent() {
        var look = SubtitleLook()
        (look.font, look.size, look.colour, look.overridesScripts) = ("Sans", 20, 0xFFE000, true)
        let orders: [ScriptOrder] = [
            .frame(
                ScriptFrame(
                    size: PixelSize(width: 640, height: 360), pixelAspect: 1.5, storage: PixelSize(width: 720, height: 576),
                    fontScale: 1.2, linePosition: 10)),
            .look(look, isScript: true), .event(ScriptEvent(markup: "0,A", number: -3, start: .zero, end: .seconds(1))),
            .removeAll,
        ]
        var record = RecordWriter()
        ScriptRecord.put(orders, to: &record)
        var reader = RecordReader(record.bytes)
        #expect(ScriptRecord.orders(&reader) == orders && reader.isWhole)
        bent(record.bytes, 3000) { copy in
            var reader = RecordReader(copy)
            _ = ScriptRecord.orders(&reader)
        }
    }

    @Test func errorsAreSentences() {
        let error = MediaError(.readFailed, "read packet", subject: "a", cause: -5, reason: "why")
        let bytes = ErrorRecord.bytes(of: error)
        #expect(ErrorRecord.error(bytes) == error)
        bent(bytes, 2000) { _ = ErrorRecord.error($0).description }
        #expect(ErrorRecord.error([]).code == .internalFailure)
    }

    /// A worker that reads nothing does not hold the player, not even where a descriptor goes along.
    @Test func sendingHasABound() {
        var ours: Int32 = -1, theirs: Int32 = -1
        #expect(box_socket_pair(&ours, &theirs) == 0)
        defer { close(theirs) }
        let line = BoxLine(socket: ours, closes: true)
        var faults: [BoxFault] = []
        do throws(BoxFault) {
            while true { try line.send(BoxMessage(.state, [UInt8](repeating: 0, count: 1 << 16)), within: .milliseconds(20)) }
        } catch {
            faults.append(error)
        }
        do throws(BoxFault) {
            try line.send(BoxMessage(.state), descriptor: theirs, within: .milliseconds(20))
        } catch {
            faults.append(error)
        }
        #expect(faults == [.hung, .hung])
    }
}
