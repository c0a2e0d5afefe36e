import AetherCore
import AetherMedia

/// Decodes the same packets by software and on a device, each by a decoder of its own that is thrown away, and chooses. On the thread `video`, one
/// after the other: together they would hinder each other.
struct DecoderTrial {
    let info: StreamInfo
    let effort: DecodeEffort
    let threads: Int
    let acceleration: Acceleration
    let time: any TimeSource

    /// Blocks for both, mostly for a tenth of a second: `AccelerationPolicy` has the limits.
    func choice(on packets: ArraySlice<Packet>) -> DecodingChoice {
        let limits = AccelerationPolicy.limits
        do throws(MediaError) {
            // One thread: the CPU time of others is not this thread's.
            var software = try VideoDecoder(info.parameters, threadCount: 1, effort: effort)
            software.apply(effort)
            let first = try DecodeSpending.measured(
                &software, on: packets, least: AccelerationPolicy.leastFrames + 1, limit: limits.software, time: time,
                processor: { ThreadClock.now })
            let device = try spending(on: packets.prefix(first.packets), limit: limits.device)
            // A driver that does not know a profile says no more than that.
            if device.frames == 0, first.frames > 0 {
                throw MediaError(
                    .decodeFailed, "decode", subject: info.codecName, reason: "no frame can be made of its data")
            }
            return AccelerationPolicy.choice(
                device: device, software: first, interval: info.frameRate.map { .seconds(1 / max(0.001, $0.value)) },
                threads: threads)
        } catch {
            return .refused(error)
        }
    }

    private func spending(on packets: ArraySlice<Packet>, limit: TimeSpan) throws(MediaError) -> DecodeSpending {
        let device = try acceleration.device()
        var decoder = try VideoDecoder(info.parameters, effort: effort, on: device)
        decoder.apply(effort)
        return try DecodeSpending.measured(
            &decoder, on: packets, least: AccelerationPolicy.leastFrames + 1, limit: limit, time: time,
            processor: { ThreadClock.now })
    }
}
