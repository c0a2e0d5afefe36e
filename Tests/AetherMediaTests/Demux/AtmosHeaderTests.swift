import AetherCore
import AetherSources
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Headers of E-AC-3 frames, field by field as ETSI TS 102 366 E.1.2 lists them.
private struct FrameWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
        for bit in (0..<width).reversed() {
            if count & 7 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[count >> 3] |= 0x80 >> UInt8(count & 7) }
            count += 1
        }
    }

    struct Header {
        var type = 0, rate = 0, blocks = 3, mode = 7, bsid = 16
        var hasLFE = true, hasMixing = false, hasInformation = false
        var mixingDefinition = 0
        /// The bytes of the additional information; nil without any.
        var additional: [Int]?
    }

    /// A frame of `length` bytes.
    static func frame(_ header: Header, length: Int = 128) -> [UInt8] {
        var w = FrameWriter()
        w.put(0x0B77, 16); w.put(header.type, 2); w.put(0, 3); w.put(length / 2 - 1, 11); w.put(header.rate, 2)
        w.put(header.blocks, 2); w.put(header.mode, 3); w.put(header.hasLFE ? 1 : 0, 1); w.put(header.bsid, 5)
        for _ in 0..<(header.mode == 0 ? 2 : 1) { w.put(31, 5); w.put(1, 1); w.put(0xFF, 8) }
        if header.type == 1 { w.put(1, 1); w.put(0xFFFF, 16) }
        w.put(header.hasMixing ? 1 : 0, 1)
        if header.hasMixing { w.putMixing(header) }
        w.put(header.hasInformation ? 1 : 0, 1)
        if header.hasInformation {
            w.put(31, 5)
            if header.mode == 2 { w.put(15, 4) }
            if header.mode >= 6 { w.put(3, 2) }
            for _ in 0..<(header.mode == 0 ? 2 : 1) { w.put(1, 1); w.put(0xFF, 8) }
            if header.rate < 3 { w.put(1, 1) }
        }
        if header.type == 0, header.blocks != 3 { w.put(1, 1) }
        if header.type == 2 {
            if header.blocks != 3 { w.put(1, 1) }
            w.put(63, 6)
        }
        w.put(header.additional == nil ? 0 : 1, 1)
        if let additional = header.additional {
            w.put(additional.count - 1, 6)
            for byte in additional { w.put(byte, 8) }
        }
        return w.bytes + [UInt8](repeating: 0xFF, count: max(0, length - w.bytes.count))
    }

    private mutating func putMixing(_ header: Header) {
        if header.mode > 2 { put(3, 2) }
        if header.mode & 1 != 0, header.mode > 2 { put(63, 6) }
        if header.mode & 4 != 0 { put(63, 6) }
        if header.hasLFE { put(1, 1); put(31, 5) }
        guard header.type == 0 else { return }
        put(1, 1); put(63, 6)
        if header.mode == 0 { put(1, 1); put(63, 6) }
        put(1, 1); put(63, 6)
        put(header.mixingDefinition, 2)
        switch header.mixingDefinition {
        case 1: put(31, 5)
        case 2: put(0xFFF, 12)
        case 3:
            put(4, 5)
            for _ in 0..<6 { put(0xFF, 8) }
        default: break
        }
        if header.mode < 2 { put(1, 1); put(0x3FFF, 14) }
        if header.mode == 0 { put(1, 1); put(0x3FFF, 14) }
        put(1, 1)
        if header.blocks == 0 { put(31, 5) } else { for _ in 0..<[1, 2, 3, 6][header.blocks] { put(1, 1); put(31, 5) } }
    }
}

@Suite struct AtmosHeaderTests {
    private func isAtmos(_ bytes: [UInt8], _ codec: AVCodecID = AV_CODEC_ID_EAC3) -> Bool {
        bytes.withUnsafeBytes { AtmosHeader.isPresent(codec, $0) }
    }

