import AetherCore
import AetherEngine
import AetherSources

/// Files that are dropped onto the player, and text that is pasted.
extension AppModel {
    /// The most letters that are pasted into a field.
    private static let mostPasted = 200

    /// Subtitles are shown, anything else is played. Other text is typed where a field takes all letters.
    mutating func take(paste text: String, _ now: HostTime) -> [AppEffect] {
        if layers[LoginPrompt.self] != nil {
            // Keepers of passwords paste them.
            for character in text { layers[LoginPrompt.self]?.type(character) }
            return []
        }
        let locations = DroppedFiles(text).locations
        // A file that is dropped onto a list is meant, not its name.
        if layers.top(.list)?.takesText == true, locations.isEmpty || palette != nil || cueList != nil {
            let letters = text.filter { !$0.isNewline }.prefix(Self.mostPasted)
            return letters.flatMap { update(.key(KeyStroke($0)), now: now) }
        }
        guard cueList == nil, browser?.purpose != .addAudio else { return [] }
        let subtitles = locations.filter { ExternalSubtitleTrack.isNamed($0.displayName) }
        if !subtitles.isEmpty {
            say(translated("Subtitles: \(subtitles.map(\.displayName).joined(separator: ", "))"), now)
            return subtitles.map { .send(.addSubtitles(ExternalSubtitleTrack($0))) }
        }
        guard let first = locations.first else { return [] }
        browser = nil
        let paths = locations.compactMap { if case .file(let path) = $0 { path } else { nil } }
        if paths.count > 1, paths.count == locations.count { return [.browse(.play(paths, from: 0))] }
        // As on the command line: a directory, a playlist and an address, too.
        switch first {
        case .file(let place), .url(let place): return [.browse(.open(place))]
        case .standardInput: return []
        }
    }
}
