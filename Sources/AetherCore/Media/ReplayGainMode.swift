/// The level in a recording's tags at which it is played.
public enum ReplayGainMode: String, Sendable, CaseIterable { case off, track, album }
