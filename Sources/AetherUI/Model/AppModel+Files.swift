import AetherCore
import AetherTerminal

/// The list of files: what keys do to its order.
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
        let words = [RepeatMode.off: "off", .list: "the list", .file: "this file"]
        say("Repeat: \(words[mode] ?? "")", now)
        return [.setRepeats(mode)]
    }

    mutating func toggleShuffle(_ now: HostTime) -> [AppEffect] {
        guard playlist.count > 1 else {
            say("There is only one file", now)
            return []
        }
        playlist.isShuffled.toggle()
        say(playlist.isShuffled ? "Shuffle on" : "Shuffle off: the list's order", now)
        return [.setShuffled(playlist.isShuffled)]
    }

    /// Shift and an arrow carry the selected file of the list up or down; nil: another key.
    mutating func fileKey(_ stroke: KeyStroke) -> [AppEffect]? {
        guard stroke.modifiers == .shift, stroke.key == .up || stroke.key == .down, case .file(let index)? = menu?.choice else {
            return nil
        }
        let target = index + (stroke.key == .up ? -1 : 1)
        guard files.indices.contains(target) else { return [] }
        // The list comes back in its new order; the selection goes along.
        menu?.step(stroke.key == .up ? -1 : 1, wraps: false)
        settleMenu()
        return [.moveFile(index, to: target)]
    }

    /// Del: the selected file goes out of the list.
    mutating func removeSelectedFile(_ now: HostTime) -> [AppEffect] {
        guard case .file(let index)? = menu?.choice else { return [] }
        guard index != playlist.index else {
            say("This file plays: it stays in the list", now)
            return []
        }
        return [.removeFile(index)]
    }
}
