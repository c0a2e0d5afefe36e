import AetherCore
import AetherSources
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

@Suite struct PassthroughTests {
    private static let all: BitstreamPassthrough = [.ac3, .eac3, .dts, .dtsHD, .trueHD]

    @Test(
        arguments: [
            (AV_CODEC_ID_AC3, -99, 48000, 48000, 2), (AV_CODEC_ID_AC3, -99, 44100, 44100, 2),
            (AV_CODEC_ID_EAC3, -99, 48000, 192_000, 2),
            (AV_CODEC_ID_TRUEHD, -99, 96000, 192_000, 8), (AV_CODEC_ID_TRUEHD, -99, 88200, 176_400, 8),
            (AV_CODEC_ID_DTS, 20, 48000, 48000, 2), (AV_CODEC_ID_DTS, 60, 96000, 192_000, 8),
        ] as [(AVCodecID, Int32, Int, Int, Int)])
    func carriers(_ codec: AVCodecID, _ profile: Int32, _ rate: Int, _ carrier: Int, _ channels: Int) throws {
        let format = try #require(BurstFormat(codecID: codec, profile: profile, sampleRate: rate, allowed: Self.all)).carrier
        #expect(format.sampleRate == carrier && format.channelCount == channels && format.sample == .int16 && format.isBitstream)
        #expect(BurstFormat(codecID: codec, profile: profile, sampleRate: rate, allowed: []) == nil)
    }

    @Test func whatIsNotAllowedIsDecoded() {
        #expect(BurstFormat(codecID: AV_CODEC_ID_AAC, profile: -99, sampleRate: 48000, allowed: Self.all) == nil)
        #expect(BurstFormat(codecID: AV_CODEC_ID_AC3, profile: -99, sampleRate: 12345, allowed: Self.all) == nil)
        // The core alone where only that is allowed.
        let core = BurstFormat(codecID: AV_CODEC_ID_DTS, profile: 60, sampleRate: 48000, allowed: .dts)
        #expect(core?.carrier.channelCount == 2 && core?.isDTSHD == false)
        #expect(BitstreamPassthrough(names: "ac3,truehd") == [.ac3, .trueHD])
        #expect(BitstreamPassthrough(names: "ac3,mp3") == nil && BitstreamPassthrough(names: "") == nil)
    }

    @Test(arguments: [
        ("iec958", 48000, "iec958:AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x02"),
        ("hdmi:CARD=PCH,DEV=0", 192_000, "hdmi:CARD=PCH,DEV=0,AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x0e"),
        ("hw:0,3", 48000, "hw:0,3"), ("iec958:AES0=4", 48000, "iec958:AES0=4"),
        ("hdmi", 176_400, "hdmi:AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x0c"),
    ])
    func theStatusBitsSayThatItIsNoAudio(_ name: String, _ rate: Int, _ path: String) {
        #expect(DigitalOutput.name(name, sampleRate: rate) == path)
    }

    @Test func noMixerIsGivenABitstream() throws {
        for name in ["default", "default:CARD=0", "pulse", "sysdefault:CARD=PCH", "plughw:0,3", "dmix:0", "surround51:CARD=0"] {
            #expect(DigitalOutput.mayCarry(name) == false)
            let device = ALSADevice(name: name)
            var format = AudioFormat(sampleRate: 48000, channelCount: 2, sample: .int16)
            format.isBitstream = true
            var reason: String?
            do throws(MediaError) { _ = try device.configure(format) } catch { reason = error.reason }
            #expect(reason == "it is not a digital output")
        }
        for name in ["iec958", "hdmi:CARD=PCH", "hw:0,3", "file:'/x',raw"] { #expect(DigitalOutput.mayCarry(name)) }
    }

    private func packets(_ path: String) throws -> (StreamInfo, [Packet]) {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.audio).first)
        var packets: [Packet] = []
        do throws(MediaError) {
            while true { packets.append(try demuxer.read(epoch: Epoch(1))) }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        return (stream, packets)
    }

