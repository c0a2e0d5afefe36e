/// Settings that one file is played with and the next one does not inherit.
public struct SettingsLoan: Sendable, Equatable {
    /// In force without the loan.
    public let own: PlaybackSettings
    /// In force with it.
    public let lent: PlaybackSettings

    /// A loan.
    public init(own: PlaybackSettings, lent: PlaybackSettings) {
        self.own = own
        self.lent = lent
    }

    /// `settings` as they would be without the loan: a lent value gives way to the own one, and one that was changed meanwhile stays.
    public func back(_ settings: PlaybackSettings) -> PlaybackSettings {
        var settings = settings
        for change in own.changes(since: lent) where settings[change.setting] == lent[change.setting] { settings.apply(change) }
        return settings
    }
}
