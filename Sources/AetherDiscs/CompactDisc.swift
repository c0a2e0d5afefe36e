import AetherCore
public import AetherFormats
import AetherSources

/// A Video CD, Super Video CD or audio CD: a sheet and the image beside it.
public struct CompactDisc: Sendable {
    /// Music, or the kind of video.
    public let kind: DiscKind
    /// The name of the disc and who performs, safe to display; "" for none.
    public let name, performer: String
    /// Tracks of video by their order on the disc, then all audio tracks as one.
    public let titles: [CompactTitle]
    let files: [SectorFile]

    /// Opens the image of a sheet, or with an image the sheet beside it; nil where there is none. Throws `.list` where the sheet names no image.
    /// Blocks.
    public init?(_ name: String, in folder: DiscFolder) throws(DiscError) {
        guard let found = try Self.bytes({ () throws(IOReaderError) in try DiscSheet(name, in: folder) }) else { return nil }
        guard found.sheet.isDisc else { throw .compact(.list) }
        var sheet = found.sheet
        let files = try Self.files(of: found)
        if let text = try Self.text(of: found) { sheet.fill(text) }
        try self.init(sheet, files)
    }

    /// Whether a name leads to a sheet of an image, or to an image with its sheet beside it. Blocks.
    public static func isThere(_ name: String, in folder: DiscFolder) -> Bool {
        do throws(IOReaderError) {
            return try DiscSheet(name, in: folder)?.sheet.isDisc ?? false
        } catch {
            // What cannot be read is no disc; opening it tells why.
            return false
        }
    }

    init(_ sheet: CueSheet, _ files: [SectorFile]) throws(DiscError) {
        self.files = files
        let map = TrackMap(sheet, sizes: files.map(\.byteCount))
        guard !map.places.isEmpty else { throw .compact(.empty) }
        let tables = DiscTables(map, files)
        let survey = try Self.bytes { () throws(IOReaderError) in
            try VideoSurvey(sheet, map, files, entries: tables.entries)
        }
        var titles = survey.titles
        let audio = CompactTitle(id: titles.count + 1, audioOf: sheet, map)
        if let audio { titles.append(audio) }
        guard !titles.isEmpty else { throw .compact(.filesOnly) }
        self.titles = titles
        kind = survey.titles.isEmpty ? .audio : tables.kind ?? (survey.isMPEG2 ? .superVideo : .video)
        name = sheet.title.isEmpty ? tables.album : sheet.title
        performer = sheet.performer
    }

    /// The title to play where none is named: the longest video, the first of these, else the audio.
    public var mainTitle: CompactTitle? {
        let videos = titles.filter { !$0.isAudio }
        return videos.reduce(nil) { longest, title in
            longest.map { ($0.duration ?? .zero) >= (title.duration ?? .zero) } ?? false ? longest : title
        } ?? titles.first
    }

    /// The bytes of a title; nil: of the main one.
    public func reader(title number: Int?) throws(DiscError) -> CompactReader {
        guard let title = number.map({ number in titles.first { $0.id == number } }) ?? mainTitle else {
            throw .compact(.noTitle(of: titles.count))
        }
        return CompactReader(self, title)
    }

    /// All files of the sheet, opened.
    private static func files(of found: DiscSheet) throws(DiscError) -> [SectorFile] {
        let sheet = found.sheet
        var files: [SectorFile] = []
        let folder = SheetFiles(besides: found)
        for file in sheet.files {
            let reader = try bytes { () throws(IOReaderError) in
                try folder.reader(file, isOnly: sheet.files.count == 1)
            }
            guard let reader else { throw .compact(.missing(file.name)) }
            switch file.kind {
            case .binary, .motorola: files.append(SectorFile(reader, isSwapped: file.kind == .motorola))
            case .wave:
                guard let samples = try bytes({ () throws(IOReaderError) in try SectorFile(wave: reader) }) else {
                    throw .compact(.format(file.name, "WAVE of another rate"))
                }
                files.append(samples)
            case .other(let format): throw .compact(.format(file.name, format))
            }
        }
        return files
    }

    /// The texts that the sheet names; nil where it names none, or they cannot be read: the disc plays all the same.
    private static func text(of found: DiscSheet) throws(DiscError) -> DiscText? {
        guard !found.sheet.textFile.isEmpty else { return nil }
        do throws(IOReaderError) {
            let file = CueSheet.File(name: found.sheet.textFile, kind: .binary)
            let reader = try SheetFiles(besides: found).reader(file, isOnly: false)
            defer { reader?.close() }
            return try reader.map { reader throws(IOReaderError) in DiscText(try reader.bytes(limit: DiscText.sizeLimit)) }
        } catch {
            if error == .cancelled { throw .bytes(error) }
            Log.module("disc").info("\(DisplayText.singleLine(found.sheet.textFile, limit: 80)): \(error)")
            return nil
        }
    }

    private static func bytes<Result>(_ body: () throws(IOReaderError) -> Result) throws(DiscError) -> Result {
        do throws(IOReaderError) {
            return try body()
        } catch {
            throw .bytes(error)
        }
    }
}
