import AetherCore

/// Counts what a decoder complains of. Damage is left out of the file and does not end it.
struct DecodeDamage {
    private(set) var count = 0
    private var inRow = 0
    /// A device decodes: what is not the stream's fault is the device's, and another decoder does better. So is a row of complaints as no scratch
    /// makes it, a second of video.
    var isOnDevice = false
    private static let deviceLimit = 25

    /// Complaints in a row without one frame between them after which a stream counts as undecodable: over half a minute of video, so
    /// that a long scratch is survived.
    private static let limit = 1000

    /// A frame came out, or the decoder begins anew.
    mutating func forget() { inRow = 0 }

    /// Counts a complaint, an error number of FFmpeg's; throws `.decodeFailed` once there were too many without a frame, or when
    /// memory ran out.
    mutating func note(_ status: Int32, by decoder: String) throws(MediaError) {
        count += 1
        inRow += 1
        let isOver = inRow >= (isOnDevice ? Self.deviceLimit : Self.limit)
        let isFault = AVError(code: status) == .outOfMemory || isOnDevice && AVError(code: status) != .invalidData
        if isOver || isFault {
            throw MediaError(.decodeFailed, "decode", subject: decoder, averror: status)
        }
    }
}
