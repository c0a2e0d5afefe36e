import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine

/// A still of every film of other people (../shared/corpus) against what ffmpeg takes out of it at the same time.
@Suite struct StillCorpusTests {
    private struct Facts: Decodable {
        struct Stream: Decodable {
            let codec_type: String?
            let color_transfer: String?
        }
        let streams: [Stream]
    }

    /// Where we differ on purpose or cannot be compared, and why.
    private static let known: [String: String] = [
        "firefox/aspect_ratio_4_3_hevc.mp4": "says no matrix: 709 here for its height, 601 in ffmpeg",
        "firefox/vp9-yuv420p10.webm": "says no matrix: 709 here for its height, 601 in ffmpeg",
        "mp4ff/mp4/testdata/prog_8s_enc_dashinit.mp4": "encrypted: ffmpeg shows noise",
        "shaka/hls-sample-aes/video.mp4": "encrypted: ffmpeg shows noise",
        "mediabunny/annex-b.mp4": "no packet says that it is a key frame",
        "ogvjs/tests/media/3seconds.ogv": "says primaries of 1953 (470M), which ffmpeg leaves alone",
    ]

    private static let size = PixelSize(width: 64, height: 48)
    /// Levels of 255, mean over all pixels: a matrix that ffmpeg guesses otherwise is 6, another picture 20 and more.
    private static let limit = 10.0

    @Test(.enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"))
    func looksAsFFmpegsStillOfTheSameTime() throws {
        let root = try #require(Fixtures.shared).appendingPathComponent("corpus")
        let facts = try JSONDecoder().decode(
            [String: Facts].self, from: Data(contentsOf: root.appendingPathComponent("facts.json")))
        let names = facts.keys.filter { facts[$0]?.streams.contains { $0.codec_type == "video" } ?? false }.sorted()
        let next = Atomic(0)
        let problems = Mutex<[String: String]>([:]), compared = Counter()
        let threads = (0..<2).map { number in
            WorkerThread(name: "stills \(number)") {
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < names.count else { return }
                    let name = names[index]
                    let isHDR =
                        facts[name]?.streams.contains { ["smpte2084", "arib-std-b67"].contains($0.color_transfer) } ?? false
                    if let problem = Self.problem(root.appendingPathComponent(name).path, isHDR: isHDR, compared) {
                        problems.withLock { $0[name] = problem }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        let found = problems.withLock { $0 }
        print(
            "stills: \(names.count) films, \(compared.current) compared, \(found.count) differ, \(Self.known.count) of them known"
        )
        for name in found.keys.sorted() where Self.known[name] == nil { Issue.record("\(name): \(found[name] ?? "")") }
        #expect(compared.current > 140)
    }

    /// How our still differs from ffmpeg's; nil where it does not, or where neither has one.
    private static func problem(_ path: String, isHDR: Bool, _ compared: Counter) -> String? {
        let extractor = FrameExtractor(.location(.file(path)))
        defer { extractor.shutDown() }
        do {
            let outline: SourceOutline, picture: ExtractedStill
            do throws(MediaError) {
                outline = try extractor.waitUntilOpened()
                let middle = outline.startTime + (outline.duration ?? .zero).scaled(by: 0.4)
                picture = try extractor.waitForStill(at: middle, isExact: true, width: 4096)
            } catch {
                let theirs = try still(path, at: nil)
                return theirs == nil || error.code == .noDecodableStream ? nil : "\(error)"
            }
            guard let theirs = try still(path, at: picture.time.seconds - 0.0005) else { return nil }
            compared.add()
            let ours = shrunk(picture.image)
            if isHDR {
                let likeness = correlation(ours, theirs)
                return likeness > 0.8 ? nil : "likeness \(likeness) at \(picture.time.seconds)"
            }
            let difference = zip(ours, theirs).reduce(0.0) { $0 + abs($1.0 - $1.1) } / Double(ours.count)
            return difference <= limit ? nil : "differs by \(difference) at \(picture.time.seconds)"
        } catch {
            return "\(error)"
        }
    }

    /// ffmpeg's picture, small, as luma; nil where it has none.
    private static func still(_ path: String, at seconds: Double?) throws -> [Double]? {
        let scaling = "scale=\(size.width):\(size.height):flags=area,format=rgb24"
        // Seeking would miss key frames of broadcasts, and count from another start.
        let filter = seconds.map { String(format: "select=gte(t\\,%.6f),", $0) + scaling } ?? scaling
        let result = try Fixtures.run(
            "ffmpeg",
            ["-v", "quiet", "-nostdin", "-copyts", "-i", path, "-map", "0:V:0", "-vf", filter, "-frames:v", "1"]
                + ["-fps_mode", "passthrough", "-f", "rawvideo", "-"])
        let bytes = [UInt8](result.output)
        guard bytes.count == size.width * size.height * 3 else { return nil }
        return (0..<size.width * size.height).map { luma(bytes[$0 * 3], bytes[$0 * 3 + 1], bytes[$0 * 3 + 2]) }
    }

    private static func shrunk(_ image: RasterImage) -> [Double] {
        (0..<size.width * size.height).map { index in
            let x = index % size.width, y = index / size.width
            let columns = x * image.width / size.width..<max(x * image.width / size.width + 1, (x + 1) * image.width / size.width)
            let rows =
                y * image.height / size.height..<max(y * image.height / size.height + 1, (y + 1) * image.height / size.height)
            var sum = 0.0
            for row in rows {
                for column in columns {
                    let pixel = image[column, row]
                    sum += luma(UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255))
                }
            }
            return sum / Double(rows.count * columns.count)
        }
    }

    private static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
        0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let meanA = a.reduce(0, +) / Double(a.count), meanB = b.reduce(0, +) / Double(b.count)
        var ab = 0.0, aa = 0.0, bb = 0.0
        for (x, y) in zip(a, b) {
            ab += (x - meanA) * (y - meanB)
            aa += (x - meanA) * (x - meanA)
            bb += (y - meanB) * (y - meanB)
        }
        return aa < 1 || bb < 1 ? 1 : ab / (aa * bb).squareRoot()
    }
}
