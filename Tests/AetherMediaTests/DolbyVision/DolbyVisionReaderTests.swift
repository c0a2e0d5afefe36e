import AetherCore
import AetherFormats
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

@Suite struct DolbyVisionReaderTests {
    private static func isNear(_ a: DolbyVisionMapping, _ b: DolbyVisionMapping) -> Bool {
        func curves(_ m: DolbyVisionMapping) -> [DolbyVisionMapping.Curve] { [m.curves.0, m.curves.1, m.curves.2] }
        func numbers(_ m: DolbyVisionMapping) -> [Double] {
            var all = curves(m).flatMap(\.pivots)
            for piece in curves(m).flatMap(\.pieces) {
                switch piece {
                case .polynomial(let k): all += [k.x, k.y, k.z]
                case .mixed(let constant, let weights): all += [constant] + weights.flatMap { w in (0..<7).map { w[$0] } }
                }
            }
            for row in [m.toCodes.x, m.toCodes.y, m.toCodes.z, m.zero, m.toCones.x, m.toCones.y, m.toCones.z] {
                all += [row.x, row.y, row.z]
            }
            return all
        }
        let (x, y) = (numbers(a), numbers(b))
        return x.count == y.count && zip(x, y).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test(arguments: [false, true]) func whatIsWrittenIsRead(_ hasResidual: Bool) throws {
        let mapping = UnitWriter.profile5(curves: UnitWriter.bentCurves)
        let payload = UnitWriter.payload(mapping, scenePeak: 2081, hasResidual: hasResidual)
        for message in [UnitWriter.nal(payload), UnitWriter.nal(payload) + [0, 0], UnitWriter.t35(payload)] {
            var reader = DolbyVisionReader()
            let read = reader.read(message)
            let unit = try #require(read)
            #expect(Self.isNear(unit.mapping, mapping))
            #expect(unit.scenePeakCode == 2081.0 / 4095)
            #expect(unit.mapping.peakCode == 3079.0 / 4095)
        }
        var reader = DolbyVisionReader()
        #expect(reader.read(Array(UnitWriter.t35(payload).dropFirst())) != nil)
    }

    @Test func damageIsNoticed() {
        let payload = UnitWriter.payload(UnitWriter.profile5(curves: UnitWriter.bentCurves))
        for index in stride(from: 0, to: payload.count, by: 7) {
            var damaged = payload
            damaged[index] ^= 0x10
            var reader = DolbyVisionReader()
            #expect(reader.read(UnitWriter.nal(damaged)) == nil)
        }
    }

    /// With a right checksum, so that the numbers behind it are really read.
    @Test func nothingTraps() {
        var noise = Noise(state: 3)
        let payload = Array(UnitWriter.payload(UnitWriter.profile5(curves: UnitWriter.bentCurves), scenePeak: 9).dropLast(5))
        var reader = DolbyVisionReader()
        for round in 0..<3000 {
            var body = payload
            for _ in 0..<(1 + round % 5) {
                body[Int(noise.next() % UInt64(body.count))] = UInt8(truncatingIfNeeded: noise.next())
            }
            if round % 3 == 0 { body.removeLast(Int(noise.next() % UInt64(body.count))) }
            let sum = MPEGChecksum.of(body)
            for shift in [24, 16, 8, 0] { body.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift))) }
            _ = reader.read(UnitWriter.nal(body + [0x80]))
            _ = reader.read(UnitWriter.t35(body + [0x80]))
            _ = reader.read(body)
        }
        #expect(reader.read([]) == nil)
    }

    @Test(
        .enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"),
        arguments: ["dovi/hevc_tests/regular.mkv", "androidx/mp4/dolbyVision-hdr.MOV"])
    func readsWhatFFmpegReads(_ name: String) throws {
        let root = try #require(Fixtures.shared).appendingPathComponent("corpus")
        var demuxer = try Demuxer(try reading(root.appendingPathComponent(name).path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        #expect(stream.videoFormat == .dolbyVision)
        #expect(stream.dolbyVision?.profile == 8)
        demuxer.select([stream.index])
        let packets = try DecodedSource.allPackets(&demuxer)
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        var reader = DolbyVisionReader()
        var (count, mixed) = (0, 0)
        func take(_ frame: borrowing DecodedFrame) throws {
            #expect(frame.videoFormat == .dolbyVision)
            let theirs = try #require(DolbyVisionMapping(UnsafePointer(frame.pointer)))
            // A frame without a unit of its own has the last one's mapping.
            guard let data = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_DOVI_RPU_BUFFER) else { return }
            let bytes = Array(UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
            let read = reader.read(bytes)
            let ours = try #require(read)
            #expect(Self.isNear(ours.mapping, theirs))
            #expect(ours.mapping.peakCode == theirs.peakCode)
            count += 1
            mixed += theirs.curves.1.isMixed ? 1 : 0
        }
        for packet in packets.map(Optional.some) + [nil] {
            _ = try decoder.send(packet)
            do throws(MediaError) {
                while let frame = try decoder.receive() {
                    do { try take(frame) } catch { Issue.record(error) }
                }
            } catch { #expect(error.code == .endOfMedia) }
        }
        print("Dolby Vision: \(name): \(count) frames, \(mixed) with mixed chroma")
        #expect(count > 0)
    }
}

@Suite struct ReshaperTests {
    private func planes(_ count: Int) -> [UInt16] {
        var noise = Noise(state: 21)
        return (0..<count * 4 + 8).map { _ in UInt16(truncatingIfNeeded: noise.next() % 1024 << 6) }
    }

    @Test func isNearDoublePrecision() throws {
        let line = try #require(
            DolbyVisionMapping.Curve(pivots: [0.1, 0.4, 0.9], pieces: [.polynomial([0, 1.1, 0]), .polynomial([0.1, 0.85, 0])]))
        let two = try #require(
            DolbyVisionMapping.Curve(
                pivots: [0, 0.5, 1],
                pieces: [.polynomial([0, 1, 0]), .mixed(constant: 0.1, [SIMD8(0, 0.5, 0.2, 0, 0, 0, 0, 0)])]))
        let bent = UnitWriter.bentCurves
        for curves in [bent, (line, line, line), (.identity, .identity, .identity), (line, bent.1, line), (line, two, bent.2)] {
            let mapping = UnitWriter.profile5(curves: curves)
            let count = 4001
            var work = planes(count)
            let before = work
            var reshaper = Reshaper()
            work.withUnsafeMutableBufferPointer { reshaper.apply(mapping, to: $0.baseAddress!, count: count) }
            var worst = 0.0
            for index in 0..<count {
                let c = SIMD3(Double(before[index]), Double(before[count + index]), Double(before[2 * count + index])) / 65536
                let want = mapping.reshaped(c) * 65536
                for plane in 0..<3 { worst = max(worst, abs(Double(work[plane * count + index]) - min(want[plane], 65535))) }
            }
            // Of 65536: less than a step of 12 bits.
            #expect(worst < 16, "\(worst)")
        }
    }
}

