import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Sources in segments: every frame in its place, whatever their shape, and whatever the server does.
@Suite struct StreamSourceTests {
    @Test(arguments: SegmentedVideo.Shape.allCases)
    func everyFrameOfAStreamIsInItsPlace(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/" + shape.manifest))
        #expect(reading.hasEveryFrame(), "\(reading.video.count)")
        #expect(reading.isAudioWhole, "\(reading.audio.count)")
        #expect(reading.damage == 0)
        // Each file is asked for once.
        let counts = Dictionary(grouping: origin.requests, by: \.target).mapValues(\.count)
        #expect(counts.values.allSatisfy { $0 <= (shape.hasFiles ? 3 : 1) }, "\(counts)")
    }

    @Test(arguments: SegmentedVideo.Shape.allCases)
    func aLocalPlaylistPlaysTheSame(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape)
        let reading = try StreamReading(.file(film.path(shape.manifest)))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0)
        #expect(reading.source.description.info.container == (shape.isDASH ? "dash" : "hls"))
    }

    @Test(arguments: [
        "drop=700", "drop=700,norange,drops=2", "norange", "chunked", "unbounded", "fail=503:1", "redir=2", "close", "whole",
    ])
    func aServerThatMisbehavesCostsNoFrame(_ fault: String) throws {
        for shape in SegmentedVideo.Shape.allCases {
            let film = try SegmentedVideo(shape), origin = try film.origin()
            let reading = try StreamReading(.url(origin.address + "/~\(fault)/\(shape.manifest)"))
            #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(shape) \(reading.video.count)")
        }
    }

    @Test(arguments: SegmentedVideo.Shape.allCases) func aSeekBeginsWithTheSegmentOfItsTarget(_ shape: SegmentedVideo.Shape)
        throws
    {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/" + shape.manifest))
        let start = source.description.info.startTime
        let reading = try StreamReading(source, from: start + .seconds(2.5))
        let first = try #require(reading.video.min())
        #expect(abs((first - start).seconds - 2) < 0.1 && reading.video.count == 50, "\(first)")
        // The opening: two documents, an init section, the first segment and the one ahead of it. Then two segments of video, and at most three
        // of audio with its playlist and init section, and one on the way.
        #expect(origin.requests.count <= 13, "\(origin.requests.map(\.target))")
    }

    @Test func aMissingSegmentIsPassedByWhereNobodyHasIt() throws {
        let film = try SegmentedVideo(.ciphered)
        try film.rewrite("master.m3u8") { $0.replacingOccurrences(of: "s2.ts", with: "gone.ts") }
        let origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/master.m3u8"))
        #expect(reading.video.count == 75 && reading.damage == 1)
        // Later frames stay in their place.
        let start = try #require(reading.video.min())
        #expect(reading.video.filter { $0 - start >= .seconds(2.99) }.count == 25)
    }

    @Test func aMissingSegmentIsTakenFromAnotherRendition() throws {
        let film = try SegmentedVideo(.transport)
        let list = try String(contentsOfFile: film.path("l0.m3u8"), encoding: .utf8)
        try Data(list.replacingOccurrences(of: "s0_1.ts", with: "gone.ts").utf8).write(to: URL(filePath: film.path("bad.m3u8")))
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=96x64,CODECS="avc1.42c00b"
            bad.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=96x64,CODECS="avc1.42c00b"
            l0.m3u8

            """
        try Data(master.utf8).write(to: URL(filePath: film.path("two.m3u8")))
        let origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/two.m3u8"))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        #expect(origin.requests.contains { $0.target == "/bad.m3u8" } && origin.requests.contains { $0.target == "/gone.ts" })

        // One that says itself that it is not there is not even asked for.
        let gap = list.replacingOccurrences(of: "s0_1.ts", with: "#EXT-X-GAP\nlost.ts")
        try Data(gap.utf8).write(to: URL(filePath: film.path("bad.m3u8")))
        let second = try film.origin(), other = try StreamReading(.url(second.address + "/two.m3u8"))
        #expect(other.hasEveryFrame() && other.damage == 0, "\(other.video.count)")
        #expect(second.requests.contains { $0.target == "/bad.m3u8" } && !second.requests.contains { $0.target == "/lost.ts" })
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST\n", "nothing to play"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n../../etc/passwd\n#EXT-X-ENDLIST\n", "folder"),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
                + "#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n", "FairPlay"
        ),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nlist.m3u8\n#EXT-X-ENDLIST\n", ""),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nnone.ts\n#EXTINF:1,\nnone.ts\n#EXT-X-ENDLIST\n", "No such file"),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:1,\nnone.ts\n#EXT-X-ENDLIST\n",
            "the key that decrypts the media: No such file"
        ),
    ])
    func whatCannotBePlayedSaysWhy(_ text: String, _ words: String) throws {
        let folder = try TemporaryFolder(), path = folder.path("list.m3u8")
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: MediaError.self) { try StreamReading(.file(path)) }
        #expect(words.isEmpty || "\(error?.reason ?? "")".contains(words), "\(error?.reason ?? "")")
    }

    /// Of qualities of which nothing is said the first may be audio alone: then the one with the most bits is looked at.
    @Test func theVideoOfAFilmWhoseFirstQualityIsAudioAloneIsPlayed() throws {
        let film = try SegmentedVideo(.transport), list = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nl1.m3u8\n"
        try film.write("m.m3u8", list + "#EXT-X-STREAM-INF:BANDWIDTH=464000\nl0.m3u8\n")
        let reading = try StreamReading(.file(film.path("m.m3u8")))
        let variants = try #require(reading.source.description.variants)
        #expect(reading.hasEveryFrame() && variants.active == "l0.m3u8")
        #expect(variants.list.map(\.hasVideo) == [false, true])
    }

    /// A radio whose qualities say nothing either: the first one is played, whatever became of the other.
    @Test(arguments: ["l1.m3u8?", "none.m3u8"]) func aRadioPlaysItsFirstQuality(_ other: String) throws {
        let film = try SegmentedVideo(.transport), list = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nl1.m3u8\n"
        try film.write("m.m3u8", list + "#EXT-X-STREAM-INF:BANDWIDTH=464000\n\(other)\n")
        let reading = try StreamReading(.file(film.path("m.m3u8")))
        #expect(reading.video.isEmpty && reading.isAudioWhole && reading.damage == 0)
        #expect(reading.source.description.variants?.active == "l1.m3u8")
    }

    /// The audio of one quality lies in its own segments, that of the other beside them: the latter goes on through both.
    @Test func audioGoesOnIntoAQualityThatHasNoneOfItsOwn() throws {
        let film = try SegmentedVideo(.muxedLadder)
        let media = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"a\",DEFAULT=YES,URI=\"l1.m3u8\"\n"
        let low = "#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=48x32\nl1.m3u8\n"
        let high = "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=96x64,AUDIO=\"g\"\nl0.m3u8\n"
        try film.write("m.m3u8", "#EXTM3U\n" + media + low + high)
        let source = try StreamReading.open(.file(film.path("m.m3u8")))
        #expect(source.description.variants?.active == "l1.m3u8")
        let tracks = source.description.info.streams.filter { $0.kind == .audio }.map(\.id)
        #expect(tracks == [StreamID(source: 1, number: 0)])
        let reading = try StreamReading(source, from: nil)
        #expect(reading.hasEveryFrame() && reading.isAudioWhole)
        // Where no quality has its audio beside it, it is that of the segments.
        try film.write("n.m3u8", "#EXTM3U\n" + low + high.replacingOccurrences(of: ",AUDIO=\"g\"", with: ""))
        let plain = try StreamReading.open(.file(film.path("n.m3u8")))
        #expect(plain.description.info.streams.map(\.id.source) == [0, 0])
    }

    /// Saved from a server with its queries: the files have them in their names, or have not.
    @Test func aLocalPlaylistMayHaveQueries() throws {
        let film = try SegmentedVideo(.ciphered)
        try FileManager.default.moveItem(atPath: film.path("s1.ts"), toPath: film.path("s1.ts?t=1"))
        try film.rewrite("master.m3u8") {
            $0.replacingOccurrences(of: "s1.ts", with: "s1.ts?t=1").replacingOccurrences(of: "s2.ts", with: "s2.ts?t=a%2F..#x")
        }
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
    }

    @Test func aLinkOutOfTheFolderIsNotFollowed() throws {
        let film = try SegmentedVideo(.ciphered), other = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: film.path("s1.ts"), toPath: other.path("s1.ts"))
        try FileManager.default.createSymbolicLink(atPath: film.path("s1.ts"), withDestinationPath: other.path("s1.ts"))
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(reading.video.count == 75 && reading.damage == 1)
    }

    // MARK: - Qualities

    private func rest(_ source: JoinedSource, streams: Set<StreamID>) throws -> [StreamID: [MediaTime]] {
        var times: [StreamID: [MediaTime]] = [:]
        while true {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts else { continue }
                times[packet.stream, default: []].append(time)
            } catch {
                if error.code == .endOfMedia { return times }
                throw error
            }
        }
    }

    @Test func anotherQualityFollowsWithoutAHoleAtTheNextSegment() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/master.m3u8"), window: .init(width: 96, height: 64))
        let variants = try #require(source.description.variants)
        #expect(variants.list.count == 2)
        let other = try #require(variants.list.first { $0.id != variants.active })
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        var times: [MediaTime] = []
        while times.count < 10 {
            if case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts { times.append(time) }
        }
        // The segment that is read goes on; the next one is of the other quality.
        #expect(try source.choose(other.id, behind: .seconds(1.2)) == nil)
        times += try rest(source, streams: [video])[video] ?? []
        let sorted = times.sorted()
        #expect(sorted.count == 100 && zip(sorted, sorted.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 })
        #expect(source.description.variants?.active == other.id)
        // Formats: another size is another one.
        #expect(Set(source.description.formats[video]?.compactMap(\.size?.width) ?? []) == [96, 48])
    }

    /// Camera angles (VIDEO groups): the default one plays, another one follows where a person wants it.
    @Test func anotherCameraFollowsWhereItIsChosen() throws {
        let film = try SegmentedVideo(.muxedLadder)
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Main",DEFAULT=YES,URI="l0.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Dugout",URI="l1.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=96x64,CODECS="avc1.42c00b,mp4a.40.2",VIDEO="v"
            l0.m3u8

            """
        try Data(master.utf8).write(to: URL(filePath: film.path("angles.m3u8")))
        let origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/angles.m3u8"), window: .init(width: 96, height: 64))
        let variants = try #require(source.description.variants)
        #expect(variants.list.map(\.name) == ["64p Main", "64p Dugout"] && variants.active == "l0.m3u8")
        #expect(!origin.requests.contains { $0.target == "/l1.m3u8" })
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        var times: [MediaTime] = []
        while times.count < 10 {
            if case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts { times.append(time) }
        }
        #expect(try source.choose("l1.m3u8", behind: .seconds(1.2)) == nil)
        times += try rest(source, streams: [video])[video] ?? []
        let sorted = times.sorted()
        #expect(sorted.count == 100 && zip(sorted, sorted.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 })
        #expect(source.description.variants?.active == "l1.m3u8" && origin.requests.contains { $0.target.hasPrefix("/s1_") })
    }

    @Test func whatWasReadAheadIsReadOnceMoreInTheOtherQuality() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/master.m3u8"), window: .init(width: 96, height: 64))
        let variants = try #require(source.description.variants)
        let other = try #require(variants.list.first { $0.id != variants.active })
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        #expect(try rest(source, streams: [video])[video]?.count == 100)
        let start = source.description.info.startTime
        let border = try #require(try source.choose(other.id, behind: start + .seconds(1.2)))
        #expect(abs((border - start).seconds - 2) < 0.05)
        let again = (try rest(source, streams: [video])[video] ?? []).sorted()
        #expect(again.count == 50 && (again[0] - border).magnitude < .milliseconds(60), "\(again.first ?? .zero)")
    }

    @Test func aLanguageThatIsChosenLateBeginsAtThePlayhead() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/master.m3u8"))
        let streams = source.description.info.streams
        let video = try #require(streams.first { $0.kind == .video }?.id)
        let french = try #require(streams.first { $0.kind == .audio && $0.track?.language?.hasPrefix("fr") == true }?.id)
        source.select([video])
        #expect(try rest(source, streams: [video])[video]?.count == 100)
        let before = origin.requests.count
        source.joinPoint = source.description.info.startTime + .seconds(2.2)
        source.select([video, french])
        #expect(source.catchesUp)
        let times = try rest(source, streams: [french])
        let first = try #require(times[french]?.min())
        #expect(times[video] == nil && (1.85...2.4).contains((first - source.description.info.startTime).seconds), "\(first)")
        // Its playlist, and the segments from there on: nothing of the video.
        #expect(origin.requests.dropFirst(before).allSatisfy { $0.target.contains("3") }, "\(origin.requests.map(\.target))")
        #expect(!source.catchesUp)
    }

    // MARK: - Subtitles

    @Test(arguments: [true, false]) func subtitlesOfSegmentsStandAtTheirTimes(_ hasClock: Bool) throws {
        let film = try SegmentedVideo(.transport)
        let demuxer = try Demuxer(
            MediaInput(.location(.file(film.path("s0_0.ts"))), interrupt: Interrupt()), interrupt: Interrupt())
        let ticks = TimeBase(1, 90_000).ticks(at: demuxer.info.startTime)
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        for number in 0..<4 {
            // With the clock of the media the cues count from an hour on.
            let clock = hasClock ? "X-TIMESTAMP-MAP=LOCAL:01:00:00.000,MPEGTS:\(ticks)\n" : "", hour = hasClock ? "01" : "00"
            let text = "WEBVTT\n\(clock)\n\(hour):00:0\(number).250 --> \(hour):00:0\(number).750\nline \(number)\n"
            try Data(text.utf8).write(to: URL(filePath: film.path("t\(number).vtt")))
            list += "#EXTINF:1,\nt\(number).vtt\n"
        }
        try Data((list + "#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: film.path("text.m3u8")))
        try film.rewrite("master.m3u8") { text in
            text.replacingOccurrences(of: ",AUDIO=", with: ",SUBTITLES=\"subs\",AUDIO=")
                .replacingOccurrences(
                    of: "#EXT-X-VERSION:",
                    with:
                        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",LANGUAGE=\"en\",URI=\"text.m3u8\"\n#EXT-X-VERSION:"
                )
        }
        let source = try StreamReading.open(.file(film.path("master.m3u8")))
        let text = try #require(source.description.info.streams.first { $0.kind == .subtitle })
        #expect(text.track?.name == "English" && text.track?.codec == "webvtt")
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video, text.id])
        var found: [DecodedSubtitle] = []
        reading: while true {
            do throws(MediaError) {
                if case .cues(let cues, _, _) = try source.read(run: Epoch()) { found += cues }
            } catch {
                #expect(error.code == .endOfMedia)
                break reading
            }
        }
        let start = source.description.info.startTime
        #expect(found.map { $0.lines } == (0..<4).map { ["line \($0)"] })
        #expect(
            found.indices.allSatisfy { abs((found[$0].start - start).seconds - Double($0) - 0.25) < 0.0015 },
            "\(found.map(\.start))")
    }

    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments, .dashTimeline])
    func audioIsReadAlongWithTheVideo(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape)
        let source = try StreamReading.open(.file(film.path(shape.manifest)))
        let streams = source.description.info.streams
        source.select(Set(streams.map(\.id)))
        var last: [Int: MediaTime] = [:]
        // One and a half segments of video: by then as much audio is there.
        while (last[0] ?? .zero) < .seconds(1.5) {
            if case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts {
                last[packet.stream.source] = time
            }
        }
        #expect((last[1] ?? .zero) > .seconds(1), "\(last)")
    }

    @Test func whatTheManifestStatesIsAnotherFormatThanWhatTheSegmentsHave() throws {
        let film = try SegmentedVideo(.fragments)
        let source = try StreamReading.open(.file(film.path("master.m3u8")))
        let audio = try #require(source.description.info.streams.first { $0.kind == .audio })
        #expect(audio.parameters.header(limit: 64).isEmpty)
        source.select([audio.id])
        while true {
            guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
            // A decoder of the stated one lacks the header.
            #expect(packet.format == 1 && packet.stream == audio.id)
            #expect(source.description.stream(audio.id, format: 1)?.parameters.header(limit: 64).isEmpty == false)
            break
        }
    }

    @Test func periodsOfDASHFollowOneAnotherWithoutAHole() throws {
        let folder = try TemporaryFolder()
        var periods = ""
        for (number, size) in ["96x64", "64x48"].enumerated() {
            try FileManager.default.createDirectory(atPath: folder.path("p\(number)"), withIntermediateDirectories: false)
            let result = try Fixtures.run(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=2", "-c:v",
                    "libx264",
                    "-preset", "ultrafast", "-g", "25", "-f", "dash", "-seg_duration", "1", folder.path("p\(number)/m.mpd"),
                ])
            #expect(result.status == 0)
            let text = try String(contentsOfFile: folder.path("p\(number)/m.mpd"), encoding: .utf8)
            let start = try #require(text.range(of: "<AdaptationSet")), end = try #require(text.range(of: "</Period>"))
            periods +=
                "<Period id=\"\(number)\" duration=\"PT2S\"><BaseURL>p\(number)/</BaseURL>\(text[start.lowerBound..<end.upperBound])"
        }
        let text =
            "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" mediaPresentationDuration=\"PT4S\">\(periods)</MPD>"
        try Data(text.utf8).write(to: URL(filePath: folder.path("m.mpd")))
        let reading = try StreamReading(.file(folder.path("m.mpd")))
        #expect(reading.hasEveryFrame(), "\(reading.video.count)")
        let video = try #require(reading.source.description.info.streams.first { $0.kind == .video }?.id)
        #expect(reading.source.description.formats[video]?.compactMap(\.size?.width) == [96, 64])
    }

    /// A period that goes on with the media of the one before (period continuity) begins in the middle of a segment: nothing is lost there, and
    /// nothing comes twice.
    @Test(arguments: [2.0, 2.4]) func aPeriodThatGoesOnHasItsFrames(_ border: Double) throws {
        let film = try SegmentedVideo(.dashTimeline)
        try film.rewrite("m.mpd") { text in
            guard let start = text.range(of: "<AdaptationSet"), let end = text.range(of: "</Period>") else { return text }
            let sets = String(text[start.lowerBound..<end.lowerBound])
            let later = ["12800", "48000"].reduce(sets) { sets, scale in
                sets.replacingOccurrences(
                    of: "timescale=\"\(scale)\"",
                    with: "timescale=\"\(scale)\" presentationTimeOffset=\"\(Int(Double(scale)! * border))\"")
            }.replacingOccurrences(
                of: "<Representation",
                with: "<SupplementalProperty schemeIdUri=\"urn:mpeg:dash:period-continuity:2015\" value=\"a\"/><Representation")
            return """
                <MPD type="static" mediaPresentationDuration="PT4S"><Period id="a" duration="PT\(border)S">\(sets)</Period><Period id="b">\(later)</Period></MPD>
                """
        }
        let reading = try StreamReading(.file(film.path("m.mpd")))
        #expect(Set(reading.video).count == 100 && reading.damage == 0, "\(reading.video.count)")
        let formats = Set(reading.formats)
        // In the middle of a segment its first frames are decoded once more, as those of another format: they are not shown twice.
        #expect(border == 2 ? reading.hasEveryFrame() && formats.count == 1 : reading.video.count == 110 && formats.count == 2)
    }

    /// ffmpeg writes the duration in tenths, cut off: two frames, and in a list a whole entry, lie behind the period's end.
    @Test(arguments: [["-use_timeline", "1"], ["-single_file", "1"]])
    func whatIsWrittenBehindTheLastPeriodsEndPlays(_ options: [String]) throws {
        let folder = try TemporaryFolder()
        let input = [
            "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4.08", "-f", "lavfi",
            "-i",
            "sine=f=440:r=48000:d=4.08", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-keyint_min", "25",
            "-sc_threshold",
            "0", "-c:a", "aac",
        ]
        let made = try Fixtures.run("ffmpeg", input + ["-f", "dash", "-seg_duration", "1"] + options + [folder.path("m.mpd")])
        let whole = try Fixtures.run("ffmpeg", input + [folder.path("whole.mp4")])
        #expect(made.status == 0 && whole.status == 0)
        #expect(try String(contentsOfFile: folder.path("m.mpd"), encoding: .utf8).contains("\"PT4.0S\""))
        var demuxer = try Demuxer(
            .reader(try FileReader(path: folder.path("whole.mp4")), name: "whole"), interrupt: Interrupt())
        var audio = 0
        while let packet = try? demuxer.read(epoch: Epoch()) { audio += packet.stream.number == 1 ? 1 : 0 }
        let reading = try StreamReading(.file(folder.path("m.mpd")))
        #expect(reading.hasEveryFrame(102), "\(reading.video.count)")
        #expect(reading.audio.count == audio, "\(reading.audio.count) of \(audio)")
    }

    /// The tag of 73 bytes before each segment of raw audio says its time, however few bytes are read at once.
    @Test func rawAudioStandsWhereItsTagSays() throws {
        let film = try SegmentedVideo(.transport)
        let demuxer = try Demuxer(
            MediaInput(.location(.file(film.path("s0_0.ts"))), interrupt: Interrupt()), interrupt: Interrupt())
        let start = TimeBase(1, 90_000).ticks(at: demuxer.info.startTime)
        try film.rewrite("l1.m3u8") { $0.replacingOccurrences(of: ".ts", with: ".aac") }
        for number in 0..<5 where FileManager.default.fileExists(atPath: film.path("s1_\(number).ts")) {
            let made = try Fixtures.run(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-i", film.path("s1_\(number).ts"), "-c", "copy", "-f",
                    "adts",
                    film.path("raw.aac"), "-y",
                ])
            #expect(made.status == 0)
            let body =
                Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + MP4Box.number(Int(start) + number * 90_000, 8)
            let frame = Array("PRIV".utf8) + MP4Box.number(body.count, 4) + [0, 0] + body
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
            try Data(tag + Array(try Data(contentsOf: URL(filePath: film.path("raw.aac"))))).write(
                to: URL(filePath: film.path("s1_\(number).aac")))
        }
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        let first = try #require(reading.audio.first?.time), video = try #require(reading.video.min())
        #expect(
            reading.hasEveryFrame() && reading.audio.count > 180 && (first - video).magnitude < .milliseconds(30),
            "\(first) \(video)")
    }
}
