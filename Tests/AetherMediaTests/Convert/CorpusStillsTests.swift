import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// A still of every video of other people (../shared/corpus) against ffmpeg's own.
@Suite struct CorpusStillsTests {
    /// Where ours differs from libswscale's on purpose, and why.
    private static let known: [String: String] = [
        "ogvjs/tests/media/3seconds.ogv": "colour bars in the primaries of NTSC, which libswscale takes for BT.709's"
    ]
    private static let size = PixelSize(width: 96, height: 64)

    private static func still(_ path: String) throws -> (
        image: RasterImage, orientation: Orientation, frame: (Int, VideoFormat, AVColorSpace)
    )? {
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        guard let stream = demuxer.info.decodable(.video).first else { return nil }
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        var isDrained = false
        while true {
            do throws(MediaError) {
                while let frame = try decoder.receive() {
                    var scaler = RasterScaler()
                    let orientation = frame.orientation ?? stream.orientation
                    let size = orientation.turn.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
                    let image = try scaler.scale(frame, to: size).oriented(orientation)
                    return (image, orientation, (frame.height, frame.videoFormat, frame.pointer.pointee.colorspace))
                }
                if isDrained { return nil }
                _ = try decoder.send(try demuxer.read(epoch: Epoch()))
            } catch {
                guard error.code == .endOfMedia, !isDrained else { return nil }
                isDrained = true
                do throws(MediaError) { _ = try decoder.send(nil) } catch { return nil }
            }
        }
    }

    private static func reference(_ path: String, assumes709: Bool) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let matrix = assumes709 ? ":in_color_matrix=bt709" : ""
        process.arguments = [
            "ffmpeg", "-v", "quiet", "-threads", "1", "-i", path, "-map", "0:V:0", "-frames:v", "1", "-vf",
            "scale=\(size.width):\(size.height):flags=area+accurate_rnd+full_chroma_int+full_chroma_inp\(matrix),format=rgb24",
            "-f", "rawvideo",
            "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return bytes
    }

    @Test(.enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"))
    func stillsAreNearFFmpegs() throws {
        let root = try #require(Fixtures.shared).appendingPathComponent("corpus")
        let facts = try JSONDecoder().decode(
            [String: CorpusTests.Facts].self, from: Data(contentsOf: root.appendingPathComponent("facts.json")))
        var (count, skipped, sum) = (0, 0, 0.0)
        for name in facts.keys.sorted() where facts[name]?.streams.contains(where: { $0.codec_type == "video" }) ?? false {
            let path = root.appendingPathComponent(name).path
            let still: (image: RasterImage, orientation: Orientation, frame: (Int, VideoFormat, AVColorSpace))?
            do { still = try Self.still(path) } catch { continue }
            guard let still else { continue }
            guard still.frame.1 == .sdr else {
                skipped += 1
                continue
            }
            let isUnsaid = still.frame.2 == AVCOL_SPC_UNSPECIFIED && still.frame.0 >= 720
            let reference = try Self.reference(path, assumes709: isUnsaid)
            guard reference.count == Self.size.width * Self.size.height * 3 else { continue }
            var off = 0.0
            for index in still.image.pixels.indices {
                for channel in 0..<3 {
                    off += Double(
                        abs(Int(reference[index * 3 + channel]) - Int(still.image.pixels[index] >> UInt32(channel * 8) & 255)))
                }
            }
            let mean = off / Double(reference.count)
            count += 1
            sum += mean
            if mean > 4, Self.known[name] == nil { Issue.record("\(name): \(mean) levels off on average") }
        }
        print(
            "stills: \(count) compared, \(sum / Double(max(1, count))) levels off on average; \(skipped) of a high dynamic range left out"
        )
        #expect(count > 100)
    }
}
