import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

/// Manifests of other projects, against what those projects expect of them.
@Suite(.enabled(if: Shared.path("corpus/mpd-parser") != nil, "\(Shared.missing)"))
struct MPDCorpusTests {
    private func document(_ path: String) throws -> MPDDocument {
        let file = try #require(Shared.path("corpus/\(path)"))
        return try MPDDocument([UInt8](try Data(contentsOf: file)), address: try #require(StreamAddress("https://h/a/m.mpd")))
    }

    private func presentation(_ path: String, now: Int64? = nil) throws -> Presentation {
        try Presentation(document(path), now: now)
    }

    private func segments(_ presentation: Presentation, _ id: String) throws -> [Segment] {
        let index = try #require(presentation.rendition(id)?.index)
        return index.numbers.prefix(10_000).compactMap { index.segment($0) }
    }

    /// Nothing to be played is in G8 and G9 of the standard's examples (no addresses and one that lies elsewhere), which are about roles.
    @Test func everyManifestIsUnderstood() throws {
        let root = try #require(Shared.path("corpus"))
        var count = 0
        for case let name as String in try #require(FileManager.default.enumerator(atPath: root.path)) {
            guard name.hasSuffix(".mpd") || name.hasPrefix("androidx/mpd/sample") else { continue }
            let bytes = [UInt8](try Data(contentsOf: root.appending(path: name)))
            #expect(MPDDocument.begins(bytes), "\(name)")
            let document = try MPDDocument(bytes, address: try #require(StreamAddress("https://h/a/m.mpd")))
            guard let presentation = try? Presentation(document, now: document.publishTime) else {
                Issue.record("\(name) has nothing to play")
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!presentation.renditions.isEmpty && !presentation.variants.isEmpty || text.contains("image"), "\(name)")
            _ = ManifestReport(presentation).text
            count += 1
        }
        #expect(count >= 40)
    }

    /// mpd-parser, test/manifests/multiperiod-segment-template.js.
    @Test func periodsOfTemplates() throws {
        let presentation = try presentation("mpd-parser/multiperiod-segment-template.mpd")
        let video = try segments(presentation, "1"), audio = try segments(presentation, "2")
        #expect(
            video.map { $0.address.text.suffix(5).first } == Array("012012")
                && video.allSatisfy { $0.duration == Ticks(5, timescale: 1) })
        #expect(
            video[4].address.text == "https://www.example.com/video/segment_1.m4f" && video[4].start == Ticks(20, timescale: 1))
        #expect(video[3].isDiscontinuity && audio.count == 6 && presentation.duration == Ticks(30, timescale: 1))
    }

    /// mpd-parser, segmentList.js: six of the ten listed ones of a second each lie inside of 6 s.
    @Test func lists() throws {
        let presentation = try presentation("mpd-parser/segmentList.mpd")
        let low = try segments(presentation, "482")
        #expect(low.count == 6 && low[0].address.text == "https://www.example.com/low/segment-1.ts")
        #expect(presentation.rendition("482")?.frameRate?.millihertz == 23_976)
    }

    /// mpd-parser, segmentBase.js: one file of six seconds.
    @Test func aFile() throws {
        let file = try segments(presentation("mpd-parser/segmentBase.mpd"), "482")
        #expect(file.map(\.address.text) == ["https://www.example.com/1080p.ts"] && file[0].duration == Ticks(6, timescale: 1))
    }

    /// mpd-parser, maat_vtt_segmentTemplate.js: four segments of 1.984 s for 6 s, and Widevine.
    @Test func severalLanguages() throws {
        let presentation = try presentation("mpd-parser/maat_vtt_segmentTemplate.mpd")
        let audio = presentation.periods[0].groups.filter { $0.kind == .audio }
        #expect(audio.map(\.language) == ["en", "es"] && audio[0].isDefault && presentation.protection == .widevine)
        #expect(try segments(presentation, "63000").map(\.address.text.last) == Array(repeating: "f", count: 4))
        #expect(try segments(presentation, "63000").map(\.number) == [0, 1, 2, 3])
    }

    /// streamlink, tests/stream/dash/test_manifest.py: nested_baseurls.
    @Test func nestedBases() throws {
        let presentation = try presentation("streamlink/dash/test_baseurl_nested.mpd")
        let found = try ["video_5000kbps", "video_9000kbps", "audio_128kbps", "audio_256kbps", "audio_320kbps"].map {
            let first = try #require(try segments(presentation, $0).first)
            return [first.map?.address.text, first.address.text]
        }
        #expect(
            found == [
                ["https://hostname/period/init_video_5000kbps.m4s", "https://hostname/period/media_video_5000kbps-1.m4s"],
                [
                    "https://hostname/period/representation/init_video_9000kbps.m4s",
                    "https://hostname/period/representation/media_video_9000kbps-1.m4s",
                ],
                [
                    "https://hostname/period/adaptationset/init_audio_128kbps.m4s",
                    "https://hostname/period/adaptationset/media_audio_128kbps-1.m4s",
                ],
                [
                    "https://hostname/period/adaptationset/representation/init_audio_256kbps.m4s",
                    "https://hostname/period/adaptationset/representation/media_audio_256kbps-1.m4s",
                ],
                ["https://other/init_audio_320kbps.m4s", "https://other/media_audio_320kbps-1.m4s"],
            ])
    }

    /// streamlink: test_segments_list.
    @Test func listsWithANumber() throws {
        let list = try segments(presentation("streamlink/dash/test_segment_list.mpd"), "p0va0br4332748")
        #expect(list.map(\.number) == Array(1...9) && list[0].map?.address.text.hasSuffix("_cinit_mpd.m4s") == true)
        #expect(list[8].address.text == "https://h/a/chunk_ctvideo_ridp0va0br4332748_cn9_mpd.m4s")
        #expect(list[8].seconds == [80, 90])
    }

    /// Media3, DashManifestParserTest: several bases at several levels make seven.
    @Test func manyBases() throws {
        let presentation = try presentation("androidx/mpd/sample_mpd_multiple_baseUrls", now: 1_500_000_000_000_000_000)
        let groups = presentation.periods[0].groups
        let addresses = { (kind: Group.Kind) in groups.first { $0.kind == kind }?.renditions.first?.addresses.map(\.text) ?? [] }
        #expect(
            Set(addresses(.audio))
                == Set(
                    ["a/media", "a/files", "b/media", "b/files", "c/media", "c/files"].map {
                        "http://video.com/baseUrl/\($0)/audio"
                    }))
        #expect(addresses(.video).count == 7 && addresses(.video).last == "http://video.com/baseUrl/d/alternative/")
        #expect(addresses(.text) == ["http://video.com/baseUrl/e/text/"])
    }

    /// Media3: tiles of 12 × 16 and 2 × 4, labels, trick play.
    @Test func imagesLabelsAndTrickPlay() throws {
        let tiles = try presentation("androidx/mpd/sample_mpd_images").renditions.map(\.tiles)
        #expect(tiles.map { $0?.columns } == [12, 2] && tiles.map { $0?.rows } == [16, 4])
        let labels = try presentation("androidx/mpd/sample_mpd_labels").periods[0].groups.map(\.label)
        #expect(labels.contains("audio label") && labels.contains("video label"))
        let kinds = try presentation("androidx/mpd/sample_mpd_trick_play").periods[0].groups.map(\.kind)
        #expect(kinds == [.video, .video, .keyFrames, .keyFrames])
    }

    /// The same CMAF files behind both manifests of Media3's: the same segments at the same times, whatever the addresses.
    @Test func theSameAsHLS() throws {
        let dash = try presentation("androidx/cmaf/multi-segment/manifest.mpd")
        let folder = try #require(Shared.path("corpus/androidx/cmaf/multi-segment"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".m3u8") }
        var compared = 0
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            guard case .segments(let list) = try HLSPlaylist(bytes, address: try #require(StreamAddress("https://h/a/l.m3u8")))
            else { continue }
            let hls = list.segments.numbers.compactMap { list.segments.segment($0) }
            let kind = try #require(hls.first).address.text.contains("audio") ? Group.Kind.audio : .video
            let rendition = try #require(dash.periods[0].groups.first { $0.kind == kind }?.renditions.first)
            let other = try segments(dash, rendition.id)
            #expect(hls.map(\.address) == other.map(\.address) && hls.first?.map?.address == other.first?.map?.address)
            for (a, b) in zip(hls, other) { #expect(abs(a.start.seconds - b.start.seconds) < 0.001, "\(name) \(a.number)") }
            compared += 1
        }
        #expect(compared >= 2)
    }

    /// The indexes in Firefox's files of WebM, and in those of shaka's three periods.
    @Test(arguments: [
        ("firefox/dash/dash-manifest.mpd", 3), ("shaka/dash-multitype-variant/dash.mpd", 3),
        ("androidx/dash/multi-period-with-offset/sample.mpd", 2),
    ])
    func indexesInFiles(path: String, files: Int) throws {
        var presentation = try presentation(path), count = 0
        let folder = try #require(Shared.path("corpus/\(path)")).deletingLastPathComponent()
        for rendition in presentation.renditions {
            for pending in presentation.pendingIndexes(of: rendition.id) {
                let name = try #require(pending.addresses.first?.text.split(separator: "/").last)
                let bytes = [UInt8](try Data(contentsOf: folder.appending(path: String(name))))
                var search = pending.search
                search.run { Array(bytes.dropFirst(Int($0)).prefix($1)) }
                presentation.attach(search, to: pending)
                count += 1
            }
            let all = try segments(presentation, rendition.id)
            #expect(all.allSatisfy { $0.range != nil && $0.map?.range != nil && $0.duration > .zero }, "\(path) \(rendition.id)")
            for (a, b) in zip(all, all.dropFirst()) { #expect(a.end == b.start || a.bounds != b.bounds) }
            let length = try #require(presentation.duration).seconds
            #expect(abs(try #require(all.last).end.seconds - length) < 0.1, "\(path) \(rendition.id)")
        }
        #expect(count == files)
    }
}
