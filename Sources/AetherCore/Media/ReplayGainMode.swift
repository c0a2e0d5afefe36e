/// Which of the levels in a recording's tags it is played at.
public enum ReplayGainMode: String, Sendable, CaseIterable { case off, track, album }
