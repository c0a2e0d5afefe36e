/// The names by which a folder is known as that of a disc. Pure.
public enum DiscLayout {
    /// Whether a file of that name lists the titles of a disc: it stands for the disc.
    public static func isList(_ name: String) -> Bool {
        ["VIDEO_TS.IFO", "VIDEO_TS.BUP", "INDEX.BDMV", "INDEX.BDM"].contains(name.uppercased())
    }

    /// The way from a folder to the list of a disc's titles, by what lies in it: names of folders, then the file's; nil where that is no disc.
    public static func list(among entries: [(name: String, isFolder: Bool)]) -> [String]? {
        for (wanted, isFolder, list) in lists {
            guard let entry = entries.first(where: { $0.isFolder == isFolder && $0.name.uppercased() == wanted }) else {
                continue
            }
            // Whoever writes the folder in small letters writes the file so.
            return [entry.name] + (entry.name == wanted ? list : list.map { $0.lowercased() })
        }
        return nil
    }

    private static let lists: [(name: String, isFolder: Bool, rest: [String])] = [
        ("VIDEO_TS.IFO", false, []), ("VIDEO_TS", true, ["VIDEO_TS.IFO"]), ("INDEX.BDMV", false, []), ("INDEX.BDM", false, []),
        ("BDMV", true, ["index.bdmv"]),
    ]

    /// Whether the folder above that of a list of titles is the disc's, too: what is said of its encryption lies there.
    public static func isBelowDisc(list name: String) -> Bool { name.uppercased().hasPrefix("INDEX.") }
}
