import AetherBox
import AetherCore
import AetherMedia
import CBoxTrial
import Glibc

/// The fault of a worker, which the name says by which it is started: "crash-2000-2300" crashes at each packet of 2.0 to 2.3 s that is decoded,
/// "hang" stands still, "fill" takes all memory first, "lie" and "babble" answer what no worker answers. With "read" before it ("readcrash-20-20") the numbers
/// are of packets that are read, with "draw" of frames of a script that are drawn, with "guess" of texts that are guessed at, with "scale" of frames that are scaled, with "filter" of frames that are filtered; with "text" the times are those of subtitles that are decoded.
struct BuiltInFault {
    private let kind: String
    private let range: ClosedRange<Int64>
    private let work: Work
    private var count: Int64 = 0

    /// The work at which it breaks.
    private enum Work: String, CaseIterable {
        case decoding = "", reading = "read", texts = "text", drawing = "draw", guessing = "guess", scaling = "scale", filtering =
            "filter"
    }

    /// nil for a worker without.
    init?(program: String) {
        let name = program.split(separator: "/").last ?? ""
        let words = name.split(separator: "-").map(String.init)
        guard words.count == 3, let first = Int64(words[1]), let last = Int64(words[2]), first <= last else { return nil }
        work = Work.allCases.last { words[0].hasPrefix($0.rawValue) } ?? .decoding
        kind = String(words[0].dropFirst(work.rawValue.count))
        range = first...last
    }

    /// Breaks where a wish is at the place.
    mutating func look(at wish: BoxMessage) {
        switch (wish.kind, work) {
        case (.readPacket, .reading), (.drawScript, .drawing), (.guessCharacterSet, .guessing), (.scaleFrame, .scaling),
            (.filterFrame, .filtering):
            count += 1
            if range.contains(count) { breakDown() }
        case (.sendPacket, .decoding) where wish.bytes.first == 1: look(atPacket: 1, of: wish)
        // The number of the decoder, and no text beside the packet.
        case (.decodeSubtitles, .texts): look(atPacket: 5, of: wish)
        default: break
        }
    }

    private func look(atPacket place: Int, of wish: BoxMessage) {
        guard let time = PacketRecord.head(of: wish.bytes, from: place)?.time else { return }
        if range.contains(time.nanoseconds / 1_000_000) { breakDown() }
    }

    private func breakDown() {
        switch kind {
        case "hang": _ = box_trial(Int32(TRIAL_HANG.rawValue))
        case "lie":
            let noise = [UInt8](repeating: 0xA5, count: 64)
            _ = write(0, noise, noise.count)
        case "babble":
            // An answer as they are, and nothing in it.
            let message: [UInt8] = [UInt8(BoxMessage.Kind.value.rawValue), 0, 0, 0, 3, 0, 0, 0, 9, 9, 9]
            _ = write(0, message, message.count)
        case "fill":
            _ = box_trial(Int32(TRIAL_MEMORY.rawValue))
            _ = box_trial(Int32(TRIAL_CRASH.rawValue))
        default: _ = box_trial(Int32(TRIAL_CRASH.rawValue))
        }
    }
}
