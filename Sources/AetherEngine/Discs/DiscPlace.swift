import AetherDiscs
import AetherFormats
import AetherSources

/// The folders of the file system in which a disc is looked for.
struct LocalPlace {
    let places: [DiscFolder]

    /// The folder and the name of a path.
    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// A folder; for the one that holds a Blu-ray disc's directories the one above it first, which says more of the disc.
    init(folder path: String) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let (above, name) = Self.parts(of: path)
        places = (name.uppercased() == "BDMV" ? [DiscFolder(path: above)] : []) + [DiscFolder(path: path)]
    }

    /// The folder of a list of titles.
    init(list name: String, in folder: String) {
        self = DiscLayout.isBelowDisc(list: name) ? LocalPlace(folder: folder) : LocalPlace(places: [DiscFolder(path: folder)])
    }

    private init(places: [DiscFolder]) { self.places = places }
}

/// The folder on a server in which a disc is looked for, by an address that stands for it: of the list of its titles, or of a sheet.
struct ServerPlace: Equatable {
    /// The folder's address, with a slash at its end.
    let address: String
    /// The sheet, or the image beside one, decoded; "" for a list of titles.
    let name: String

    /// nil for other addresses. Beside an image a sheet is looked for where the server lists its folders unasked. Pure.
    init?(_ url: String) {
        let isShare = ShareReader.opens(url)
        guard isShare || HTTPReader.opens(url), let (folder, name) = WebFolder.parts(of: url) else { return nil }
        let lower = name.lowercased()
        if DiscLayout.isList(name) {
            let above = DiscLayout.isBelowDisc(list: name) ? WebFolder.parts(of: String(folder.dropLast())) : nil
            (address, self.name) = (above.map { $0.name.uppercased() == "BDMV" ? $0.folder : folder } ?? folder, "")
        } else if lower.hasSuffix(".cue")
            || [".bin", ".img", ".raw"].contains(where: lower.hasSuffix) && (isShare || WebFolder.isListed(url))
        {
            (address, self.name) = (folder, name)
        } else {
            return nil
        }
    }

    /// It is the folder of a disc with a list of titles.
    var isList: Bool { name.isEmpty }

    /// The folder itself; nothing is asked yet.
    func folder(_ http: HTTPOptions) -> any Folder {
        ShareReader.opens(address) ? ShareFolder(address) : WebFolder(address, http: http)
    }
}