    private func bytes(_ packet: Packet) -> [UInt8] { packet.bytes(limit: .max) }

    /// Each frame of the source comes back out of a burst of the right type at the right distance.
    @Test(arguments: [("ac3", 1, 6144, false), ("eac3", 21, 24576, true), ("dca", 11, 2048, false)])
    func burstsHoldTheFramesOfTheSource(_ codec: String, _ type: Int, _ period: Int, _ isByteCount: Bool) throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=f=500:d=1:r=48000", "-ac", "6", "-c:a", codec, "-strict", "-2"], ext: "mkv")
        let (stream, packets) = try packets(path)
        let format = try #require(BurstFormat(stream.parameters, allowed: Self.all))
        var muxer = try BurstMuxer(format, stream.parameters)
        var out: [UInt8] = []
        for packet in packets { try muxer.wrap(packet, into: &out) }
        let bursts = BurstReader.bursts(out, isByteCount: isByteCount)
        #expect(bursts.count == packets.count && out.count == period * packets.count)
        #expect(bursts.enumerated().allSatisfy { $1.offset == $0 * period && $1.type & 0x1F == type })
        #expect(bursts.map(\.payload) == packets.map { bytes($0) })
        // A second of bursts is a second on the carrier.
        #expect(abs(format.carrier.duration(frames: out.count / format.carrier.bytesPerFrame).seconds - 1) < 0.05)
    }

    /// TrueHD: 24 units in one MAT frame, each found in it byte for byte.
    @Test func trueHDTravelsInMATFrames() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "anoisesrc=d=1:r=48000:a=0.1:seed=1", "-ac", "6", "-c:a", "truehd", "-strict", "-2"], ext: "mkv"
        )
        let (stream, packets) = try packets(path)
        let format = try #require(BurstFormat(stream.parameters, allowed: .trueHD))
        var muxer = try BurstMuxer(format, stream.parameters)
        var out: [UInt8] = []
        for packet in packets { try muxer.wrap(packet, into: &out) }
        let bursts = BurstReader.bursts(out, isByteCount: true)
        #expect(bursts.count >= packets.count / 24 - 1 && bursts.count > 30)
        #expect(bursts.enumerated().allSatisfy { $1.offset == $0 * 61440 && $1.type & 0x1F == 22 && $1.payload.count == 61424 })
        var missing = 0
        let first = bursts[1].payload
        for packet in packets[26..<44] {
            let unit = bytes(packet)
            if !first.indices.contains(where: { first[$0] == unit[0] && first[$0...].starts(with: unit) }) { missing += 1 }
        }
        // One unit of a frame is cut by the MAT frame's own middle.
        #expect(missing <= 1)
    }

    /// ALSA's `file` PCM takes what a receiver would: to the byte.
    @Test func theDeviceGetsTheBurstsUnchanged() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=f=500:d=0.3:r=48000", "-ac", "6", "-c:a", "ac3"], ext: "mkv")
        let (stream, packets) = try packets(path)
        let format = try #require(BurstFormat(stream.parameters, allowed: .ac3))
        var muxer = try BurstMuxer(format, stream.parameters)
        var out: [UInt8] = []
        for packet in packets.prefix(4) { try muxer.wrap(packet, into: &out) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("aether-\(UUID().uuidString).raw").path
        defer { try? FileManager.default.removeItem(atPath: file) }  // A leftover in /tmp harms nobody.
        do {
            let device = ALSADevice(name: "file:'\(file)',raw")
            do throws(MediaError) {
                #expect(try device.configure(format.carrier) == format.carrier)
            } catch {
                // Without a sound card the slave of `file` may be missing.
                print("skipped: \(error)")
                return
            }
            #expect(try out.withUnsafeBytes { try device.write($0) } == out.count / 4)
            try device.start()
            try device.drop()
        }
        let received = [UInt8](try Data(contentsOf: URL(filePath: file)))
        #expect(received == out)
    }
}
