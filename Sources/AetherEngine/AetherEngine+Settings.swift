public import AetherCore

/// One command for each setting. Any thread; never blocks; `EngineSnapshot.settings` tells the value when that was carried out.
extension AetherEngine {
    /// Changes a setting. NaN changes nothing; a value out of range is brought inside the range.
    public func set(_ change: SettingChange) { send(.set(change)) }
    /// Highest speed of `setRate`; the lowest is 0.25.
    public static let maxSupportedRate = 4.0
    /// The speed, 0.25…4, pitch kept; 1 is the file's own. A value outside is brought inside.
    public func setRate(_ rate: Double) { set(.rate(rate)) }
    /// Audio later than the file says by so many seconds, −10...10.
    public func setAudioDelay(seconds: Double) { set(.audioDelay(.seconds(seconds))) }
    /// Subtitles later than the file says by so many seconds, an hour at most.
    public func setSubtitleDelay(seconds: Double) { set(.subtitleDelay(.seconds(seconds))) }
}
