import AetherCore
import AetherFormats

/// A sheet that was found in a folder.
struct DiscSheet {
    let sheet: CueSheet
    /// Its folder, and its name there.
    let folder: DiscFolder
    let name: String

    /// Bytes from which on a sheet is known.
    private static let headCount = 512
    /// Endings of images beside which a sheet is looked for.
    private static let images = [".bin", ".img", ".raw"]

    /// The sheet that a name leads to: by its contents, or beside an image that it names. nil for anything else. Of a server it is one that is called a
    /// sheet or an image. Blocks.
    init?(_ name: String, in folder: DiscFolder) throws(IOReaderError) {
        let lower = name.lowercased(), ending = Self.images.first(where: lower.hasSuffix)
        if folder.isLocal || lower.hasSuffix(".cue"), let sheet = try Self.sheet(name, folder) {
            (self.sheet, self.folder, self.name) = (sheet, folder, name)
            return
        }
        guard let ending else { return nil }
        for place in try Self.places(besides: name, ending: ending, in: folder) {
            guard let sheet = try Self.sheet(place, folder), sheet.isDisc,
                sheet.files.count == 1 || sheet.files.contains(where: { Self.isNamed($0.name, name) })
            else { continue }
            (self.sheet, self.folder, self.name) = (sheet, folder, place)
            return
        }
        return nil
    }

    /// Where a sheet may be: the image's name with another ending, or behind it, whatever the case of the letters.
    private static func places(besides name: String, ending: String, in folder: DiscFolder) throws(IOReaderError) -> [String] {
        let name = name.lowercased(), wanted = [name.dropLast(ending.utf8.count) + ".cue", name + ".cue"]
        let sheets = try folder.names(extensions: ["cue"])
        return wanted.flatMap { wanted in sheets.filter { $0.lowercased() == wanted } }
    }

    private static func isNamed(_ written: String, _ name: String) -> Bool {
        written.split { $0 == "/" || $0 == "\\" }.last?.lowercased() == name.lowercased()
    }

    private static func sheet(_ name: String, _ folder: DiscFolder) throws(IOReaderError) -> CueSheet? {
        guard let reader = try folder.reader(named: name) else { return nil }
        defer { reader.close() }
        guard let size = reader.size, size > 0, size <= Int64(CueSheet.sizeLimit) else { return nil }
        let head = try reader.bytes(limit: headCount)
        guard CueSheet.isSheet(head) else { return nil }
        return CueSheet(try head + reader.bytes(limit: CueSheet.sizeLimit - head.count))
    }
}
