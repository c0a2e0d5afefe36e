import AetherCore
import CALSA
import Glibc

/// The order of channels on an ALSA device.
enum ALSAChannelMap {
    /// The convention of cards where a device does not say: front, rear, centre, LFE, side.
    static func convention(_ count: Int) -> [AudioChannel] {
        let rear: [AudioChannel] = [.frontLeft, .frontRight, .backLeft, .backRight]
        return switch count {
        case 4: rear
        case 5: rear + [.frontCenter]
        case 6: rear + [.frontCenter, .lowFrequency]
        case 8: rear + [.frontCenter, .lowFrequency, .sideLeft, .sideRight]
        default: AudioChannel.usual(count)
        }
    }

    /// Counts whose speakers every card has in the same places.
    private static let conventional: Set = [1, 2, 4, 5, 6, 8]

    /// The numbers of speakers to ask for, best first: as many as the audio has channels, then more, among which each channel finds its
    /// own place or two beside it (6.1 on eight), then fewer.
    static func counts(for wanted: Int) -> [Int] {
        guard wanted > 2 else { return [wanted] }
        return [wanted] + [6, 8].filter { $0 > wanted } + [8, 6, 5, 4, 2].filter { $0 < wanted }
    }

    /// Whether a count may be asked for, by what the device says of the maps that would do. One that says nothing has what the convention
    /// says: seven channels behind ALSA's pulse plugin are those of six and one that goes nowhere.
    static func isFit(offers: [Bool?], count: Int) -> Bool {
        offers.contains(true) || (offers.contains(nil) && conventional.contains(count))
    }

    /// Asks a configured PCM, and where it has a choice makes it the wanted one. Always as many channels as the PCM has.
    static func negotiate(_ pcm: OpaquePointer, wanted: [AudioChannel], count: Int) -> [AudioChannel] {
        if wanted.count == count, !wanted.contains(.unknown), read(pcm, count: count) != wanted { set(pcm, wanted) }
        return read(pcm, count: count) ?? convention(count)
    }

    /// Whether the PCM says that it has a map of exactly these channels, in any order; nil when it does not say what it has.
    static func offers(_ pcm: OpaquePointer, _ wanted: [AudioChannel]) -> Bool? {
        guard let list = snd_pcm_query_chmaps(pcm) else { return nil }
        defer { snd_pcm_free_chmaps(list) }
        var next = list
        while let entry = next.pointee {
            if Set(positions(&entry.pointee.map, limit: wanted.count + 1)) == Set(wanted) { return true }
            next += 1
        }
        return false
    }

    private static func read(_ pcm: OpaquePointer, count: Int) -> [AudioChannel]? {
        guard let map = snd_pcm_get_chmap(pcm) else { return nil }
        defer { free(map) }
        let channels = positions(map, limit: 64)
        guard channels.count == count, !channels.allSatisfy({ $0 == .unknown }) else { return nil }
        return channels
    }

    private static func positions(_ map: UnsafeMutablePointer<snd_pcm_chmap_t>, limit: Int) -> [AudioChannel] {
        let count = Int(min(map.pointee.channels, UInt32(limit)))
        // The positions lie behind the count: a flexible array, which Swift does not see.
        let first = UnsafeRawPointer(map) + MemoryLayout<UInt32>.size
        return (0..<count).map { index in
            let raw = first.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self) & UInt32(SND_CHMAP_POSITION_MASK)
            return names.first { $0.0.rawValue == raw }?.1 ?? .unknown
        }
    }

    /// Refused by devices with a fixed order, which `read` then tells.
    private static func set(_ pcm: OpaquePointer, _ channels: [AudioChannel]) {
        let raw = channels.compactMap { channel in names.first { $0.1 == channel }?.0.rawValue }
        guard raw.count == channels.count else { return }
        var words = [UInt32(raw.count)] + raw
        words.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = snd_pcm_set_chmap(pcm, base.assumingMemoryBound(to: snd_pcm_chmap_t.self))
        }
    }

    private static let names: [(snd_pcm_chmap_position, AudioChannel)] = [
        (SND_CHMAP_FL, .frontLeft), (SND_CHMAP_FR, .frontRight), (SND_CHMAP_FC, .frontCenter), (SND_CHMAP_MONO, .frontCenter),
        (SND_CHMAP_LFE, .lowFrequency), (SND_CHMAP_RL, .backLeft), (SND_CHMAP_RR, .backRight), (SND_CHMAP_RC, .backCenter),
        (SND_CHMAP_SL, .sideLeft), (SND_CHMAP_SR, .sideRight), (SND_CHMAP_FLC, .frontLeftOfCenter),
        (SND_CHMAP_FRC, .frontRightOfCenter), (SND_CHMAP_TC, .topCenter), (SND_CHMAP_TFL, .topFrontLeft),
        (SND_CHMAP_TFC, .topFrontCenter), (SND_CHMAP_TFR, .topFrontRight), (SND_CHMAP_TRL, .topBackLeft),
        (SND_CHMAP_TRC, .topBackCenter), (SND_CHMAP_TRR, .topBackRight),
    ]
}
