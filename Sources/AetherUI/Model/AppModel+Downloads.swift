import AetherCore
import AetherEngine

/// Downloads of what plays.
extension AppModel {
    /// Downloads the source that plays, and shows the list.
    mutating func keepSource(_ now: HostTime) -> [AppEffect] {
        guard playlist.count > 0 else {
            say(translated("No file to download"), now)
            return []
        }
        openDownloads()
        return [.download(.keep)]
    }

    mutating func toggleDownloads(_ now: HostTime) {
        if layers[DownloadList.self] != nil {
            layers[DownloadList.self] = nil
            return say(translated("Downloads closed"), now)
        }
        openDownloads()
    }

    private mutating func openDownloads() {
        guard layers[DownloadList.self] == nil else { return }
        message = nil
        layers[DownloadList.self] = DownloadList()
    }

    /// The downloads are as they are now; one that has come is selected.
    mutating func take(_ downloads: [DownloadEntry]) {
        let isNew = downloads.count > scene.downloads.count
        scene.downloads = downloads
        _ = change(DownloadList.self) { list, scene in
            if isNew { list.selectLast(of: scene.downloads.count) }
            list.settle(in: scene)
        }
    }
}
