import AetherTestSupport
import Foundation

/// A broadcast's multiplex made of two transport streams: their packets in turns, under one table of programmes.
enum Multiplex {
    /// Two programmes of some seconds: a test picture with a deep tone, and red with a high one, whose clock is `shift` seconds ahead.
    static func twoProgrammes(in folder: TemporaryFolder, seconds: Int = 6, shift: Double) throws -> (
        path: String, parts: [String]
    ) {
        let parts = try [("testsrc2=s=96x64", 440, 0.0, "eng"), ("color=red:s=64x96", 880, shift, "ger")].enumerated().map {
            index, part in
            try Fixtures.clip(
                [
                    "-f", "lavfi", "-i", "\(part.0):r=25:d=\(seconds)", "-f", "lavfi", "-i",
                    "sine=f=\(part.1):r=48000:d=\(seconds)",
                    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-threads", "1", "-c:a", "mp2",
                    "-metadata", "service_name=Station \(index + 1)", "-metadata:s:a:0", "language=\(part.3)",
                    "-output_ts_offset",
                    "\(part.2)", "-mpegts_service_id", "\(index + 1)", "-mpegts_pmt_start_pid", "\(0x1000 + index * 0x10)",
                    "-mpegts_start_pid", "\(0x100 + index * 0x100)",
                ], ext: "ts")
        }
        let streams = try parts.map { packets(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0)))) }
        var bytes: [UInt8] = []
        let length = streams.map(\.count).max() ?? 0
        for index in 0..<length {
            if index % 40 == 0 { bytes += table(counter: index / 40) }
            // Each at its own pace, so that both last as long.
            for stream in streams {
                for packet in stream[stream.count * index / length..<stream.count * (index + 1) / length] { bytes += packet }
            }
        }
        let path = folder.path("multiplex.ts")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, parts)
    }

    /// The packets but for the tables of programmes.
    private static func packets(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count - 187, by: 188).map { bytes[$0..<$0 + 188] }
            .filter { Int($0[$0.startIndex + 1] & 0x1F) << 8 | Int($0[$0.startIndex + 2]) != 0 }
    }

    /// ISO 13818-1, 2.4.4.3.
    private static func table(counter: Int) -> [UInt8] {
        var section: [UInt8] = [0, 0xB0, 17, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 2, 0xF0, 0x10]
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in section {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04C1_1DB7 : crc << 1 }
        }
        section += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
        let packet: [UInt8] = [0x47, 0x40, 0, 0x10 | UInt8(counter & 15), 0] + section
        return packet + [UInt8](repeating: 0xFF, count: 188 - packet.count)
    }
}
