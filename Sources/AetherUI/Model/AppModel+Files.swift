import AetherCore

/// The list of files: what is played again, and in which order.
extension AppModel {
    /// The list again, the present file again, or neither. Of one file the list is the file.
    mutating func nextRepeat(_ now: HostTime) -> [AppEffect] {
        let mode: RepeatMode =
            switch playlist.repeats {
            case .off: playlist.count > 1 ? .list : .file
            case .list: playlist.count > 1 ? .file : .off
            case .file: .off
            }
        playlist.repeats = mode
        let words = [RepeatMode.off: translated("off"), .list: translated("the list"), .file: translated("this file")]
        say(translated("Repeat: \(words[mode] ?? "")"), now)
        return [.setRepeats(mode)]
    }

    mutating func toggleShuffle(_ now: HostTime) -> [AppEffect] {
        guard playlist.count > 1 else {
            say(translated("There is only one file"), now)
            return []
        }
        playlist.isShuffled.toggle()
        say(playlist.isShuffled ? translated("Shuffle on") : translated("Shuffle off: the list's order"), now)
        return [.setShuffled(playlist.isShuffled)]
    }
}
