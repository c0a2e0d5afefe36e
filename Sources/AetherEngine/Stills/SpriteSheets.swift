import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Stills for previews that lie beside a file: `video.vtt` and the sheets that it names. Lives on one thread; blocks as the file system
/// does.
struct SpriteSheets {
    private let cues: ThumbnailCues
    /// Of the video, with a slash behind it.
    private let folder: String
    /// The zero of the file's times.
    private let start: MediaTime
    private var shelf = SheetShelf<String>()
    private var refused: Set<String> = []

    private static let fileLimit = 32 << 20

    /// nil where there is no such file beside the file, or it holds words.
    init?(beside path: String, start: MediaTime) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/"),
            let bytes = Self.read(path[..<dot] + ".vtt", limit: ThumbnailCues.byteLimit),
            let cues = ThumbnailCues(String(decoding: bytes, as: UTF8.self))
        else { return nil }
        self.cues = cues
        self.start = start
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The still of a point; nil where the file has none, or it cannot be read.
    mutating func still(at point: MediaTime) -> ExtractedStill? {
        guard let cue = cues.cue(at: .zero + (point - start)), let sheet = sheet(cue.file) else { return nil }
        let time = start + (cue.start - .zero)
        guard let region = cue.region else { return ExtractedStill(image: sheet, time: time) }
        return sheet.part(x: region.x, y: region.y, width: region.width, height: region.height).map {
            ExtractedStill(image: $0, time: time)
        }
    }

    private mutating func sheet(_ name: String) -> RasterImage? {
        if let known = shelf.image(name) { return known }
        guard !refused.contains(name), refused.count < 1000 else { return nil }
        var bytes: [UInt8]?
        for path in ImageName.paths(name) where bytes == nil { bytes = Self.read(folder + path, limit: Self.fileLimit) }
        guard let bytes else {
            refused.insert(name)
            return nil
        }
        do throws(MediaError) {
            let image = try StillImage.raster(bytes)
            shelf.keep(image, as: name)
            return image
        } catch {
            Log.module("previews").warning("\(error)")
            refused.insert(name)
            return nil
        }
    }

    /// A regular file, whole; nil where it cannot be read or is too large.
    private static func read(_ path: String, limit: Int) -> [UInt8]? {
        do throws(IOReaderError) {
            let reader = try FileReader(path: path)
            defer { reader.close() }
            guard let size = reader.size, size <= Int64(limit) else { return nil }
            return try reader.bytes(limit: limit)
        } catch {
            return nil
        }
    }
}
