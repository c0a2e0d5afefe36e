import AetherCore
import AetherSources

/// The subtitle files that lie beside a film, or in a folder of subtitles beside it. Blocks as the file system does.
enum SidecarSearch {
    /// More than these are a library, not a film's.
    private static let limit = 32

    /// In natural order of their names; none for what is no local file. The words of a song (`.lrc`) are lyrics there, which the front end
    /// reads, and subtitles of films only.
    static func files(beside location: MediaLocation, isSong: Bool = false) -> [ExternalSubtitleTrack] {
        guard case .file(let path) = location, let slash = ("./" + path).lastIndex(of: "/") else { return [] }
        let full = "./" + path
        let directory =
            path.hasPrefix("/") ? String(full[full.index(full.startIndex, offsetBy: 2)..<slash]) + "/" : String(full[...slash])
        var tracks: [ExternalSubtitleTrack] = []
        for folder in [""] + SidecarName.folders {
            let place = directory + folder + (folder.isEmpty ? "" : "/")
            for name in names(in: place) where tracks.count < limit {
                if isSong, name.lowercased().hasSuffix(".lrc") { continue }
                guard let track = ExternalSubtitleTrack(path: place + name, film: path, isInFolder: !folder.isEmpty) else {
                    continue
                }
                // VobSub's two files are one: libavformat opens the `.sub` by its `.idx`.
                if case .file(let file) = track.location, file.lowercased().hasSuffix(".sub"),
                    names(in: place).contains(where: { $0.lowercased() == name.lowercased().dropLast(4) + ".idx" })
                {
                    continue
                }
                tracks.append(track)
            }
        }
        return tracks
    }

    /// A folder that cannot be read has no subtitles.
    private static func names(in directory: String) -> [String] {
        do throws(IOReaderError) {
            return try DirectoryListing.names(in: directory, extensions: SidecarName.extensions)
        } catch {
            return []
        }
    }
}
