import AetherCore
import AetherEngine

/// Requests from outside for the list; the same with a screen and without.
extension PlayQueue {
    /// The rest of an order, which is the app's to do.
    enum Errand: Sendable {
        /// The list stands at another file: it is to be opened.
        case open
        /// There is no file in that place.
        case end
        /// The list has another order or other files; what plays goes on.
        case listed
        /// Not about the list: what the model is told.
        case tell([AppMessage])
        /// An action, as if by a key.
        case act(PlayerAction)
        /// A sentence for the person.
        case say(String)
        case quit
    }

    /// Does to the list what was ordered, and says what is left to do.
    mutating func carryOut(_ order: RemoteOrder) -> Errand {
        switch order {
        case .action(let action): return .act(action)
        case .command(let command): return .tell([.command(command)])
        case .stop: return .tell([.command(.pause), .action(.seekToStart)])
        case .notice(let text): return .say(text)
        case .bind(let stroke, let name): return .tell([.binding(stroke, name)])
        case .pane(let lines): return .tell([.scriptText(lines)])
        case .quit: return .quit
        case .zap(let number): return .tell([.channelNumber(number)])
        case .goToFile(let index): return playlist.go(to: index) ? .open : .end
        case .setRepeats(let mode):
            playlist.repeats = mode
            return .listed
        case .remove(let index): return playlist.remove(index) ? .listed : .say(translated("This file cannot be removed"))
        case .move(let index, let target): return playlist.move(index, to: target) ? .listed : .say(translated("No such file"))
        case .setShuffles(let shuffles):
            playlist.setShuffled(shuffles)
            return .listed
        case .load(let location, let place):
            if place == .instead { keepFallback() }
            return playlist.take([Playlist.Item(location: location)], place) ? .open : .listed
        }
    }
}