/// Pictures whose colours are known, coded as Dolby Vision codes them, and back.
@Suite struct DolbyVisionPictureTests {
    private static let width = 96, height = 64

    /// Colours of BT.2020 in cd/m², from a dark grey to bright and saturated ones.
    private static func scene(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let level = 0.05 * pow(12000, Double(x) / Double(width - 1))
        let hue = Double(y) / Double(height) * 2 * .pi
        let tint = SIMD3(0.65 + 0.35 * cos(hue), 0.65 + 0.35 * cos(hue - 2.1), 0.65 + 0.35 * cos(hue + 2.1))
        return tint * level
    }

    @Test(arguments: [false, true]) func profile5HasItsColours(_ isBent: Bool) throws {
        let (width, height) = (Self.width, Self.height)
        let line = try #require(DolbyVisionMapping.Curve(pivots: [0, 1023.0 / 1024], pieces: [.polynomial([0, 1, 0])]))
        let curves = isBent ? UnitWriter.bentCurves : (line, line, line)
        let mapping = UnitWriter.profile5(curves: curves)
        let tone = ToneCurve.bt2390(peak: mapping.peak ?? 0)
        let plan = LightPlan(mapping, tone: tone)
        let toCones = try #require(plan.cones?.inverse), fromCodes = try #require(mapping.toCodes.inverse)
        var codes: [[Int]] = [[], [], []]
        var wanted: [SIMD3<Double>] = []
        for y in 0..<height {
            for x in 0..<width {
                let light = toCones * Self.scene(x, y)
                let code = SIMD3(
                    PerceptualQuantizer.code(nits: light.x), PerceptualQuantizer.code(nits: light.y),
                    PerceptualQuantizer.code(nits: light.z))
                let base = isBent ? Self.unbent(fromCodes * code + mapping.zero, mapping) : fromCodes * code + mapping.zero
                for plane in 0..<3 { codes[plane].append(Int(min(max((base[plane] * 1024).rounded(), 0), 1023))) }
                // The expected pixel, straight from the scene.
                let nits = Self.scene(x, y)
                let mapped = nits * (tone.map(nits.max()) / nits.max() / ToneCurve.white)
                let shown = LightPlan.intoGamut(ColourPrimaries.bt2020.conversion(to: .bt709) * mapped)
                wanted.append(SIMD3(TransferCurve.sRGB(shown.x), TransferCurve.sRGB(shown.y), TransferCurve.sRGB(shown.z)))
            }
        }
        let frame = videoFrame(AV_PIX_FMT_YUV444P10LE, width, height) { plane, x, y in codes[plane][y * width + x] }
        let message = UnitWriter.nal(UnitWriter.payload(mapping))
        let data = try #require(av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_DOVI_RPU_BUFFER, message.count))
        data.pointee.data.update(from: message, count: message.count)
        var scaler = RasterScaler()
        let image = try scaler.scale(frame, to: PixelSize(width: width, height: height))
        var sum = 0.0, worst = 0.0
        for index in wanted.indices {
            let difference = deltaE2000(wanted[index], colour(image.pixels[index]))
            sum += difference
            worst = max(worst, difference)
        }
        print("Dolby Vision profile 5, bent \(isBent): ΔE2000 mean \(sum / Double(wanted.count)), worst \(worst)")
        #expect(sum / Double(wanted.count) < 1)
    }

    /// The components that are reshaped into those, by Newton's method: what an encoder's prediction does.
    private static func unbent(_ goal: SIMD3<Double>, _ mapping: DolbyVisionMapping) -> SIMD3<Double> {
        var guess = goal
        for _ in 0..<200 { guess += (goal - mapping.reshaped(guess)) * 0.5 }
        return guess
    }
}
