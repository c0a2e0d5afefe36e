import AetherTestSupport
import Foundation

/// Puts units of metadata into raw streams of HEVC and AV1, as encoders with a licence do.
enum StreamSplicer {
    /// NAL units of Annex B, without their start codes.
    static func units(_ stream: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        for index in 0..<max(0, stream.count - 3) where stream[index] == 0 && stream[index + 1] == 0 && stream[index + 2] == 1 {
            starts.append(index + 3)
        }
        return starts.indices.map { number in
            var unit = Array(stream[starts[number]..<(number + 1 < starts.count ? starts[number + 1] - 3 : stream.count)])
            while unit.last == 0 { unit.removeLast() }
            return unit
        }
    }

    private static func kind(_ unit: [UInt8]) -> UInt8 { unit.first.map { $0 >> 1 & 63 } ?? 0 }

    /// HEVC whose pictures begin with delimiters (`aud=1`): each gets one unit ahead of its slices, and others behind them.
    static func hevc(_ stream: [UInt8], ahead: [[UInt8]] = [], behind: [[UInt8]] = []) -> [UInt8] {
        var pictures: [[[UInt8]]] = []
        for unit in units(stream) {
            if kind(unit) == 35 { pictures.append([]) }
            pictures[pictures.count - 1].append(unit)
        }
        return pictures.flatMap { units -> [UInt8] in
            let slices = units.firstIndex { kind($0) < 32 } ?? units.count
            return (units[..<slices] + ahead + units[slices...] + behind).flatMap { [0, 0, 0, 1] + $0 }
        }
    }

    /// A prefix SEI with a message of ITU-T T.35 in it, which begins with the country's code.
    static func sei(_ message: [UInt8]) -> [UInt8] {
        let size = [UInt8](repeating: 255, count: message.count / 255) + [UInt8(message.count % 255)]
        return [0x4E, 0x01] + escaped([4] + size + message + [0x80])
    }

    /// With emulation prevention.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in bytes {
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// AV1's low overhead format: each temporal unit gets a metadata unit of ITU-T T.35 ahead of its first frame.
    static func av1(_ stream: [UInt8], message: [UInt8]) -> [UInt8] {
        let body = [4] + message + [0x80]
        let metadata = [0x2A] + leb128(body.count) + body
        var result: [UInt8] = []
        var position = 0, isWanted = false
        while position < stream.count {
            let head = stream[position], type = head >> 3 & 15
            var cursor = position + (head & 4 != 0 ? 2 : 1)
            var size = 0, shift = 0
            repeat {
                size |= Int(stream[cursor] & 127) << shift
                shift += 7
                cursor += 1
            } while stream[cursor - 1] >= 128
            if type == 2 { isWanted = true }
            if isWanted, type == 3 || type == 6 {
                result += metadata
                isWanted = false
            }
            result += stream[position..<cursor + size]
            position = cursor + size
        }
        return result
    }

    private static func leb128(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + leb128(value >> 7)
    }

    /// A file of this stream as ffmpeg's muxers write it; removed by whoever asked.
    static func file(_ stream: [UInt8], raw: String, ext: String) throws -> String {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("aether-spliced-\(UUID().uuidString)").path
        try Data(stream).write(to: URL(fileURLWithPath: "\(base).\(raw)"))
        defer { unlink("\(base).\(raw)") }
        let result = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-y", "-r", "24", "-i", "\(base).\(raw)", "-c", "copy", "\(base).\(ext)"])
        guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
        return "\(base).\(ext)"
    }
}
