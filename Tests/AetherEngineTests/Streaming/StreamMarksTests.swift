import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Advertisements, missing parts and events of a source in segments, as marks on its axis; and the steps that a host adds to its reading.
@Suite struct StreamMarksTests {
    /// The marks that a source has reported once it is read to its end.
    private func marks(_ location: MediaLocation) throws -> [SourceMark] {
        let source = try StreamReading.open(location)
        source.select(Set(source.description.info.streams.map(\.id)))
        while true {
            do throws(MediaError) {
                _ = try source.read(run: Epoch())
            } catch {
                guard error.code == .endOfMedia else { throw error }
                return source.description.marks
            }
        }
    }

    private func seconds(_ mark: SourceMark) -> [Double] { [mark.start.seconds, mark.end.seconds] }

    @Test func dateRangesAndGapsOfAPlaylist() throws {
        let film = try SegmentedVideo(.ciphered)
        try film.rewrite("master.m3u8") { text in
            let ranges = """
                #EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z
                #EXT-X-DATERANGE:ID="a",START-DATE="2024-01-01T00:00:01Z",DURATION=1.5,SCTE35-OUT=0xFC00
                #EXT-X-DATERANGE:ID="b",CLASS="org.example",START-DATE="2024-01-01T00:00:03Z",X-TITLE="Two"
                #EXTINF
                """
            guard let first = text.range(of: "#EXTINF") else { return text }
            return text.replacingCharacters(in: first, with: ranges).replacingOccurrences(of: "s3.ts", with: "#EXT-X-GAP\ns3.ts")
        }
        let found = try marks(.file(film.path("master.m3u8")))
        #expect(found.map(\.kind) == [.advertisement, .event, .gap] && found.map(\.title) == ["Advertisement", "Two", ""])
        #expect(found.map { seconds($0) } == [[1, 2.5], [3, 3], [3, 4]])
    }

    @Test func whatCouldNotBeHadIsAGap() throws {
        let film = try SegmentedVideo(.ciphered)
        try film.rewrite("master.m3u8") { $0.replacingOccurrences(of: "s2.ts", with: "gone.ts") }
        let found = try marks(.file(film.path("master.m3u8")))
        #expect(found.map(\.kind) == [.gap] && found.map { seconds($0) } == [[2, 3]])
    }

    /// splice_insert, out of the network, a break of 1.5 s: 135 000 ticks.
    private static let splice: [UInt8] = [
        0xFC, 0x30, 0x20, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, 0x0F, 5, 0, 0, 0, 9, 0x7F, 0xEF, 0xFE, 0, 0, 0, 0, 0xFE, 0, 2, 0x0F,
        0x58, 0, 1, 0,
        0, 0, 0, 0, 0, 0, 0,
    ]

    @Test func eventsOfAManifestAndOfSegments() throws {
        let film = try SegmentedVideo(.dashTimeline)
        try film.rewrite("m.mpd") { text in
            let events = """
                <EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="10"><Event presentationTime="5" id="1"><Signal><Binary>
                \(Data(Self.splice).base64EncodedString())</Binary></Signal></Event></EventStream><AdaptationSet
                """
            guard let first = text.range(of: "<AdaptationSet") else { return text }
            return text.replacingCharacters(in: first, with: events)
        }
        let url = URL(filePath: film.path("chunk-stream0-00003.m4s"))
        var body: [UInt8] =
            [1, 0, 0, 0] + MP4Box.number(1000, 4) + MP4Box.number(2250, 8) + MP4Box.number(500, 4) + MP4Box.number(3, 4)
        body += Array("https://aomedia.org/emsg/ID3\0".utf8) + Array("x\0".utf8) + [73, 68, 51]
        try Data(MP4Box("emsg", body).bytes + Array(try Data(contentsOf: url))).write(to: url)
        let found = try marks(.file(film.path("m.mpd")))
        #expect(found.map(\.kind) == [.advertisement, .event] && found.map(\.title) == ["Advertisement", "ID3"])
        #expect(found.map { seconds($0) } == [[0.5, 2], [2.25, 2.75]], "\(found)")
    }

    // MARK: - Steps of a host

    private struct Token: ManifestStage {
        func address(_ address: StreamAddress) -> StreamAddress { StreamAddress(address.text + "?token=1") ?? address }
    }

    private struct Smallest: ManifestStage {
        func change(_ presentation: inout Presentation) {
            presentation.variants = presentation.variants.min { $0.peakBitRate < $1.peakBitRate }.map { [$0] } ?? []
        }
    }

    private struct OtherAudio: ManifestStage {
        let address: StreamAddress

        func manifest(_ bytes: [UInt8], from address: StreamAddress) -> [UInt8] {
            Array(String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "NAME=\"audio_1\"", with: "NAME=\"Own\"").utf8)
        }

        func change(_ presentation: inout Presentation) {
            var group = Group(id: "host", kind: .audio), rendition = Rendition(id: "host")
            rendition.addresses = [address]
            (group.set, group.label, group.language) = (presentation.variants.first?.audioSet, "Host", "de")
            group.renditions = [rendition]
            presentation.periods[0].groups.append(group)
        }
    }

    private func open(_ location: MediaLocation, _ stages: [any ManifestStage]) throws -> JoinedSource {
        let interrupt = Interrupt(), input = try MediaInput(.location(location), follows: true, interrupt: interrupt)
        var options = OpenOptions()
        options.stages = stages
        let opening = StreamOpening(options: options, window: nil, interrupt: interrupt, time: SystemTime())
        return JoinedSource(try opening.sources(#require(try StreamDocument(input))))
    }

    @Test func aHostChangesAddressesAndVariants() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        let source = try open(.url(origin.address + "/master.m3u8"), [Token(), Smallest()])
        #expect(source.description.variants?.list.count == 1)
        let reading = try StreamReading(source, from: nil)
        #expect(reading.hasEveryFrame())
        let targets = origin.requests.dropFirst().map(\.target)
        #expect(targets.count > 5 && targets.allSatisfy { $0.hasSuffix("?token=1") }, "\(targets)")
    }

    @Test func aHostAddsATrack() throws {
        let film = try SegmentedVideo(.transport), origin = try film.origin()
        let address = try #require(StreamAddress(origin.address + "/l1.m3u8"))
        let source = try open(.url(origin.address + "/master.m3u8"), [OtherAudio(address: address)])
        let audio = source.description.info.streams.filter { $0.kind == .audio }
        #expect(audio.map { $0.track?.name } == ["Own", "Host"], "\(audio.map { $0.track?.name ?? "" })")
        let own = try #require(audio.last?.id)
        source.select([own])
        var count = 0
        while true {
            do throws(MediaError) {
                if case .packet(let packet) = try source.read(run: Epoch()), packet.stream == own { count += 1 }
            } catch {
                #expect(error.code == .endOfMedia)
                break
            }
        }
        #expect((184...190).contains(count))
    }
}
