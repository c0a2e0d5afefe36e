import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherFormats
@testable import AetherMedia

/// DASH whose media are files: with an index in them, with one that is not there, and without any.
@Suite struct WholeFileTests {
    /// 4 s of 25 frames with audio, each in a file: fragments behind an index, and plain MP4 whose header comes last.
    private struct Film {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let made = try Fixtures.run(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4",
                    "-f",
                    "lavfi", "-i", "sine=f=440:r=48000:d=4", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset",
                    "ultrafast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-bf", "2", "-c:a", "aac",
                    folder.path("all.mp4"),
                ])
            guard made.status == 0 else { throw Fixtures.Failure(description: String(decoding: made.errors, as: UTF8.self)) }
            let flags = ["-movflags", "+dash+global_sidx+frag_keyframe+empty_moov+default_base_moof"]
            for (map, name, more) in [
                ("0:v", "v.mp4", flags), ("0:a", "a.mp4", flags + ["-frag_duration", "1000000"]), ("0:v", "pv.mp4", []),
                ("0:a", "pa.mp4", []),
            ] {
                let made = try Fixtures.run(
                    "ffmpeg",
                    ["-v", "error", "-nostdin", "-y", "-i", folder.path("all.mp4"), "-map", map, "-c", "copy"] + more + [
                        folder.path(name)
                    ])
                guard made.status == 0 else { throw Fixtures.Failure(description: String(decoding: made.errors, as: UTF8.self)) }
            }
        }

        func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: folder.path(name)))) }

        /// SegmentBase with the places of header and index, and of the index alone.
        func base(_ name: String) throws -> (text: String, index: Range<Int>) {
            var place = 0
            for box in MP4Box.list(try bytes(name)) {
                if box.kind == "sidx" {
                    let range = place..<(place + box.bytes.count)
                    return (
                        "<SegmentBase indexRange=\"\(range.lowerBound)-\(range.upperBound - 1)\"><Initialization range=\"0-\(place - 1)\"/></SegmentBase>",
                        range
                    )
                }
                place += box.bytes.count
            }
            throw Fixtures.Failure(description: "\(name) has no index")
        }

        func write(video: String, audio: String, length: String = "mediaPresentationDuration=\"PT4S\"") throws {
            let text = """
                <MPD type="static" \(length)><Period><AdaptationSet mimeType="video/mp4" codecs="avc1.42c00b">
                <Representation id="v" bandwidth="100000" width="96" height="64">\(video)</Representation></AdaptationSet>
                <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2"><Representation id="a" bandwidth="64000">\(audio)</Representation></AdaptationSet>
                </Period></MPD>
                """
            try Data(text.utf8).write(to: URL(filePath: folder.path("m.mpd")))
        }

        func origin(_ changed: [String: TestOrigin.Content] = [:]) throws -> TestOrigin {
            var files = changed
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where files["/" + name] == nil {
                files["/" + name] = .file(folder.path(name))
            }
            return try TestOrigin(files)
        }
    }

    private func catalog(_ address: MediaLocation) throws -> StreamCatalog {
        let interrupt = Interrupt(), input = try MediaInput(.location(address), follows: true, interrupt: interrupt)
        let opening = StreamOpening(options: OpenOptions(), window: nil, interrupt: interrupt, time: SystemTime())
        return try opening.catalog(#require(try StreamDocument(input)))
    }

    /// How many frames there are from a point on, and when the first begins.
    private func rest(_ source: JoinedSource, from point: Double) throws -> (count: Int, first: Double) {
        let start = source.description.info.startTime, reading = try StreamReading(source, from: start + .seconds(point))
        return (reading.video.count, reading.video.min().map { ($0 - start).seconds } ?? -1)
    }

    /// Its index says where the segments lie: what lies before the target of a seek is not read.
    @Test func anIndexInTheMediaIsPlayedBy() throws {
        let film = try Film(), video = try film.base("v.mp4"), audio = try film.base("a.mp4")
        try film.write(video: "<BaseURL>v.mp4</BaseURL>\(video.text)", audio: "<BaseURL>a.mp4</BaseURL>\(audio.text)")
        let origin = try film.origin(), address = MediaLocation.url(origin.address + "/m.mpd")
        let reading = try StreamReading(address)
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
        let asked = origin.requests.filter { $0.target == "/v.mp4" }.compactMap { $0.fields["range"] }
        #expect(asked.first == "bytes=\(video.index.lowerBound)-\(video.index.upperBound - 1)", "\(asked)")
        let source = try StreamReading.open(address), tail = try rest(source, from: 3.1)
        #expect(tail.count == 25 && abs(tail.first - 3) < 0.1, "\(tail)")
        let catalog = try catalog(address)
        for name in ["v", "a"] {
            let index = try catalog.segments(of: name), all = index.numbers.compactMap { index.segment($0) }
            #expect((4...5).contains(all.count) && all.allSatisfy { $0.range != nil && !$0.isWholeFile }, "\(name): \(all.count)")
        }
    }

    /// Another quality, whose index is read when it is wanted, follows at the next segment.
    @Test func qualitiesInFilesFollowOneAnother() throws {
        let film = try Film(), video = try film.base("v.mp4")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-i", film.folder.path("all.mp4"), "-an", "-s", "48x32", "-c:v", "libx264",
                "-preset",
                "ultrafast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-bf", "2", "-movflags",
                "+dash+global_sidx+frag_keyframe+empty_moov+default_base_moof", film.folder.path("l.mp4"),
            ])
        #expect(made.status == 0)
        let low = try film.base("l.mp4").text
        try film.write(
            video:
                "<BaseURL>v.mp4</BaseURL>\(video.text)</Representation><Representation id=\"l\" bandwidth=\"50000\" width=\"48\" height=\"32\">"
                + "<BaseURL>l.mp4</BaseURL>\(low)", audio: "<BaseURL>pa.mp4</BaseURL>")
        let origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/m.mpd"), window: .init(width: 96, height: 64))
        let id = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        #expect(source.description.variants?.active == "v" && !origin.requests.contains { $0.target == "/l.mp4" })
        source.select([id])
        var times: [MediaTime] = []
        while times.count < 10 {
            if case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts { times.append(time) }
        }
        #expect(try source.choose("l", behind: source.description.info.startTime + .seconds(1.2)) == nil)
        do throws(MediaError) {
            while true {
                if case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts { times.append(time) }
            }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        let sorted = times.sorted()
        #expect(sorted.count == 100 && zip(sorted, sorted.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 })
        #expect(Set(source.description.formats[id]?.compactMap(\.size?.width) ?? []) == [96, 48])
    }

    /// An index of two levels, and the media of the second behind the media of the first.
    @Test(arguments: [0, 1]) func anIndexOfTwoLevelsPlays(_ version: Int) throws {
        let film = try Film(), file = try film.bytes("v.mp4"), place = try film.base("v.mp4").index
        let old = try #require(SegmentIndexBox(file[place].dropFirst(8))), media = Array(file[place.upperBound...])
        func sidx(_ start: Int64, _ references: [(size: Int, span: Int64, isIndex: Bool)]) -> [UInt8] {
            let width = version == 0 ? 4 : 8
            var body = [UInt8(version), 0, 0, 0] + MP4Box.number(1, 4) + MP4Box.number(Int(old.timescale), 4)
            body += MP4Box.number(Int(start), width) + MP4Box.number(0, width) + MP4Box.number(references.count, 4)
            for item in references {
                body += MP4Box.number(item.size | (item.isIndex ? 1 << 31 : 0), 4)
                body += MP4Box.number(Int(item.span), 4) + [0x90, 0, 0, 0]
            }
            return MP4Box.number(body.count + 8, 4) + Array("sidx".utf8) + body
        }
        var lower: [[UInt8]] = [], spans: [Int64] = [], start = old.start, offset = 0
        for half in [old.references[..<2], old.references[2...]] {
            let size = half.reduce(0) { $0 + Int($1.size) }, span = half.reduce(0) { $0 + $1.duration }
            lower.append(sidx(start, half.map { (Int($0.size), $0.duration, false) }) + media[offset..<offset + size])
            spans.append(span)
            (start, offset) = (start + span, offset + size)
        }
        let top = sidx(old.start, zip(lower, spans).map { ($0.count, $1, true) })
        try Data(Array(file[..<place.lowerBound]) + top + lower[0] + lower[1]).write(to: URL(filePath: film.folder.path("h.mp4")))
        let range = "\(place.lowerBound)-\(place.lowerBound + top.count - 1)"
        for base in ["<SegmentBase indexRange=\"\(range)\"/>", "<SegmentBase/>"] {
            try film.write(video: "<BaseURL>h.mp4</BaseURL>\(base)", audio: "<BaseURL>pa.mp4</BaseURL>")
            let origin = try film.origin(), reading = try StreamReading(.url(origin.address + "/m.mpd"))
            #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
        }
    }

    /// Plain MP4 whose header is behind its media, with and without SegmentBase, with and without a length in the manifest.
    @Test(arguments: ["", "<SegmentBase/>"], ["mediaPresentationDuration=\"PT4S\"", ""])
    func aPlainFileIsARendition(_ base: String, _ length: String) throws {
        let film = try Film()
        try film.write(video: "<BaseURL>pv.mp4</BaseURL>\(base)", audio: "<BaseURL>pa.mp4</BaseURL>\(base)", length: length)
        let origin = try film.origin()
        // Of a server that knows no parts all of it is asked for once more.
        #expect(try StreamReading(.url(origin.address + "/~norange/m.mpd")).hasEveryFrame())
        for address in [MediaLocation.url(origin.address + "/m.mpd"), .file(film.folder.path("m.mpd"))] {
            let reading = try StreamReading(address)
            #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
            let source = try StreamReading.open(address), duration = try #require(source.description.info.duration)
            #expect(abs(duration.seconds - 4) < 0.1)
            let tail = try rest(source, from: 3.1)
            #expect(tail.count == 25 && abs(tail.first - 3) < 0.1, "\(tail)")
            #expect(try rest(source, from: 0).count == 100, "back to the start")
        }
    }

    /// A file that is still written has no index at its place at first: it plays by its own header, and a seek finds the index that has come.
    @Test func anIndexThatComesLaterIsFound() throws {
        let film = try Film(), video = try film.base("v.mp4"), file = try film.bytes("v.mp4")
        try film.write(video: "<BaseURL>v.mp4</BaseURL>\(video.text)", audio: "<BaseURL>pa.mp4</BaseURL>")
        let isComplete = Monitor(false)
        let origin = try film.origin([
            "/v.mp4": .made { _ in
                var bytes = file
                if !isComplete.read({ $0 }) {
                    let size = MP4Box.number(video.index.count, 4) + Array("free".utf8)
                    bytes.replaceSubrange(video.index.lowerBound..<video.index.lowerBound + 8, with: size)
                }
                return bytes
            }
        ])
        let address = MediaLocation.url(origin.address + "/m.mpd")
        let catalog = try catalog(address), source = try StreamReading.open(address)
        #expect(try rest(source, from: 0).count == 100)
        #expect(try catalog.segments(of: "v").segment(1)?.isWholeFile == true)
        let asked = origin.requests.count
        #expect(try catalog.segments(of: "v").numbers.count == 1 && origin.requests.count == asked, "not each time")
        isComplete.update { $0 = true }
        #expect(try rest(source, from: 3.1).count == 25)
        catalog.retryIndexes(of: "v")
        let index = try catalog.segments(of: "v")
        #expect(index.numbers.count == 4 && index.segment(4)?.range != nil)
    }
}
