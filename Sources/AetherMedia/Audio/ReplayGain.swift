public import AetherCore
import Glibc

/// The loudness of a recording beside the reference (ReplayGain 2.0: −18 LUFS), by its tags. Pure.
///
/// Read from `REPLAYGAIN_TRACK_GAIN`, `…_PEAK`, the same for the album, and from Opus' `R128_TRACK_GAIN` and
/// `R128_ALBUM_GAIN` (RFC 7845: 1/256 dB towards −23 LUFS, so 5 dB are added). Tags are outside bytes: only finite numbers within
/// ±51 dB, the range of the format, and peaks of 0...16 count.
public struct ReplayGain: Sendable, Equatable {
    /// A gain and what the loudest sample was.
    public struct Level: Sendable, Equatable {
        /// Decibels to be applied.
        public var decibels: Double
        /// The loudest sample, 1 is full scale; nil when the file does not say.
        public var peak: Double?

        /// A level.
        public init(decibels: Double, peak: Double? = nil) {
            self.decibels = decibels
            self.peak = peak
        }
    }
    /// The level of this recording; nil where no tag has one.
    public var track: Level?
    /// The level of its album; nil where no tag has one.
    public var album: Level?

    /// Levels known from elsewhere.
    public init(track: Level? = nil, album: Level? = nil) {
        self.track = track
        self.album = album
    }

    /// From tags; of two with the same key the first counts, keys are compared without case.
    public init(tags: [(key: String, value: String)]) {
        func value(_ key: String) -> String? { tags.first { $0.key.lowercased() == key }?.value }
        func level(_ name: String) -> Level? {
            let peak = ReplayGain.number(value("replaygain_\(name)_peak")).flatMap { (0...16).contains($0) && $0 > 0 ? $0 : nil }
            if let gain = ReplayGain.number(value("replaygain_\(name)_gain")), abs(gain) <= 51 {
                return Level(decibels: gain, peak: peak)
            }
            guard let text = value("r128_\(name)_gain"), let steps = Int16(text) else { return nil }
            return Level(decibels: min(51, max(-51, Double(steps) / 256 + 5)), peak: peak)
        }
        track = level("track")
        album = level("album")
    }

    /// The factor of the samples: 1 without a tag. A missing album level is that of the track and the other way round. It
    /// never lifts the peak above full scale where the file knows it.
    public func factor(_ mode: ReplayGainMode) -> Double {
        let level: Level? =
            switch mode {
            case .off: nil
            case .track: track ?? album
            case .album: album ?? track
            }
        guard let level else { return 1 }
        let factor = min(pow(10, level.decibels / 20), AudioGain.maximumLevel)
        return level.peak.map { factor > 1 ? min(factor, max(1, 1 / $0)) : factor } ?? factor
    }

    /// "-7.89 dB", "+3", "0.988": the number at the front, finite.
    private static func number(_ text: String?) -> Double? {
        guard let text else { return nil }
        let digits = text.drop { $0 == " " }.prefix(24).prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }
}
