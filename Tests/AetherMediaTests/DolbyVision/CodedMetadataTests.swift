import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Streams of real encoders with Dolby Vision's and HDR10+'s metadata in them, from the demuxer to the pixel, against double precision.
@Suite struct CodedMetadataTests {
    private static let width = 128, height = 64, target = PixelSize(width: 32, height: 16)

    /// Codes that hardly differ from pixel to pixel, full range, coded without loss.
    private static func picture(range: String) -> [String] {
        let codes = "lum='40+X*5':cb='512+70*cos(Y/9)*sin(X/41)':cr='512+70*sin(Y/9)*sin(X/41)'"
        return [
            "-f", "lavfi", "-i",
            "nullsrc=s=\(width)x\(height):r=24:d=0.5,format=yuv420p10le,geq=\(codes),setparams=range=\(range):color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc",
        ]
    }

    private static func hevc(range: String) throws -> [UInt8] {
        let settings = "lossless=1:aud=1:repeat-headers=1:log-level=0:keyint=6:bframes=2:colorprim=bt2020:transfer=smpte2084:"
        let path = try Fixtures.clip(
            picture(range: range) + [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                settings + "colormatrix=bt2020nc:range=\(range == "pc" ? "full" : "limited")",
            ], ext: "hevc")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func av1(range: String) throws -> [UInt8] {
        let path = try Fixtures.clip(
            picture(range: range) + [
                "-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "0", "-aom-params", "lossless=1", "-g", "6",
                "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", range,
            ], ext: "obu")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func mapping(_ profile: Int) -> DolbyVisionMapping {
        if profile == 5 || profile == 10 { return UnitWriter.profile5(curves: UnitWriter.bentCurves) }
        // As profiles 7 and 8 have them: BT.2020's matrix, and cones of BT.2100 without their crosstalk.
        return DolbyVisionMapping(
            curves: UnitWriter.bentCurves,
            toCodes: Matrix3([9574, 0, 13802] / 8192, [9574, -1540, -5348] / 8192, [9574, 17610, 0] / 8192),
            zero: [0.0625, 0.5, 0.5],
            toCones: Matrix3([7222, 8771, 390] / 16384, [2654, 12430, 1300] / 16384, [0, 422, 15962] / 16384),
            peakCode: 3079.0 / 4095)
    }

    /// Means of blocks of 4x4, as shares of 1024.
    private static func means(_ frame: borrowing DecodedFrame) -> [SIMD3<Double>] {
        func mean(_ plane: Int, _ x: Int, _ y: Int, _ side: Int) -> Double {
            var sum = 0.0
            guard let bytes = frame.pointer.pointee.plane(plane) else { return 0 }
            for row in 0..<side {
                let words = UnsafeRawPointer(bytes + (y * side + row) * frame.pointer.pointee.stride(plane))
                for column in 0..<side {
                    sum += Double(words.loadUnaligned(fromByteOffset: (x * side + column) * 2, as: UInt16.self))
                }
            }
            return sum / Double(side * side) / 1024
        }
        return (0..<target.width * target.height).map { index in
            let (x, y) = (index % target.width, index / target.width)
            return SIMD3(mean(0, x, y, 4), mean(1, x, y, 2), mean(2, x, y, 2))
        }
    }

    private static func eachFrame(_ path: String, _ body: (borrowing DecodedFrame) throws -> Void) throws {
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        let packets = try DecodedSource.allPackets(&demuxer)
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        for packet in packets.map(Optional.some) + [nil] {
            _ = try decoder.send(packet)
            do throws(MediaError) {
                while let frame = try decoder.receive() {
                    do { try body(frame) } catch { Issue.record(error) }
                }
            } catch { #expect(error.code == .endOfMedia) }
        }
    }

    // MARK: - Dolby Vision

    /// Profiles of HEVC, one with an enhancement layer in the same stream, and AV1's.
    @Test(arguments: [5, 7, 8, 10, 101]) func dolbyVisionHasItsColours(_ profile: Int) throws {
        let mapping = Self.mapping(profile), range = profile == 5 || profile == 10 ? "pc" : "tv"
        let unit = UnitWriter.payload(mapping, scenePeak: 2900, hasResidual: profile == 7)
        let path: String
        if profile >= 10 {
            path = try StreamSplicer.file(
                StreamSplicer.av1(try Self.av1(range: range), message: UnitWriter.t35(unit)), raw: "obu", ext: "mp4")
        } else {
            let stream = try Self.hevc(range: range)
            // Each unit of the other layer is wrapped in one of type 63.
            let other = profile == 7 ? StreamSplicer.units(stream).prefix(6).map { [0x7E, 0x01] + $0 } : []
            path = try StreamSplicer.file(
                StreamSplicer.hevc(stream, behind: other + [[0x7C, 0x01] + UnitWriter.nal(unit)]), raw: "hevc", ext: "mp4")
        }
        defer { unlink(path) }
        let tone = ToneCurve(.auto, LightMetadata(), transfer: .pq, dolbyVisionPeak: PerceptualQuantizer.nits(2900.0 / 4095)) {
            0
        }
        let plan = LightPlan(mapping, tone: tone)
        var count = 0
        var scaler = RasterScaler()
        try Self.eachFrame(path) { frame in
            #expect(frame.videoFormat == .dolbyVision)
            let image = try scaler.scale(frame, to: Self.target)
            let differences = zip(Self.means(frame), image.pixels).map { codes, pixel in
                deltaE2000(plan.exact(mapping.reshaped(codes)), colour(pixel))
            }
            let mean = differences.reduce(0, +) / Double(differences.count)
            if count == 0 {
                print("Dolby Vision profile \(profile), coded: ΔE2000 mean \(mean), worst \(differences.max() ?? 0)")
            }
            #expect(mean < 0.5)
            count += 1
        }
        // Two pictures of a raw stream with B-frames fall to ffmpeg's guess of their times.
        #expect(count >= 10)
    }

    // MARK: - HDR10+

    /// A message of one scene, with the country's code in front.
    private static func scene(peak: Int, target: Int, knee: (Int, Int), anchors: [Int]) -> [UInt8] {
        var w = UnitWriter()
        w.write(1, 8)
        w.write(1, 2)
        w.write(target, 27)
        w.write(0, 1)
        for share in [peak * 10, peak * 9, peak * 8, peak] { w.write(share, 17) }
        w.write(2, 4)
        for (percentage, share) in [(50, 100), (99, peak * 9)] {
            w.write(percentage, 7)
            w.write(share, 17)
        }
        w.write(0, 10)
        w.write(0, 1)
        w.write(1, 1)
        w.write(knee.0, 12)
        w.write(knee.1, 12)
        w.write(anchors.count, 4)
        for anchor in anchors { w.write(anchor, 10) }
        w.write(0, 1)
        return [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04] + w.bytes
    }

    @Test(arguments: ["hevc", "av1"]) func hdr10PlusIsAppliedPerScene(_ codec: String) throws {
        let message = Self.scene(peak: 1200, target: 400, knee: (200, 600), anchors: [300, 500, 700, 850, 950])
        let path =
            codec == "hevc"
            ? try StreamSplicer.file(
                StreamSplicer.hevc(try Self.hevc(range: "tv"), ahead: [StreamSplicer.sei(message)]), raw: "hevc", ext: "mp4")
            : try StreamSplicer.file(StreamSplicer.av1(try Self.av1(range: "tv"), message: message), raw: "obu", ext: "mp4")
        defer { unlink(path) }
        let curve = try #require(
            SceneCurve(
                peak: 1200, target: 400, kneeX: 200.0 / 4095, kneeY: 600.0 / 4095,
                anchors: [300, 500, 700, 850, 950].map { Double($0) / 1023 }))
        var count = 0
        var scaler = RasterScaler()
        try Self.eachFrame(path) { frame in
            #expect(frame.videoFormat == .hdr10Plus)
            let plan = LightPlan(try FrameLayout(UnsafePointer(frame.pointer)), depth: 10, tone: .scene(curve))
            let image = try scaler.scale(frame, to: Self.target)
            let differences = zip(Self.means(frame), image.pixels).map { codes, pixel in
                deltaE2000(plan.exact(codes), colour(pixel))
            }
            let mean = differences.reduce(0, +) / Double(differences.count)
            if count == 0 { print("HDR10+ in \(codec): ΔE2000 mean \(mean), worst \(differences.max() ?? 0)") }
            #expect(mean < 0.5)
            count += 1
        }
        // Two pictures of a raw stream with B-frames fall to ffmpeg's guess of their times.
        #expect(count >= 10)
    }

    /// Our own reader against libavcodec's on the units of somebody else's film.
    @Test(
        .enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"),
        arguments: ["hdr10plus/metadata/ToS-s05.h265"])
    func readsScenesAsFFmpegDoes(_ name: String) throws {
        let url = try #require(Fixtures.shared).appendingPathComponent("corpus").appendingPathComponent(name)
        let stream = [UInt8](try Data(contentsOf: url))
        var ours: [AVDynamicHDRPlus] = []
        for unit in StreamSplicer.units(stream) where unit.first.map({ $0 >> 1 & 63 }) == 39 {
            var zeros = 0
            let plain = unit.dropFirst(2).filter { byte in
                let isPrevention = zeros >= 2 && byte == 3
                zeros = byte == 0 && !isPrevention ? zeros + 1 : 0
                return !isPrevention
            }
            // One message a unit, of less than 255 bytes.
            guard plain.count > 8, plain[0] == 4 else { continue }
            let message = RegisteredUserData(country: plain[2], payload: Array(plain[3..<2 + Int(plain[1])]))
            if let scene = AVDynamicHDRPlus(message) { ours.append(scene) }
        }
        var theirs: [AVDynamicHDRPlus] = []
        try Self.eachFrame(url.path) { frame in
            guard let data = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_DYNAMIC_HDR_PLUS) else { return }
            theirs.append(UnsafeRawPointer(data.pointee.data).loadUnaligned(as: AVDynamicHDRPlus.self))
        }
        func numbers(_ scene: AVDynamicHDRPlus) -> [Double] {
            let window = scene.params.0
            var all = [window.maxscl.0, window.maxscl.1, window.maxscl.2, scene.targeted_system_display_maximum_luminance]
            withUnsafeBytes(of: window.distribution_maxrgb) {
                all += $0.bindMemory(to: AVHDRPlusPercentile.self)
                    .prefix(Int(window.num_distribution_maxrgb_percentiles)).map(\.percentile)
            }
            if window.tone_mapping_flag != 0 {
                all += [window.knee_point_x, window.knee_point_y]
                withUnsafeBytes(of: window.bezier_curve_anchors) {
                    all += $0.bindMemory(to: AVRational.self).prefix(Int(window.num_bezier_curve_anchors))
                }
            }
            return all.map(av_q2d) + [Double(window.tone_mapping_flag)]
        }
        #expect(!ours.isEmpty)
        // One unit stands for several frames.
        #expect(Set(ours.map(numbers)) == Set(theirs.map(numbers)))
    }

    @Test func nonsenseIsNoScene() {
        let message = Self.scene(peak: 1200, target: 400, knee: (200, 600), anchors: [300, 500])
        let whole = RegisteredUserData(country: 0xB5, payload: Array(message.dropFirst()))
        #expect(AVDynamicHDRPlus(whole) != nil)
        for length in 0..<whole.payload.count - 1 {
            #expect(AVDynamicHDRPlus(RegisteredUserData(country: 0xB5, payload: Array(whole.payload.prefix(length)))) == nil)
        }
        #expect(AVDynamicHDRPlus(RegisteredUserData(country: 0x26, payload: whole.payload)) == nil)
        var noise = Noise(state: 5)
        for _ in 0..<2000 {
            var bytes = whole.payload
            for _ in 0..<4 { bytes[5 + Int(noise.next() % UInt64(bytes.count - 5))] = UInt8(truncatingIfNeeded: noise.next()) }
            _ = AVDynamicHDRPlus(RegisteredUserData(country: 0xB5, payload: bytes))
        }
    }
}
