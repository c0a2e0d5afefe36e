import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// A Blu-ray disc as the engine reads it.
struct BluRaySourceTests {
    private func input(
        _ files: [UDFWriter.File]? = nil, choice: DiscChoice = DiscChoice()
    ) throws -> MediaInput {
        let bytes = UDFWriter.image(try files ?? BluRayFixture.made().files(), isFragmented: true)
        return try MediaInput(.custom(MemoryReader(bytes), name: "disc.iso"), disc: choice, interrupt: Interrupt())
    }

    private func source(
        _ files: [UDFWriter.File]? = nil, choice: DiscChoice = DiscChoice()
    ) throws -> BluRaySource {
        guard case .reader(let reader, let name) = try input(files, choice: choice) else {
            throw MediaError(.internalFailure, "read")
        }
        return try BluRaySource(
            try #require(reader as? BluRayReader), name: name, options: OpenOptions(), interrupt: Interrupt())
    }

    /// All packets from where it stands.
    private func packets(_ source: BluRaySource) throws -> [Packet] {
        var packets: [Packet] = []
        do throws(MediaError) {
            while true {
                switch try source.read(run: Epoch(1)) {
                case .packet(let packet): packets.append(packet)
                case .described: break
                default: Issue.record("another event")
                }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
        return packets
    }

    /// The payloads of a kind of packets of files, as libavformat reads them by themselves.
    private func payloads(_ files: [String], _ kind: StreamInfo.Kind) throws -> [[UInt8]] {
        try files.flatMap { file -> [[UInt8]] in
            var demuxer = try Demuxer(.reader(FileReader(path: file), name: file), interrupt: Interrupt())
            let stream = try #require(demuxer.info.streams.first { $0.kind == kind })
            var found: [[UInt8]] = []
            do throws(MediaError) {
                while true {
                    let packet = try demuxer.read(epoch: Epoch(1))
                    if packet.stream == stream.id { found.append(packet.bytes(limit: .max)) }
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
            }
            return found
        }
    }

    @Test func theTitleHasEveryFrameOfItsClipsOnce() throws {
        let fixture = try BluRayFixture.made(), source = try source()
        let video = try #require(source.description.info.streams.first { $0.kind == .video }).id
        let packets = try packets(source), frames = packets.filter { $0.stream == video }
        let wanted = try payloads(fixture.clips.prefix(2).map(\.path), .video)
        #expect(frames.count == 250 && frames.map { $0.bytes(limit: .max) } == wanted)
        let times = frames.compactMap(\.pts).sorted()
        #expect(times.count == 250)
        for (index, time) in times.enumerated() {
            #expect(abs(time.seconds - Double(index) * 0.04) < 0.000_1, "frame \(index) at \(time.seconds)")
        }
        let audio = try #require(source.description.info.streams.first { $0.kind == .audio }).id
        let sounds = packets.filter { $0.stream == audio }.compactMap(\.pts)
        let steps = zip(sounds, sounds.dropFirst()).map { ($1 - $0).seconds }
        // Packets of 32 ms; at the border less than one is heard twice or missing.
        #expect(abs(Double(sounds.count) * 0.032 - 10) < 0.07, "\(sounds.count)")
        #expect(
            steps.count { abs($0 - 0.032) > 0.000_1 } <= 1 && steps.allSatisfy { $0 > 0 && $0 < 0.064 },
            "\(steps.filter { abs($0 - 0.032) > 0.000_1 })")
    }

    @Test func thePlaylistDescribesTheSource() throws {
        let info = try source().description.info
        #expect(info.duration == .seconds(10) && info.startTime == .zero && info.isSeekable)
        #expect(info.containerLongName == "Blu-ray")
        #expect(info.streams.filter { $0.kind == .audio }.compactMap(\.track?.language) == ["deu", "eng"])
        let subtitles = info.streams.filter { $0.kind == .subtitle }
        #expect(subtitles.compactMap(\.track?.language) == ["fra"] && subtitles.allSatisfy { $0.isDecodable })
        #expect(info.titles.map(\.id) == [1, 2] && info.titles.map(\.isDefault) == [true, false])
        #expect(info.titles.allSatisfy { $0.kind == .disc } && info.titles.map(\.duration) == [.seconds(10), .seconds(3)])
        #expect(info.chapters.map(\.start.seconds) == [0, 2, 6, 9])
        #expect(try source(choice: DiscChoice(title: 2)).description.info.duration == .seconds(3))
    }

    @Test func anglesAreOtherClips() throws {
        let fixture = try BluRayFixture.made()
        for angle in [1, 2] {
            let source = try source(choice: DiscChoice(title: 2, angle: angle))
            let video = try #require(source.description.info.streams.first { $0.kind == .video }).id
            let frames = try packets(source).filter { $0.stream == video }
            #expect(try frames.map { $0.bytes(limit: .max) } == payloads([fixture.clips[1 + angle].path], .video))
        }
    }

    @Test(arguments: [0.0, 0.02, 1.98, 2, 5.92, 5.96, 5.999, 6, 6.04, 6.4, 8.96, 9, 9.96])
    func aSeekLandsBeforeTheFrameThatIsWanted(_ seconds: Double) throws {
        let source = try source(), video = try #require(source.description.info.streams.first { $0.kind == .video }).id
        _ = try source.read(run: Epoch(1))
        let target = MediaTime.zero + .seconds(seconds)
        #expect(try source.seek(to: SeekPlan(target: target, landing: .exact), video: video))
        let frames = try packets(source).filter { $0.stream == video }
        let first = try #require(frames.first), begin = try #require(first.pts)
        #expect(first.isKey && begin <= target && target - begin <= .milliseconds(480), "\(begin.seconds) for \(target.seconds)")
        #expect(frames.count == 250 - Int((begin.seconds / 0.04).rounded()), "\(frames.count) frames from \(begin.seconds) s on")
    }

    /// A part that begins and ends within its clip shows its own frames, and the others are decoded only where these need them.
    @Test func framesOutsideOfAPartAreHidden() throws {
        let fixture = try BluRayFixture.made(), clip = fixture.clips[0], start = clip.frames[30], end = clip.frames[60]
        var files = try fixture.files().filter { !$0.path.hasSuffix("mpls") }
        let item = BluRayTables.Item(clips: [1], start: start / 2, end: end / 2)
        files.append(("BDMV/PLAYLIST/00001.mpls", BluRayTables.playlist([item], marks: [], streams: BluRayFixture.streams)))
        let source = try source(files)
        #expect(source.description.info.duration == .seconds(1.2))
        let stream = try #require(source.description.info.streams.first { $0.kind == .video })
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1), shown: [MediaTime] = []
        func drain() throws { while let frame = try decoder.receive() { if let time = frame.pts { shown.append(time) } } }
        for packet in try packets(source) where packet.stream == stream.id {
            while try decoder.send(packet) == .full { try drain() }
            try drain()
        }
        _ = try decoder.send(nil)
        do throws(MediaError) {
            while let frame = try decoder.receive() { if let time = frame.pts { shown.append(time) } }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        #expect(shown.count == 30 && shown == shown.sorted())
        #expect(abs((shown.first ?? .zero).seconds) < 0.001 && abs((shown.last ?? .zero).seconds - 1.16) < 0.001)
    }

    @Test func subtitlesOfBothClipsAreShown() throws {
        let source = try source(), stream = try #require(source.description.info.streams.first { $0.kind == .subtitle })
        let packets = try packets(source).filter { $0.stream == stream.id && $0.byteCount > 0 }
        var decoder = try SubtitleDecoder(stream.parameters)
        let cues = try packets.flatMap { try decoder.decode($0) }.filter {
            if case .image? = $0.body { return true }
            return false
        }
        #expect(cues.count == 2)
        let starts = packets.compactMap(\.pts).map(\.seconds)
        #expect(starts.contains { abs($0 - 1) < 0.1 } && starts.contains { abs($0 - 7) < 0.1 }, "\(starts)")
    }

    /// A round trip for each playlist would be seconds: two hundred are read by few requests, clips that lie far apart by some more.
    @Test func aDiscOnAServerIsOpenedByFewRequests() throws {
        let files = try BluRayFixture.made().files(), filler = [UInt8](repeating: 0x55, count: 12 << 20)
        let list = try #require(files.first { $0.path.hasSuffix("00003.mpls") }).bytes
        var spread = files.filter { !$0.path.hasSuffix("m2ts") && !$0.path.contains("BACKUP") }
        spread += (100..<300).map { (String(format: "BDMV/PLAYLIST/%05d.mpls", $0), list) }
        for file in files where file.path.hasSuffix("m2ts") { spread += [("FILL/" + file.path.suffix(10), filler), file] }
        let origin = try TestOrigin(["/disc.iso": .bytes(UDFWriter.image(spread))])
        let input = try MediaInput(.location(.url(origin.address + "/disc.iso")), interrupt: Interrupt())
        guard case .reader(let bytes, let name) = input else { throw MediaError(.internalFailure, "read") }
        let reader = try #require(bytes as? BluRayReader), opened = origin.requests.count
        #expect(reader.disc.titles.map(\.number) == [1, 2] && opened <= 10, "\(opened) requests")
        let source = try BluRaySource(reader, name: name, options: OpenOptions(), interrupt: Interrupt())
        _ = try source.read(run: Epoch(1))
        let playing = origin.requests.count
        #expect(playing <= 15, "\(playing) requests")
        let video = try #require(source.description.info.streams.first { $0.kind == .video }).id
        #expect(try source.seek(to: SeekPlan(target: .zero + .seconds(7), landing: .exact), video: video))
        let rest = try packets(source).filter { $0.stream == video }
        #expect(rest.first?.isKey == true && (rest.last?.pts ?? .zero).seconds > 9.8)
        #expect(origin.requests.count <= 20, "\(origin.requests.count) requests")
    }

    @Test func discsAreLookedForOnlyWhereTheyMayBe() throws {
        guard case .reader(let reader, _) = try input(choice: DiscChoice(isLookedFor: false)) else { return }
        #expect(reader is MemoryReader)
    }

    @Test func anEncryptedDiscIsSaidToBeOne() throws {
        var files = try BluRayFixture.made().files() + [("AACS/MKB_RO.inf", [0])]
        for index in files.indices where files[index].path.hasSuffix(".m2ts") {
            for place in files[index].bytes.indices where place % 6144 >= 16 { files[index].bytes[place] ^= 0x5A }
        }
        let error = try #require(throws: MediaError.self) { try input(files) }
        #expect(error.code == .unsupported && "\(error)".contains("encrypted"), "\(error)")
    }

    /// libbluray reads the same discs: writer and reader are not wrong together.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/bd_splice"), "libbluray-bin is not installed"))
    func libblurayFindsTheSame() throws {
        let folder = try TemporaryFolder(), image = folder.path("disc.iso"), tree = folder.path("tree")
        let files = try BluRayFixture.made().files(), streams = files.filter { $0.path.hasSuffix("m2ts") }.map(\.bytes)
        try Data(UDFWriter.image(files, isFragmented: true)).write(to: URL(fileURLWithPath: image))
        try BluRayFixture.write(files, to: tree)
        for place in [image, tree] {
            let list = String(decoding: try Fixtures.run("bd_list_titles", [place]).output, as: UTF8.self)
            #expect(list.contains("duration: 00:00:10 chapters:   4 angles:  1 clips:   2 (playlist: 00001.mpls)"), "\(list)")
            #expect(list.contains("duration: 00:00:03 chapters:   1 angles:  2 clips:   1 (playlist: 00002.mpls)"), "\(list)")
            #expect(!list.contains("00004.mpls"), "a loop")
            // It empties the packets of streams that are not chosen, and leaves out those before the first unit.
            let joined = Array(try Fixtures.run("bd_splice", ["-p", "1", place]).output), both = streams[0] + streams[1]
            #expect(video(of: joined) == video(of: both) && !joined.isEmpty)
            let angle = Array(try Fixtures.run("bd_splice", ["-p", "2", "-a", "2", place]).output)
            #expect(angle.count == streams[3].count && video(of: angle) == video(of: streams[3]))
        }
        withExtendedLifetime(folder) {}
    }

    /// The packets of the video.
    private func video(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: 192).map { bytes[$0..<$0 + 192] }.filter { packet in
            let place = packet.startIndex
            return packet[place + 5] & 0x1F == 0x10 && packet[place + 6] == 0x11
        }
    }
}
