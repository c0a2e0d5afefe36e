public import AetherCore

/// One command for each setting. Any thread; never blocks; `EngineSnapshot.settings` tells the value when that was carried out.
extension AetherEngine {
    /// Another value of any setting. NaN changes nothing; what lies out of range is brought inside.
    public func set(_ change: SettingChange) { send(.set(change)) }
    /// Highest speed of `setRate`; the lowest is 0.25.
    public static let maxSupportedRate = 4.0
    /// The speed, 0.25…4, pitch kept; 1 is the file's own. What lies outside is brought inside.
    public func setRate(_ rate: Double) { set(.rate(rate)) }
    /// Audio later than the file says by so many seconds, −10...10.
    public func setAudioDelay(seconds: Double) { set(.audioDelay(.seconds(seconds))) }
    /// Subtitles later than the file says by so many seconds, an hour at most.
    public func setSubtitleDelay(seconds: Double) { set(.subtitleDelay(.seconds(seconds))) }
}
