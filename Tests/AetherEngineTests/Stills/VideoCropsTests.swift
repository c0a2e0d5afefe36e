import AetherCore
import AetherSources
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherEngine

/// Crops and turns that Matroska's tracks state.
@Suite(.serialized) struct VideoCropsTests {
    /// A film whose element of colours gives way to another one. It is as long as the ffmpeg here has made it: 27 bytes by FFmpeg 5.1, 19 by 7.1,
    /// which takes no place of chroma from the encoder's options.
    private static func film(_ elements: [UInt8], _ folder: URL) throws -> String {
        let plain = try Self.plain()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain)))
        // Its size is a byte, and all that it holds begins with 0x55, too.
        let place = try #require(
            bytes.indices.dropLast(4).first {
                bytes[$0] == 0x55 && bytes[$0 + 1] == 0xB0 && bytes[$0 + 2] & 0x80 != 0 && bytes[$0 + 3] == 0x55
            })
        let length = 3 + Int(bytes[place + 2] & 0x7F), spare = length - elements.count - 2
        try #require(spare >= 0, "\(length) bytes have no room for \(elements.count) and two of a filler")
        let filler = [0xEC, 0x80 | UInt8(spare)] + [UInt8](repeating: 0, count: spare)
        bytes.replaceSubrange(place..<place + length, with: elements + filler)
        let path = folder.appendingPathComponent("\(UUID().uuidString).mkv")
        try Data(bytes).write(to: path)
        return path.path
    }

    private static func plain() throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "ffv1", "-pix_fmt", "yuv420p", "-color_primaries",
                "bt709",
                "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv", "-chroma_sample_location", "left",
            ], ext: "mkv")
    }

    private static func picture(_ path: String) async throws -> RasterImage {
        let extractor = FrameExtractor(.location(.file(path)))
        let picture = try #require(await extractor.snapshot(at: .zero))
        await extractor.shutdown()
        return picture.image
    }

    private static func crop(left: UInt8, top: UInt8, right: UInt8, bottom: UInt8) -> [UInt8] {
        [0x54, 0xAA, 0x81, bottom, 0x54, 0xBB, 0x81, top, 0x54, 0xCC, 0x81, left, 0x54, 0xDD, 0x81, right]
    }

    private static func pose(roll: Float, yaw: Float = 0) -> [UInt8] {
        func number(_ id: UInt8, _ value: Float) -> [UInt8] {
            [0x76, id, 0x84] + withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
        }
        return [0x76, 0x70, 0x80 | 14] + number(0x73, yaw) + number(0x75, roll)
    }

    @Test func cropsAreCut() async throws {
        let folder = try TemporaryFolder()
        let whole = try await Self.picture(Self.film([], folder.url))
        let cut = try await Self.picture(Self.film(Self.crop(left: 6, top: 4, right: 10, bottom: 2), folder.url))
        #expect(cut.size == PixelSize(width: 48, height: 42))
        // Chroma at the border is interpolated from less: the inner pixels are the same.
        for (x, y) in [(10, 10), (30, 20), (40, 35)] { #expect(cut[x, y] == whole[x + 6, y + 4]) }
    }

    /// It counts as none, but for FFmpeg 7.1, to which such a file is broken.
    @Test func aCropThatLeavesNothingCutsNothing() async throws {
        let folder = try TemporaryFolder()
        let film = try Self.film(Self.crop(left: 32, top: 0, right: 32, bottom: 0), folder.url)
        var context: UnsafeMutablePointer<AVFormatContext>?
        let opened = avformat_open_input(&context, film, nil, nil)
        avformat_close_input(&context)
        if opened == aether_averror_invalid_data() {
            let extractor = FrameExtractor(.location(.file(film)))
            let error = await #expect(throws: MediaError.self) { try await extractor.open() }
            #expect(error?.code == .notMedia)
            await extractor.shutdown()
        } else {
            #expect(try await Self.picture(film) == Self.picture(Self.film([], folder.url)))
        }
    }

    /// MP4's clean aperture, which is put behind the entry's own boxes here; `moov` stands last, so that no offset changes.
    @Test func aCleanApertureIsCut() async throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv444p"], ext: "mp4")
        let plain = [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip)))
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let clap = number(40) + Array("clap".utf8) + [40, 1, 30, 1, 4, 1, -3, 1].flatMap { number($0) }
        var bytes = plain, at = 0, end = plain.count
        for kind in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"] {
            func size(_ place: Int) -> Int { plain[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
            while Array(plain[at + 4..<at + 8]) != Array(kind.utf8) { at += size(at) }
            bytes.replaceSubrange(at..<at + 4, with: number(size(at) + clap.count))
            end = at + size(at)
            at += kind == "stsd" ? 16 : 8
        }
        bytes.insert(contentsOf: clap, at: end)
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("clap.mp4")
        try Data(bytes).write(to: path)
        let whole = try await Self.picture(clip), cut = try await Self.picture(path.path)
        #expect(cut.size == PixelSize(width: 40, height: 30))
        for (x, y) in [(0, 0), (20, 10), (39, 29)] { #expect(cut[x, y] == whole[x + 16, y + 6], "\(x) \(y)") }
    }

    @Test(arguments: [(90, 0), (-90, 0), (180, 0), (0, 180), (90, 180), (45, 0)])
    func posesInThePlaneAreTurns(_ roll: Int, _ yaw: Int) async throws {
        let folder = try TemporaryFolder()
        let whole = try await Self.picture(Self.film([], folder.url))
        let turned = try await Self.picture(Self.film(Self.pose(roll: Float(roll), yaw: Float(yaw)), folder.url))
        // First left and right change places, then it is turned counterclockwise.
        func source(_ x: Int, _ y: Int) -> UInt32 {
            var (a, b) = (x, y)
            switch roll {
            case 90: (a, b) = (63 - y, x)
            case -90: (a, b) = (y, 47 - x)
            case 180: (a, b) = (63 - x, 47 - y)
            default: break
            }
            return whole[yaw != 0 ? 63 - a : a, b]
        }
        #expect(turned.size == (abs(roll) == 90 ? PixelSize(width: 48, height: 64) : PixelSize(width: 64, height: 48)))
        for (x, y) in [(3, 5), (20, 40), (47, 11)] { #expect(turned[x, y] == source(x, y), "\(x) \(y)") }
    }

    @Test func nonsenseTurnsNothing() async throws {
        let folder = try TemporaryFolder()
        let whole = try await Self.picture(Self.film([], folder.url))
        for pose in [Self.pose(roll: .nan), Self.pose(roll: 90, yaw: 30)] {
            #expect(try await Self.picture(Self.film(pose, folder.url)) == whole)
        }
    }

    @Test func theFilmThatPlaysIsCutToo() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(Self.film(Self.crop(left: 6, top: 4, right: 10, bottom: 2), folder.url)) {
            $0.autoplay = false
            $0.audioOutput = .none
        }
        #expect(await screening.eventually { $0.frames.count >= 1 })
        #expect(screening.snapshot.videoSize == PixelSize(width: 48, height: 42))
        await screening.engine.stop()
    }
}
