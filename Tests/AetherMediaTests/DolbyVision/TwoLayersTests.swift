import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Dolby Vision whose metadata lies in a second stream plays as if it lay in the first.
@Suite struct TwoLayersTests {
    /// For each picture that comes out its time in milliseconds and its own metadata's peak; none without metadata.
    private static func peaks(_ demuxer: inout Demuxer, limit: Int = .max) throws -> [Int: Int?] {
        let stream = try #require(demuxer.info.decodable(.video).first)
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        var found: [Int: Int?] = [:]
        func drain() throws {
            do throws(MediaError) {
                while let frame = try decoder.receive() {
                    guard let pts = frame.pts else { continue }
                    let peak = DolbyVisionMapping(frame.pointer)?.peakCode
                    found[Int((pts.seconds * 1000).rounded())] = .some(peak.map { Int(($0 * 4095).rounded()) })
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
            }
        }
        do throws(MediaError) {
            while found.count < limit {
                let packet = try demuxer.read(epoch: Epoch())
                #expect(packet.stream.number == stream.index)
                _ = try decoder.send(packet)
                do { try drain() } catch { Issue.record(error) }
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
            _ = try decoder.send(nil)
            try drain()
        }
        return found
    }

    private static func peaks(_ file: TwoLayerFile) throws -> [Int: Int?] {
        let path = try file.write()
        defer { unlink(path) }
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let films = demuxer.info.decodable(.video)
        #expect(films.count == 1)
        let film = try #require(films.first)
        if file.shape != .oneStream {
            #expect(film.videoFormat == .dolbyVision)
            #expect(film.dolbyVision?.profile == 7)
            #expect(film.size == PixelSize(width: 256, height: 128))
            #expect(demuxer.info.streams.contains { $0.enhancedStream == film.index })
        }
        demuxer.select([film.index])
        // Times begin at zero: transport streams begin later than that.
        let found = try peaks(&demuxer)
        let first = found.keys.min() ?? 0
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key - first, $0.value) })
    }

    @Test(arguments: [
        ("mp4", true, 0), ("mp4", false, 0), ("mkv", true, 0), ("mkv", false, 0), ("mkv", true, 9), ("mkv", false, -9),
        ("ts", false, 0),
        ("ts", false, 12), ("ts", false, -12), ("m2ts", false, 0), ("m2ts", false, 12),
    ])
    func twoStreamsAreOne(_ ext: String, _ hasRecord: Bool, _ lag: Int) throws {
        let one = try Self.peaks(TwoLayerFile(ext: ext, shape: .oneStream))
        let two = try Self.peaks(TwoLayerFile(ext: ext, shape: .twoStreams(lag: lag), hasRecord: hasRecord))
        #expect(one.count == TwoLayerFile.frameCount)
        #expect(Set(one.values.compactMap { $0 }).count == TwoLayerFile.frameCount)
        #expect(two == one)
    }

    @Test func theLayerMayComeFirstInTheContainer() throws {
        let one = try Self.peaks(TwoLayerFile(shape: .oneStream))
        #expect(try Self.peaks(TwoLayerFile(layerIsFirst: true)) == one)
    }

    @Test(arguments: ["mkv", "mp4", "ts"]) func afterASeekToo(_ ext: String) throws {
        let path = try TwoLayerFile(ext: ext, shape: .twoStreams(lag: ext == "mp4" ? 0 : 4), hasRecord: ext != "ts").write()
        defer { unlink(path) }
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let film = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([film.index])
        let whole = try Self.peaks(&demuxer)
        #expect(whole.count == TwoLayerFile.frameCount)
        for target in [1.1, 0.0, 0.6, 1.4] {
            try demuxer.seek(to: demuxer.info.startTime + .seconds(target), stream: film.index)
            let part = try Self.peaks(&demuxer, limit: 8)
            #expect(part.count >= 8)
            for (time, peak) in part { #expect(whole[time] == .some(peak)) }
        }
    }

    /// Frames that the other stream lacks are shown by the metadata before them; nothing is lost, and no frame waits for ever.
    @Test func holesInTheLayerAreHoles() throws {
        let one = try Self.peaks(TwoLayerFile(ext: "mkv", shape: .oneStream))
        let last = 2000 + TwoLayerFile.frameCount
        let holes = try Self.peaks(TwoLayerFile(ext: "mkv", hasLayer: { $0 % 3 != 1 }))
        #expect(holes.count == one.count)
        #expect(holes.values.compactMap { $0 }.allSatisfy { ($0 - 2000) % 3 != 1 && $0 < last })
        let end = try Self.peaks(TwoLayerFile(ext: "mkv", hasLayer: { $0 < 10 }))
        #expect(end.count == one.count)
        #expect(Set(end.values.compactMap { $0 }) == Set(2000..<2010))
    }

    @Test func damagedMetadataIsLeftOut() throws {
        var noise = Noise(state: 11)
        let damaged = try Self.peaks(
            TwoLayerFile(
                ext: "mkv",
                unit: { number in
                    var unit = TwoLayerFile.unit(number)
                    if number % 2 == 1 { for _ in 0..<8 { unit[3 + Int(noise.next() % UInt64(unit.count - 3))] ^= 0x55 } }
                    if number % 5 == 4 { unit = [0x7C, 0x01] }
                    return unit
                }))
        #expect(damaged.count == TwoLayerFile.frameCount)
    }

    /// A file of two films, one of them with metadata of one layer, is no film of two layers.
    @Test func twoFilmsStayTwo() throws {
        let path = try TwoLayerFile(
            ext: "mkv", hasRecord: false,
            unit: { _ in [0x7C, 0x01] + UnitWriter.nal(UnitWriter.payload(UnitWriter.profile5(curves: UnitWriter.bentCurves))) }
        ).write()
        defer { unlink(path) }
        let demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        #expect(demuxer.info.decodable(.video).count == 2)
        #expect(demuxer.info.streams.allSatisfy { $0.enhancedStream == nil })
    }

    /// Who reports on a source gets its packets as they are.
    @Test func reportsSeeBothStreams() throws {
        let path = try TwoLayerFile(ext: "mkv").write()
        defer { unlink(path) }
        var demuxer = try Demuxer(try reading(path), options: OpenOptions(analysis: .full), interrupt: Interrupt())
        #expect(demuxer.info.streams.map(\.enhancedStream) == [nil, 0])
        let packets = try DecodedSource.allPackets(&demuxer)
        #expect(packets.filter { $0.stream.number == 1 }.count == TwoLayerFile.frameCount)
    }
}
