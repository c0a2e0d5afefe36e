import AetherCore

/// How many threads decode a video: as many as its pixels need, no more than the machine has. Each thread of a decoder that works on
/// whole frames holds one frame back, 12 MB of them in 4K, and starts work that a seek throws away. Pure.
struct ThreadBudget: Equatable {
    /// 1 … 16.
    let threads: Int

    /// More are of no use to any decoder, and FFmpeg warns of them.
    static let limit = 16
    /// Two even where one would do: the second is there when a scene is costlier than the others.
    private static let usual = 2
    /// The time of the frames that may be spent in the decoder. With half of it, what was held up is caught up at double speed.
    private static let share = 0.5
    /// A rate that is not stated, in frames a second.
    private static let assumedRate = 30.0

    /// Megapixels a second of one thread on a slow core of today, of costly streams; by FFmpeg's names of codecs.
    private static let speeds: [(names: Set<String>, megapixels: Double)] = [
        (["h264", "mpeg4", "vp8", "theora"], 120), (["hevc", "vp9"], 90), (["av1"], 70), (["vvc"], 20),
        (["mpeg2video", "mpeg1video", "mjpeg"], 200), (["prores", "dnxhd", "ffv1", "jpeg2000", "cfhd"], 50),
    ]

    /// The budget of a stream on so many cores. `size` and `frameRate` are the stream's own words, nil for none; a size that is not stated is
    /// that of 1080 lines.
    init(cores: Int, codec: String, size: PixelSize?, frameRate: Double?) {
        let speed = Self.speeds.first { $0.names.contains(codec) }?.megapixels ?? 90
        let (width, height) = size.map { (Double($0.width), Double($0.height)) } ?? (1920, 1080)
        // The claims of a file are bounded: 16K at 240 frames.
        let pixels = min(max(1, width * height), 16384.0 * 8640)
        let rate = frameRate.map { $0.isFinite && $0 > 0 ? min($0, 240) : Self.assumedRate } ?? Self.assumedRate
        let needed = (pixels * rate / (speed * 1_000_000 * Self.share)).rounded(.up)
        threads = max(1, min(max(Int(needed), Self.usual), cores, Self.limit))
    }
}
