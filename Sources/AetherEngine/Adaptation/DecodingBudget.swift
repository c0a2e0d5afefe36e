import AetherCore
import AetherMedia

/// The pixels a second that a machine is taken to decode before anything was measured: two cores shall never begin with AV1 of 2160 lines. Pure.
struct DecodingBudget: Sendable, Equatable {
    /// nil: everything can be decoded.
    private let cores: Int?

    /// Everything can be decoded.
    static let unlimited = DecodingBudget(cores: nil)

    /// The budget of so many cores.
    init(cores: Int?) { self.cores = cores }

    /// Megapixels a second of one core, of a usual video: 1080 lines of H.264 are 96 frames a second then. Measured are twice as many; bits and
    /// tools of a stream may double the work.
    private static let speeds: [(names: [String], megapixels: Double)] = [
        (["avc1", "avc3", "mp4v"], 200), (["hvc1", "hev1", "dvh1", "dvhe"], 150), (["vp09", "vp9", "vp8", "vp08"], 150),
        (["av01", "dav1"], 120), (["vvc1", "vvi1"], 40),
    ]
    /// The share of the machine that decoding may take: the rest draws.
    private static let share = 0.6

    /// Whether a variant can be decoded in time. One whose size is not stated can.
    func allows(_ variant: MediaVariant) -> Bool {
        guard let cores, let size = variant.size else { return true }
        let type = variant.videoAttributes?.codecTypes.first.map { $0.prefix { $0 != "." } } ?? "avc1"
        let speed = Self.speeds.first { $0.names.contains(String(type)) }?.megapixels ?? 150
        let pixels = Double(size.width * size.height) * (variant.videoAttributes?.nominalFrameRate ?? 25)
        return pixels <= Double(cores) * speed * 1_000_000 * Self.share
    }
}
