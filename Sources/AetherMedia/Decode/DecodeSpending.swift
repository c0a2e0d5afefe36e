public import AetherCore

/// The cost of decoding a few packets, to be compared with another decoder's.
public struct DecodeSpending: Sendable, Equatable {
    /// Frames that came out, and packets that went in.
    public var frames, packets: Int
    /// For a frame: CPU time of the thread, and time on the clock until it lies in main memory. Without the first packet's, at which
    /// decoders get their memory.
    public var processor, clock: TimeSpan
    /// The frames, roughly; empty for formats without a plane of luma.
    public var pictures: [FramePrint]

    /// A cost, for tests and reports.
    public init(frames: Int, packets: Int, processor: TimeSpan, clock: TimeSpan, pictures: [FramePrint] = []) {
        (self.frames, self.packets, self.processor, self.clock) = (frames, packets, processor, clock)
        self.pictures = pictures
    }

    /// Decodes packets from a key frame on, all of them or as many as `limit` of the clock allows, `least` in any case, and what they leave in
    /// the decoder. `processor`: the CPU time of this thread, on which all work must be done. Blocks for it. Throws as the decoder.
    public static func measured<Decoder: VideoDecoding & ~Copyable>(
        _ decoder: inout Decoder, on packets: some Collection<Packet>, least: Int = 1, limit: TimeSpan, time: any TimeSource,
        processor: () -> TimeSpan
    ) throws(MediaError) -> DecodeSpending {
        var begun = (processor: processor(), clock: time.now()), result = DecodeSpending.none
        let start = begun.clock
        for packet in packets {
            try offer(packet, to: &decoder, &result)
            result.packets += 1
            if result.packets == 1 { begun = (processor(), time.now()) }
            if result.packets >= least, time.now() - start > limit { break }
        }
        do throws(MediaError) {
            _ = try decoder.send(nil)
            try receive(from: &decoder, &result)
        } catch {
            if error.code != .endOfMedia { throw error }
        }
        let share = 1 / Double(max(1, result.packets - 1))
        result.processor = (processor() - begun.processor).scaled(by: share)
        result.clock = (time.now() - begun.clock).scaled(by: share)
        return result
    }

    private static let none = DecodeSpending(frames: 0, packets: 0, processor: .zero, clock: .zero)

    private static func offer<Decoder: VideoDecoding & ~Copyable>(
        _ packet: Packet, to decoder: inout Decoder, _ result: inout DecodeSpending
    ) throws(MediaError) {
        // A decoder that is full has frames; one that has none then never will.
        for _ in 0..<2 {
            let answer = try decoder.send(packet)
            try receive(from: &decoder, &result)
            if answer == .accepted { return }
        }
    }

    private static func receive<Decoder: VideoDecoding & ~Copyable>(
        from decoder: inout Decoder, _ result: inout DecodeSpending
    ) throws(MediaError) {
        while let frame = try decoder.receive() {
            result.frames += 1
            if let picture = FramePrint(frame) { result.pictures.append(picture) }
        }
    }
}
