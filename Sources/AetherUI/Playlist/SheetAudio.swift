import AetherCore
import AetherFormats
import AetherSources
import Glibc

/// The audio files that a cue sheet means where none is called what it says: programs that read discs name the `WAVE` that they had before they
/// compressed it, in letters of any case.
struct SheetAudio {
    /// The sheet.
    private let path: String
    /// The sheet names one file alone.
    private let isOnly: Bool
    /// The names in the folders that were looked into.
    private var names: [String: [String]] = [:]

    /// Endings of audio as it is on a disc, in small letters, the likeliest first.
    private static let endings = ["flac", "wv", "ape", "tta", "tak", "m4a", "wav", "aiff", "mp3", "ogg", "opus"]

    /// A sheet that was read from a path.
    init(_ document: PlaylistDocument, path: String) {
        self.path = path
        isOnly = Set(document.entries.map(\.location)).count == 1
    }

    /// The item with the file that is meant; itself where it is there, and where there is none like it. Blocks on the file system.
    mutating func meant(by item: Playlist.Item) -> Playlist.Item {
        guard case .file(let stated) = item.location, !DirectoryListing.isThere(stated) else { return item }
        let (folder, name) = Self.place(stated), own = Self.place(path)
        for folder in folder == own.folder ? [folder] : [folder, own.folder] {
            if let found = Self.name(for: name, among: listed(folder), sheet: isOnly ? own.name : nil) {
                return Playlist.Item(location: .file(folder + found), title: item.title, start: item.start, end: item.end)
            }
        }
        return item
    }

    /// The file that is meant by a name: the name in other letters, the same one with another ending, and the sheet's own with one of audio, where it has
    /// an only file. nil for none of these. Pure.
    static func name(for stated: String, among names: [String], sheet: String?) -> String? {
        let stated = stated.lowercased()
        if let same = names.first(where: { $0.lowercased() == stated }) { return same }
        for stem in [stated, sheet?.lowercased()].compactMap({ $0.map(parts)?.stem }) {
            let found = names.compactMap { name -> (rank: Int, name: String)? in
                let (base, ending) = parts(name.lowercased())
                return base == stem ? endings.firstIndex(of: ending).map { ($0, name) } : nil
            }
            if let best = found.min(by: { $0.rank < $1.rank }) { return best.name }
        }
        return nil
    }

    private mutating func listed(_ folder: String) -> [String] {
        if let known = names[folder] { return known }
        let found: [String]
        do throws(IOReaderError) {
            found = try DirectoryListing.names(in: folder.isEmpty ? "." : folder, extensions: Set(Self.endings))
        } catch {
            Log.module("app").info("beside \(DisplayText.singleLine(path, limit: 200)): \(error)")
            found = []
        }
        names[folder] = found
        return found
    }

    /// The folder with its slash, and the name in it.
    private static func place(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    private static func parts(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}
