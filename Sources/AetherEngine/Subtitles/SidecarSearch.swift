import AetherCore
import AetherSources

/// The subtitle files that lie beside a file, or in a folder of subtitles beside it, or there in one of the file's name. Blocks as the file
/// system does.
enum SidecarSearch {
    /// More than these are a library, not a video's.
    private static let limit = 32

    /// In natural order of their names; none for what is no local file. The words of a song (`.lrc`) are lyrics there, which the front end
    /// reads, and subtitles of videos only.
    static func files(beside location: MediaLocation, isSong: Bool = false) -> [ExternalSubtitleTrack] {
        guard case .file(let path) = location, let slash = ("./" + path).lastIndex(of: "/") else { return [] }
        let full = "./" + path
        let directory =
            path.hasPrefix("/") ? String(full[full.index(full.startIndex, offsetBy: 2)..<slash]) + "/" : String(full[...slash])
        let video = String(full[full.index(after: slash)...])
        let others = names(in: directory, DirectoryListing.mediaExtensions).filter { $0 != video }
        var tracks: [ExternalSubtitleTrack] = []
        for (place, isVideoName) in places(directory, video: video) {
            let names = names(in: place, SidecarName.extensions)
            for name in names where tracks.count < limit {
                if isSong, name.lowercased().hasSuffix(".lrc") { continue }
                // VobSub's two files are one: libavformat opens the `.sub` by its `.idx`.
                let index = name.lowercased().dropLast(4) + ".idx"
                if name.lowercased().hasSuffix(".sub"), names.contains(where: { $0.lowercased() == index }) { continue }
                guard isVideoName || !belongs(name, to: others, before: video),
                    let track = ExternalSubtitleTrack(path: place + name, video: path, isInFolder: place != directory)
                else { continue }
                tracks.append(track)
            }
        }
        return tracks
    }

    /// The folders to look into, and whether all in there is the video's.
    private static func places(_ directory: String, video: String) -> [(path: String, isVideoName: Bool)] {
        var places = [(path: directory, isVideoName: false)]
        let own = SidecarName.split(video).stem.lowercased()
        for folder in folders(in: directory, where: { SidecarName.folders.contains($0.lowercased()) }) {
            let place = directory + folder + "/"
            places.append((place, false))
            for inner in folders(in: place, where: { $0.lowercased() == own || $0.lowercased() == video.lowercased() }) {
                places.append((place + inner + "/", true))
            }
        }
        return places
    }

    /// Whether a file is named after another video: one whose name is longer than this one's, or where this one's is not in it at all.
    private static func belongs(_ name: String, to others: [String], before video: String) -> Bool {
        let own = SidecarName.share(of: video, in: name) ?? 0
        return others.contains { (SidecarName.share(of: $0, in: name) ?? 0) > own }
    }

    /// A folder that cannot be read has no subtitles.
    private static func names(in directory: String, _ extensions: Set<String>) -> [String] {
        do throws(IOReaderError) {
            return try DirectoryListing.names(in: directory, extensions: extensions)
        } catch {
            return []
        }
    }

    private static func folders(in directory: String, where isWanted: (String) -> Bool) -> [String] {
        do throws(IOReaderError) {
            return try DirectoryListing.folders(in: directory, where: isWanted)
        } catch {
            return []
        }
    }
}
