import AetherCore
import AetherEngine
import AetherSources

/// Downloads of what the list plays.
extension PlayQueue {
    /// Carries a request out; returns sentences for the person.
    func carryOut(_ request: DownloadRequest, title: String, _ snapshot: EngineSnapshot) -> [String] {
        switch request {
        case .turn(let number): downloads.turn(number)
        case .remove(let number): return [downloads.remove(number)].compactMap { $0 }
        case .keep:
            if let obstacle { return [obstacle] }
            let folder = FrameFolders.recordings(
                options.recording.downloadDir, player.environment)
            let loading = LoadOptions(options, isPlain: isPlain, item: playlist.currentItem, carried: snapshot)
            var wishes = AssetDownloadConfiguration(asset: surroundings.logins.completed(playlist.current), title: title)
            wishes.primaryContentConfiguration = AssetDownloadContentConfiguration(
                variantQualifiers: loading.variantQualifiers, mediaSelections: Self.selections(snapshot))
            var order = AssetDownloadOptions()
            order.folder = playlist.current.packageFolder(titled: title, in: folder)
            (order.http, order.keys) = (loading.http, loading.keys)
            return [downloads.keep(wishes, order, title: title)]
        }
        return []
    }

    /// The reason why what plays cannot be downloaded; nil where it can.
    private var obstacle: String? {
        if isOfPage { return translated("A page cannot be downloaded: yt-dlp does that") }
        switch playlist.current {
        case .url(let address) where HTTPReader.opens(address) || ShareReader.opens(address): return nil
        case .url: return translated("Only sources of web servers, servers of files and shares can be downloaded")
        case .file: return translated("This file is on this machine already")
        case .standardInput: return translated("Standard input cannot be downloaded: R records it")
        }
    }

    /// The tracks that are heard and read now.
    private static func selections(_ snapshot: EngineSnapshot) -> [AssetMediaSelection] {
        var selections: [AssetMediaSelection] = []
        let audio = snapshot.audioTracks.first { $0.id == snapshot.activeAudioTrack }
        if let language = audio?.language { selections.append(AssetMediaSelection(.audio, language: language)) }
        let text = snapshot.subtitleTracks.first { $0.id == snapshot.activeSubtitleTrack }
        if let language = text?.language { selections.append(AssetMediaSelection(.text, language: language)) }
        return selections
    }
}
