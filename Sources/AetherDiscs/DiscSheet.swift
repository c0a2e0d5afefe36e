import AetherCore
import AetherFormats
import AetherSources
import Glibc

/// A sheet that was found on the file system.
struct DiscSheet {
    let sheet: CueSheet
    /// Its path.
    let path: String

    /// Bytes from which on a sheet is known.
    private static let headCount = 512
    /// Endings of images beside which a sheet is looked for.
    private static let images = [".bin", ".img", ".raw"]

    /// The sheet that a path leads to: by its contents, or beside an image that it names. nil for anything else. Blocks.
    init?(path: String) throws(IOReaderError) {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        if let sheet = try Self.sheet(path, size: Int64(status.st_size)) {
            (self.sheet, self.path) = (sheet, path)
            return
        }
        let lower = path.lowercased()
        guard let ending = Self.images.first(where: lower.hasSuffix) else { return nil }
        for place in try Self.places(besides: path, ending: ending) {
            guard let status = Self.status(place), status.st_mode & S_IFMT == S_IFREG,
                let sheet = try Self.sheet(place, size: Int64(status.st_size)), sheet.isDisc,
                sheet.files.count == 1 || sheet.files.contains(where: { Self.isNamed($0.name, path) })
            else { continue }
            (self.sheet, self.path) = (sheet, place)
            return
        }
        return nil
    }

    /// Where a sheet may be: the image's name with another ending, or behind it, whatever the case of the letters.
    private static func places(besides path: String, ending: String) throws(IOReaderError) -> [String] {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let name = path.dropFirst(folder.count).lowercased(), wanted = [name.dropLast(ending.utf8.count) + ".cue", name + ".cue"]
        let sheets = try DirectoryListing.names(in: folder.isEmpty ? "." : folder, extensions: ["cue"])
        return wanted.flatMap { wanted in sheets.filter { $0.lowercased() == wanted } }.map { folder + $0 }
    }

    private static func isNamed(_ name: String, _ path: String) -> Bool {
        name.split { $0 == "/" || $0 == "\\" }.last?.lowercased() == path.split(separator: "/").last?.lowercased()
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return path.utf8.contains(0) || stat(PathText.cString(path), &status) != 0 ? nil : status
    }

    private static func sheet(_ path: String, size: Int64) throws(IOReaderError) -> CueSheet? {
        guard size > 0, size <= Int64(CueSheet.sizeLimit) else { return nil }
        let reader = try FileReader(path: path)
        defer { reader.close() }
        guard CueSheet.isSheet(try reader.bytes(limit: headCount)) else { return nil }
        try reader.seek(to: 0)
        return CueSheet(try reader.bytes(limit: CueSheet.sizeLimit))
    }
}
