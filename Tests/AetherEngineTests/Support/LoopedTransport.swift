import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization

/// A clip of 6 s in a transport stream, given again and again, as a looping encoder or a relay of a file does: with clocks that go on, through the turn
/// of their 33 bits, or with those of the clip each time.
final class LoopedTransport: IOReader {
    /// 25 frames a second, and packets of 1152 samples at 48 kHz.
    static let seconds = 6, frames = 150, audioPackets = 250
    private static let packetSize = 188, turn: Int64 = 1 << 33

    /// A place in the clip where a time stands.
    private enum Stamp {
        /// Of five bytes, in a PES header.
        case packet(at: Int, ticks: Int64)
        /// Of the program's clock.
        case program(at: Int, ticks: Int64)
    }
    private struct State {
        var loop = 0
        var present: [UInt8] = []
        var offset = 0
    }
    private let clip: [UInt8]
    private let stamps: [Stamp]
    /// The places of the continuity counters, and how far each counter moves on in a loop.
    private let counters: [(at: Int, step: Int)]
    private let loops: Int
    private let start: Int64
    private let goesOn: Bool
    private let state = Mutex(State())

    /// So many loops, whose clock begins so many ticks of 90 kHz further on.
    init(loops: Int, from start: Int64 = 0, goesOn: Bool) throws {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=6", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=6", "-pix_fmt",
                "yuv420p",
                "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "25", "-threads", "1", "-c:a", "mp2", "-b:a", "64k",
                "-frames:a",
                "250", "-muxdelay", "0", "-muxpreload", "0",
            ], ext: "ts")
        clip = [UInt8](try Data(contentsOf: URL(filePath: path)))
        (self.loops, self.start, self.goesOn) = (loops, start, goesOn)
        (stamps, counters) = Self.places(clip)
    }

    private static func places(_ clip: [UInt8]) -> ([Stamp], [(at: Int, step: Int)]) {
        var stamps: [Stamp] = [], counted: [(at: Int, id: Int)] = [], packets: [Int: Int] = [:]
        for start in stride(from: 0, to: clip.count - packetSize + 1, by: packetSize) {
            let id = Int(clip[start + 1] & 0x1F) << 8 | Int(clip[start + 2]), control = clip[start + 3]
            if control & 0x10 != 0 {
                packets[id, default: 0] += 1
                counted.append((start + 3, id))
            }
            let field = control & 0x20 != 0 ? 1 + Int(clip[start + 4]) : 0
            if field > 7, clip[start + 5] & 0x10 != 0 {
                let high = clip[start + 6..<start + 10].reduce(Int64(0)) { $0 << 8 | Int64($1) }
                stamps.append(.program(at: start + 6, ticks: high << 1 | Int64(clip[start + 10] >> 7)))
            }
            let header = start + 4 + field
            guard clip[start + 1] & 0x40 != 0, control & 0x10 != 0, header + 19 <= start + packetSize,
                clip[header...].starts(with: [0, 0, 1]), clip[header + 3] >= 0xC0
            else { continue }
            let flags = clip[header + 7] >> 6
            if flags & 2 != 0 { stamps.append(.packet(at: header + 9, ticks: ticks(clip, header + 9))) }
            if flags == 3 { stamps.append(.packet(at: header + 14, ticks: ticks(clip, header + 14))) }
        }
        return (stamps, counted.map { ($0.at, packets[$0.id] ?? 0) })
    }

    private static func ticks(_ bytes: [UInt8], _ at: Int) -> Int64 {
        let parts = bytes[at..<at + 5].map { Int64($0) }
        return (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
    }

    private func made(_ loop: Int) -> [UInt8] {
        var bytes = clip
        let lift = start + (goesOn ? Int64(loop * Self.seconds) * 90_000 : 0)
        for stamp in stamps {
            switch stamp {
            case .packet(let at, let ticks):
                let value = UInt64((ticks + lift) % Self.turn)
                bytes[at] = bytes[at] & 0xF0 | UInt8(value >> 30 & 7) << 1 | 1
                bytes[at + 1] = UInt8(value >> 22 & 0xFF)
                bytes[at + 2] = UInt8(value >> 15 & 0x7F) << 1 | 1
                bytes[at + 3] = UInt8(value >> 7 & 0xFF)
                bytes[at + 4] = UInt8(value & 0x7F) << 1 | 1
            case .program(let at, let ticks):
                let value = UInt64((ticks + lift) % Self.turn)
                for byte in 0..<4 { bytes[at + byte] = UInt8(value >> (25 - 8 * UInt64(byte)) & 0xFF) }
                bytes[at + 4] = UInt8(value & 1) << 7 | bytes[at + 4] & 0x7F
            }
        }
        for counter in counters {
            let value = Int(bytes[counter.at] & 0xF) + loop * counter.step
            bytes[counter.at] = bytes[counter.at] & 0xF0 | UInt8(value & 0xF)
        }
        return bytes
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        state.withLock { state in
            if state.offset == state.present.count {
                guard state.loop < loops else { return 0 }
                (state.present, state.offset) = (made(state.loop), 0)
                state.loop += 1
            }
            let count = min(buffer.count, state.present.count - state.offset)
            buffer.copyBytes(from: state.present[state.offset..<state.offset + count])
            state.offset += count
            return count
        }
    }

    func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    var size: Int64? { nil }
    var isSeekable: Bool { false }
    var traits: IOReaderTraits {
        IOReaderTraits(isLocal: false, seekCost: .impossible, mayStall: true, isRepeatable: false)
    }
    func cancel() {}
    func resume() {}
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { nil }
}
