import AetherBox
import AetherCore
import AetherMedia
import CBoxTrial
import Glibc

/// The fault of a worker, which the name says by which it is started: "crash-2000-2300" crashes at each packet of 2.0 to 2.3 s that is decoded,
/// "hang" stands still, "fill" takes all memory first, "lie" answers what no worker answers. With "read" before it ("readcrash-20-20") the numbers
/// are of packets that are read.
struct BuiltInFault {
    private let kind: String
    private let range: ClosedRange<Int64>
    private let isOfReading: Bool
    private var readCount: Int64 = 0

    /// nil for a worker without.
    init?(program: String) {
        let name = program.split(separator: "/").last ?? ""
        let words = name.split(separator: "-").map(String.init)
        guard words.count == 3, let first = Int64(words[1]), let last = Int64(words[2]), first <= last else { return nil }
        isOfReading = words[0].hasPrefix("read")
        kind = isOfReading ? String(words[0].dropFirst(4)) : words[0]
        range = first...last
    }

    /// Breaks where a wish is at the place.
    mutating func look(at wish: BoxMessage) {
        switch wish.kind {
        case .readPacket where isOfReading:
            readCount += 1
            if range.contains(readCount) { breakDown() }
        case .sendPacket where !isOfReading && wish.bytes.first == 1:
            guard let time = PacketRecord.head(of: wish.bytes, from: 1)?.time else { return }
            if range.contains(time.nanoseconds / 1_000_000) { breakDown() }
        default: break
        }
    }

    private func breakDown() {
        switch kind {
        case "hang": _ = box_trial(Int32(TRIAL_HANG.rawValue))
        case "lie":
            let noise = [UInt8](repeating: 0xA5, count: 64)
            _ = write(0, noise, noise.count)
        case "fill":
            _ = box_trial(Int32(TRIAL_MEMORY.rawValue))
            _ = box_trial(Int32(TRIAL_CRASH.rawValue))
        default: _ = box_trial(Int32(TRIAL_CRASH.rawValue))
        }
    }
}
