import AetherCore
import AetherSources

/// The subtitle files that lie beside a file, or in a folder of subtitles beside it, or there in one of the file's name. Blocks as the file's
/// folder does.
struct SidecarSearch {
    /// The file's folder, and its name there.
    private let folder: any Folder
    private let video: String
    /// Words of a song (`.lrc`) are lyrics there, which the front end reads, and subtitles of videos only.
    private let isSong: Bool

    /// More than these are a library, not a video's.
    private static let limit = 32
    /// Names looked at in one folder.
    private static let nameLimit = 100_000

    /// `folder`: the file's, where that is known. nil where it cannot be known.
    init?(
        beside location: MediaLocation, in folder: (any Folder)? = nil, http: HTTPOptions = HTTPOptions(), isSong: Bool = false
    ) {
        guard let (folder, name) = location.inFolder(folder, http) else { return nil }
        (self.folder, video, self.isSong) = (folder, name, isSong)
    }

    /// In natural order of their names. Raising the interrupt ends the search.
    func tracks(_ interrupt: Interrupt) -> [ExternalSubtitleTrack] {
        let beside = contents(of: folder, interrupt) { SidecarName.isSubtitle($0) || DirectoryListing.isMediaName($0) }
        let names = beside.filter { !$0.isDirectory }.map(\.name)
        let others = names.filter { $0 != video && DirectoryListing.isMediaName($0) }
        var tracks = tracks(names, in: folder, others: others, isInFolder: false)
        for entry in beside where entry.isDirectory && SidecarName.folders.contains(entry.name.lowercased()) {
            let place = folder.folder(entry.name)
            let inside = contents(of: place, interrupt, where: SidecarName.isSubtitle)
            let files = inside.filter { !$0.isDirectory }.map(\.name)
            tracks += self.tracks(files, in: place, others: others, isInFolder: true)
            for inner in inside where inner.isDirectory && isVideoName(inner.name) {
                let own = place.folder(inner.name)
                let files = contents(of: own, interrupt, where: SidecarName.isSubtitle).filter { !$0.isDirectory }.map(\.name)
                // All in there is the video's, whatever it is called.
                tracks += self.tracks(files, in: own, others: [], isInFolder: true)
            }
        }
        return Array(tracks.prefix(Self.limit))
    }

    private func tracks(_ names: [String], in place: any Folder, others: [String], isInFolder: Bool) -> [ExternalSubtitleTrack] {
        // VobSub's two files are one: the `.sub` is read by its `.idx`.
        let indices = Set(names.map { $0.lowercased() }.filter { $0.hasSuffix(".idx") }.map { $0.dropLast(4) })
        return names.compactMap { name in
            let lower = name.lowercased()
            guard SidecarName.isSubtitle(name), !(isSong && lower.hasSuffix(".lrc")),
                !(lower.hasSuffix(".sub") && indices.contains(lower.dropLast(4))), !belongs(name, to: others)
            else { return nil }
            return ExternalSubtitleTrack(place.location(of: name), name: name, beside: video, isInFolder: isInFolder)
        }
    }

    private func isVideoName(_ folder: String) -> Bool {
        [SidecarName.split(video).stem.lowercased(), video.lowercased()].contains(folder.lowercased())
    }

    /// Whether a file is named after another video: one whose name is longer than this one's, or where this one's is not in it at all.
    private func belongs(_ name: String, to others: [String]) -> Bool {
        let own = SidecarName.share(of: video, in: name) ?? 0
        return others.contains { (SidecarName.share(of: $0, in: name) ?? 0) > own }
    }

    /// A folder that cannot be read has no subtitles.
    private func contents(of folder: any Folder, _ interrupt: Interrupt, where isWanted: (String) -> Bool) -> [DirectoryContents
        .Entry]
    {
        let watch = interrupt.watch { if $0 { folder.cancel() } }
        defer { interrupt.unwatch(watch) }
        if interrupt.isRaised { return [] }
        do throws(IOReaderError) {
            return try folder.contents(limit: Self.nameLimit, includesHidden: false, where: isWanted).entries
        } catch {
            Log.module("subtitles").info("beside \(video): \(error)")
            return []
        }
    }
}
