import AetherCore
import AetherEngine
import AetherSources

/// Files that are dropped onto the player.
extension AppModel {
    /// Subtitles are shown, anything else is played.
    mutating func take(paste text: String, _ now: HostTime) -> [AppEffect] {
        if layers[LoginPrompt.self] != nil {
            // Keepers of passwords paste them.
            for character in text { layers[LoginPrompt.self]?.type(character) }
            return []
        }
        guard palette == nil, cueList == nil, browser == nil else { return [] }
        let locations = DroppedFiles(text).locations
        let subtitles = locations.filter { ExternalSubtitleTrack.isNamed($0.displayName) }
        if !subtitles.isEmpty {
            say(translated("Subtitles: \(subtitles.map(\.displayName).joined(separator: ", "))"), now)
            return subtitles.map { .send(.addSubtitles(ExternalSubtitleTrack($0))) }
        }
        let paths = locations.compactMap { if case .file(let path) = $0 { path } else { nil } }
        return paths.isEmpty ? [] : [.browse(.play(paths, from: 0))]
    }
}
