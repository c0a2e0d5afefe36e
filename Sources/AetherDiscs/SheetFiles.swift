import AetherCore
import AetherFormats

/// The files that a sheet names, beside it: the folder is never left, whatever the names say.
struct SheetFiles {
    private let found: DiscSheet

    init(besides found: DiscSheet) { self.found = found }

    /// Endings of images and of what tracks lie in, in small letters. Only files that are not called what the sheet says are looked for by these.
    private static let endings: Set<String> = ["bin", "img", "raw", "iso", "wav", "mdf", "cdr", "pcm", "cdt"]

    /// Opens a file of the sheet: by its name, which may be a path below the folder, by its last part, with other letters' case, and an only
    /// image by the sheet's own name. Blocks. nil where there is none of these.
    func reader(_ file: CueSheet.File, isOnly: Bool) throws(IOReaderError) -> (any IOReader)? {
        let stated = stated(file)
        for name in stated {
            if let reader = try found.folder.reader(at: name) { return reader }
        }
        for name in try others(stated, isOnly: isOnly) {
            if let reader = try found.folder.reader(at: name) { return reader }
        }
        return nil
    }

    /// The names that the sheet says, whole and their last parts.
    private func stated(_ file: CueSheet.File) -> [String] {
        var stated = [file.name]
        if let bytes = found.sheet.letters?.bytes(of: file.name), bytes.contains(where: { $0 >= 0x80 }) {
            stated.insert(PathText.text(bytes), at: 0)
        }
        let last = stated.compactMap { $0.split { $0 == "/" || $0 == "\\" }.last.map(String.init) }
        return stated + last.filter { !stated.contains($0) }
    }

    /// The names in the folder that are like those.
    private func others(_ stated: [String], isOnly: Bool) throws(IOReaderError) -> [String] {
        let names: [String]
        do throws(IOReaderError) {
            names = try found.folder.names(extensions: Self.endings)
        } catch {
            // A web server need not list what it has.
            guard case .network = error else { throw error }
            Log.module("disc").info("the folder of \(DisplayText.singleLine(found.name, limit: 80)): \(error)")
            return []
        }
        let lower = Set(stated.map { $0.lowercased() })
        var others = names.filter { lower.contains($0.lowercased()) }
        if isOnly {
            let own = Self.base(found.name).lowercased()
            others += names.filter { name in
                Self.base(name).lowercased() == own && ![".wav", ".cdt"].contains(where: name.lowercased().hasSuffix)
            }
        }
        return others
    }

    /// A name without its ending.
    private static func base(_ name: String) -> String { String(name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]) }
}
