import AetherCore

/// The result of decoding one stream so far, to tell a stream that cannot be decoded at all from one that is damaged in parts.
struct DecoderYield: Sendable {
    /// Those that it took, or refused.
    var packets = 0
    var frames = 0
    private var refusal: MediaError?

    /// The decoder has refused a packet, and why.
    mutating func refuse(_ error: MediaError) {
        packets += 1
        refusal = error
    }

    /// Why the stream is given up at its end: it had packets, and there was nothing in any of them. nil where there was, or no packets.
    func failure(of codec: String) -> MediaError? {
        // A few packets in front of an end may be no frame yet; a refused one says so.
        guard frames == 0, packets > 8 || refusal != nil else { return nil }
        let reason = refusal.map { $0.reason.isEmpty ? "its data is damaged" : $0.reason } ?? "no frame can be made of its data"
        return MediaError(.decodeFailed, "decode", subject: codec, cause: refusal?.cause, reason: reason)
    }
}