    /// Every way to fill the fields before it; the flag alone decides.
    @Test func theFlagIsFoundBehindEveryCombinationOfFields() {
        var wrong: [String] = []
        for type in 0...2 {
            for blocks in 0...3 {
                for mode in 0...7 {
                    for switches in 0..<8 {
                        for definition in 0...3 {
                            var header = FrameWriter.Header(type: type, blocks: blocks, mode: mode)
                            header.hasLFE = switches & 1 != 0
                            header.hasMixing = switches & 2 != 0
                            header.hasInformation = switches & 4 != 0
                            header.mixingDefinition = definition
                            header.additional = [1, 16]
                            if !isAtmos(FrameWriter.frame(header)) { wrong.append("\(header)") }
                            header.additional = [0xFE, 16]
                            if isAtmos(FrameWriter.frame(header)) { wrong.append("\(header)") }
                            header.additional = nil
                            if isAtmos(FrameWriter.frame(header)) { wrong.append("\(header)") }
                        }
                    }
                }
            }
        }
        #expect(wrong.count == 0, "\(wrong.first ?? "")")
    }

    @Test func aDependentFrameMayHaveIt() {
        let core = FrameWriter.frame(.init(), length: 64)
        let part = FrameWriter.frame(.init(type: 1, additional: [1, 11]), length: 96)
        #expect(isAtmos(core) == false && isAtmos(core + part) == true)
        // It does not reach beyond its frame, nor beyond the packet.
        #expect(isAtmos(core + part.prefix(5)) == false)
        #expect(isAtmos([]) == false && isAtmos([0x0B, 0x77]) == false && isAtmos([UInt8](repeating: 0, count: 50)) == false)
    }

    @Test func cutAndDamagedHeadersAreNoAtmos() {
        let frame = FrameWriter.frame(.init(hasMixing: true, hasInformation: true, mixingDefinition: 3, additional: [1, 11]))
        let end = (0..<frame.count).first { isAtmos(Array(frame.prefix($0))) } ?? 0
        #expect(end > 20 && end < 40)
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let bytes = [0x0B, 0x77] + (0..<40).map { _ in UInt8(random.below(256)) }
            _ = isAtmos(bytes)
            _ = isAtmos(bytes, AV_CODEC_ID_TRUEHD)
        }
    }

    /// The header as an encoder writes it, and the same header with the bit set.
    @Test func trueHDSaysSoInItsMajorSync() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=d=0.2:r=48000", "-ac", "6", "-c:a", "truehd", "-strict", "-2", "-f", "truehd"], ext: "thd"
        )
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)).prefix(400))
        #expect(isAtmos(bytes, AV_CODEC_ID_TRUEHD) == false)
        bytes[20] = 0x40 | bytes[20] & 0x0F
        bytes[21] |= 0x80
        #expect(isAtmos(bytes, AV_CODEC_ID_TRUEHD) == true)
        #expect(isAtmos(Array(bytes.prefix(21)), AV_CODEC_ID_TRUEHD) == false)
    }

    /// Through a container: the track says so, for playing and for the probe.
    @Test(arguments: [OpenOptions.Analysis.playback, .full], [true, false]) func theTrackSaysSo(
        _ analysis: OpenOptions.Analysis, _ isObject: Bool
    ) throws {
        let plain = try Fixtures.clip(["-f", "lavfi", "-i", "sine=d=0.5:r=48000", "-ac", "6", "-c:a", "eac3"], ext: "eac3")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: plain)))
        if isObject {
            // The first frame becomes one of ours of the same length: a demuxer believes it.
            let length = ((Int(bytes[2]) & 7) << 8 | Int(bytes[3])) * 2 + 2
            let frame = FrameWriter.frame(.init(additional: [1, 11]), length: length)
            bytes.replaceSubrange(0..<length, with: frame)
        }
        let reader = MemoryReader(bytes)
        let demuxer = try Demuxer(
            .reader(reader, name: "x.eac3"), options: OpenOptions(analysis: analysis), interrupt: Interrupt())
        let track = try #require(demuxer.info.tracks.first)
        #expect(track.codec == "eac3" && track.isAtmos == isObject)
    }
}
