import AetherCore
import AetherFormats
import AetherSources
import Glibc

/// The files that a sheet names, beside it: the folder is never left, whatever the names say.
struct SheetFiles {
    /// The sheet's path, and its folder.
    private let path, folder: String
    /// The names in the folder; read once.
    private let names: [String]

    init(besides path: String) throws(IOReaderError) {
        self.path = path
        folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        names = try DirectoryListing.names(in: folder, extensions: Self.endings)
    }

    /// Endings of images and of what tracks lie in, in small letters. Only files that are not called what the sheet says are looked for by these.
    private static let endings: Set<String> = ["bin", "img", "raw", "iso", "wav", "mdf", "cdr", "pcm", "cdt"]

    /// Opens a file of the sheet: by its name, which may be a path below the folder, by its last part, with other letters' case, and an only
    /// image by the sheet's own name. Blocks. nil where there is none of these.
    func reader(_ file: CueSheet.File, isLatin1: Bool, isOnly: Bool) throws(IOReaderError) -> (any IOReader)? {
        for name in names(of: file, isLatin1: isLatin1, isOnly: isOnly) {
            do throws(IOReaderError) {
                return try ConfinedFile.reader(path: folder + "/" + name, below: folder)
            } catch {
                // A name of another machine leads nowhere here, or out of the folder.
                switch error {
                case .posix(ENOENT), .posix(ENOTDIR), .posix(EXDEV), .posix(EINVAL), .posix(ENAMETOOLONG): continue
                default: throw error
                }
            }
        }
        return nil
    }

    private func names(of file: CueSheet.File, isLatin1: Bool, isOnly: Bool) -> [String] {
        var stated = [file.name]
        if isLatin1 {
            let bytes = file.name.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if bytes.contains(where: { $0 >= 0x80 }) { stated.insert(PathText.text(bytes), at: 0) }
        }
        let last = stated.compactMap { $0.split { $0 == "/" || $0 == "\\" }.last.map(String.init) }
        let lower = Set(last.map { $0.lowercased() })
        var found = stated + last + names.filter { lower.contains($0.lowercased()) }
        if isOnly {
            let own = Self.base(path).lowercased()
            found += names.filter { name in
                Self.base(name).lowercased() == own && ![".wav", ".cdt"].contains(where: name.lowercased().hasSuffix)
            }
        }
        return found
    }

    /// A name without its folder and its ending.
    static func base(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
    }
}
