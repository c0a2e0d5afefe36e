import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// A DVD as the engine reads it.
@Suite(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
struct DiscSourceTests {
    private func source(_ location: String? = nil, title: Int? = nil) throws -> DiscSource {
        let path = try location ?? DVDFixture.made().image
        let input = try MediaInput(.location(.file(path)), disc: DiscChoice(title: title), interrupt: Interrupt())
        guard case .reader(let reader, let name) = input else { throw MediaError(.internalFailure, "read") }
        return try DiscSource(try #require(reader as? TitleReader), name: name, options: OpenOptions(), interrupt: Interrupt())
    }

    /// All packets from where it stands.
    private func packets(_ source: DiscSource) throws -> (packets: [Packet], seams: [TimelineSeams]) {
        var packets: [Packet] = [], seams: [TimelineSeams] = []
        do throws(MediaError) {
            while true {
                switch try source.read(run: Epoch(1)) {
                case .packet(let packet): packets.append(packet)
                case .discontinuity(0, let found): seams.append(found)
                default: Issue.record("another event")
                }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
        return (packets, seams)
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

    @Test func theTitleHasEveryFrameOfItsObjectsInOrder() throws {
        let fixture = try DVDFixture.made(), source = try source()
        let video = try #require(source.description.info.streams.first { $0.kind == .video }).id
        let (packets, seams) = try packets(source)
        let frames = packets.filter { $0.stream == video }
        let wanted = try payloads([fixture.objects[0], fixture.objects[1]], .video)
        #expect(frames.count == 275 && frames.map(\.byteCount) == wanted.map(\.count))
        // dvdauthor writes other time codes before key frames.
        let same = zip(frames, wanted).count { frame, bytes in frame.bytes(limit: .max) == bytes }
        #expect(same == frames.count { !$0.isKey } && same == 247)
        // dvdauthor counts the audio of an object, which ends within a frame, as its end. libavformat gives a frame without a time here and there.
        let start = source.description.info.startTime, second = start + .milliseconds(6010.667)
        let times = frames.compactMap(\.pts)
        #expect(times.count >= 270 && Set(times).count == times.count)
        for time in times {
            let place = (time - (time < second - .milliseconds(20) ? start : second)).seconds / 0.04
            #expect(abs(place - place.rounded()) < 0.001, "a frame at \((time - start).seconds)")
        }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { ($0.dts ?? .zero) <= ($1.dts ?? .zero) })
        #expect(seams.count == 1 && seams[0].segments.count == 1)
        #expect((seams[0].segments[0].from - second).magnitude < .milliseconds(0.02))
    }

    /// A disc that was not copied to its end plays as far as it goes, and then says so.
    @Test func aDiscThatBreaksOffSaysSo() throws {
        let folder = try TemporaryFolder(), from = try DVDFixture.made().folder + "/VIDEO_TS/"
        for name in try FileManager.default.contentsOfDirectory(atPath: from) {
            let bytes = try Data(contentsOf: URL(filePath: from + name))
            try bytes.prefix(name == "VTS_01_1.VOB" ? 600_000 : .max).write(to: folder.url.appending(path: name))
        }
        let source = try source(folder.url.path)
        var count = 0
        let error = #expect(throws: MediaError.self) {
            while true { if case .packet = try source.read(run: Epoch(1)) { count += 1 } }
        }
        #expect(error?.code == .readFailed && error?.reason.contains("incomplete") == true && count > 50)
        #expect((source.description.info.duration ?? .zero) < .seconds(11))
    }

    @Test func audioGoesOnOverTheBorder() throws {
        let source = try source(), audio = try #require(source.description.info.streams.first { $0.kind == .audio }).id
        let times = try packets(source).packets.filter { $0.stream == audio }.compactMap(\.pts)
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(times.count > 340)
        // 32 ms a packet.
        // The first object's begins 5 ms before its video, and so does the second's.
        let odd = steps.filter { ($0 - .milliseconds(32)).magnitude > .milliseconds(0.04) }
        #expect(odd.count == 1 && odd.allSatisfy { ($0 - .milliseconds(26.667)).magnitude < .milliseconds(0.1) }, "\(odd)")
    }

    @Test func theTablesDescribeTheSource() throws {
        let info = try source().description.info
        #expect(((info.duration ?? .zero) - .seconds(11)).magnitude < .milliseconds(50))
        #expect(info.isSeekable && info.containerLongName == "DVD-Video")
        let audio = info.streams.filter { $0.kind == .audio }.compactMap(\.track)
        #expect(audio.map(\.language) == ["de", "en"] && audio.map(\.isCommentary) == [false, true])
        let subtitles = info.streams.filter { $0.kind == .subtitle }
        #expect(subtitles.compactMap(\.track).map(\.language) == ["fr", "es"])
        #expect(subtitles.allSatisfy { $0.isDecodable && $0.track?.isBitmapSubtitle == true })
        let header = try #require(subtitles.first).parameters.header(limit: 1000)
        #expect(String(decoding: header, as: UTF8.self).contains("palette: "))
        #expect(info.titles.map(\.id) == [1, 2] && info.titles.map(\.isDefault) == [true, false])
        #expect(info.titles.allSatisfy { $0.kind == .disc } && info.chapters.count == 4)
        let starts = info.chapters.map { ($0.start - info.startTime).seconds }
        #expect(starts[0] == 0 && abs(starts[1] - 2) < 0.001 && abs(starts[2] - 6.0107) < 0.001, "\(starts)")
        let other = try #require(try source(title: 2).description.info.duration)
        #expect((other - .seconds(4)).magnitude < .milliseconds(50))
    }

    @Test func subtitlesHaveTheColoursOfTheTables() throws {
        let source = try source(), stream = try #require(source.description.info.streams.first { $0.kind == .subtitle })
        let packets = try packets(source).packets.filter { $0.stream == stream.id && $0.byteCount > 0 }
        #expect(packets.count == 2, "one in each object")
        var decoder = try SubtitleDecoder(stream.parameters)
        let images = try packets.flatMap { try decoder.decode($0) }.compactMap { cue -> SubtitleImage? in
            if case .image(let image)? = cue.body { return image }
            return nil
        }
        let colours = Set(images.flatMap(\.image.pixels).filter { $0 >> 24 == 0xFF })
        #expect(images.count == 2 && !colours.isEmpty)
        for colour in colours {
            let (red, green, blue) = (colour & 0xFF, colour >> 8 & 0xFF, colour >> 16 & 0xFF)
            #expect(red > 0xE8 && green < 0x20 && blue < 0x20, "\(String(colour, radix: 16))")
        }
    }

    @Test(arguments: [0.0, 1.98, 2, 5.92, 5.96, 5.999, 6, 6.04, 6.4, 8.96, 9, 10.96])
    func aSeekLandsBeforeTheFrameThatIsWanted(_ seconds: Double) throws {
        let source = try source(), video = try #require(source.description.info.streams.first { $0.kind == .video }).id
        _ = try source.read(run: Epoch(1))
        let target = source.description.info.startTime + .seconds(seconds)
        #expect(try source.seek(to: SeekPlan(target: target, landing: .exact), video: video))
        let frames = try packets(source).packets.filter { $0.stream == video }
        let first = try #require(frames.first), begin = try #require(first.pts)
        #expect(first.isKey && begin <= target && target - begin < .milliseconds(1000), "\(begin.seconds) for \(target.seconds)")
        // The last frame before the end begins at 10.96 s: nothing is missing from there on.
        let offset = (begin - source.description.info.startTime).seconds
        let count = Int((offset / 0.04).rounded())
        #expect(frames.count == 275 - count, "\(frames.count) frames from \(offset) s on")
    }

    @Test func folderAndImageAreTheSameSource() throws {
        let fixture = try DVDFixture.made()
        let places = [fixture.image, fixture.folder, fixture.folder + "/VIDEO_TS/VIDEO_TS.IFO"]
        let both = try places.map { try packets(source($0)).packets }
        #expect(both[0].count > 600 && both.allSatisfy { $0.map(\.byteCount) == both[0].map(\.byteCount) })
        #expect(both.allSatisfy { $0.map(\.pts) == both[0].map(\.pts) })
        #expect(MediaLocation.file(fixture.folder).isDiscFolder && !MediaLocation.file(fixture.image).isDiscFolder)
    }

    @Test func anEncryptedDiscIsSaidToBeOne() throws {
        var image = Array(try Data(contentsOf: URL(filePath: DVDFixture.made().image)))
        for start in stride(from: 0, to: image.count - 2048, by: 2048)
        where image[start..<start + 4] == [0, 0, 1, 0xBA] && image[start + 17] == 0xE0 {
            image[start + 20] |= 0x30
        }
        let input = try MediaInput(.custom(MemoryReader(image), name: "locked.iso"), interrupt: Interrupt())
        guard case .reader(let bytes, let name) = input, let reader = bytes as? TitleReader else {
            Issue.record("no disc")
            return
        }
        let error = try #require(throws: MediaError.self) {
            try DiscSource(reader, name: name, options: OpenOptions(), interrupt: Interrupt())
        }
        #expect(error.code == .unsupported && "\(error)".contains("encrypted"), "\(error)")
    }
}
