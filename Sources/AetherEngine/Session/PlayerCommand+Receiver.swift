import AetherCore

extension PlayerCommand {
    /// Why the command does nothing while a receiver decodes the bitstream: that has neither our volume nor our speed. nil where it does.
    var obstacleAtReceiver: String? {
        switch self {
        case .setVolume, .setMuted: "the receiver decodes the sound: its own volume counts"
        case .setEqualizer: "the receiver decodes the sound: its own equaliser counts"
        case .setRate: "the receiver decodes the sound: the speed stays as it is"
        default: nil
        }
    }
}
