import AetherCore
import AetherFormats
package import AetherSources

extension CompactDisc {
    /// Opens the disc in a drive. Throws `.drive`, and `.compact` for a disc without video and audio. Blocks until the drive knows the disc, and for
    /// video until it has given where tracks begin and end.
    package init(drive reader: DriveReader) throws(DiscError) {
        let table: DriveTable
        do throws(DriveReader.Refusal) {
            table = try reader.open()
        } catch {
            switch error {
            case .fault(let fault): throw .drive(fault)
            case .reader(let error): throw .bytes(error)
            }
        }
        guard let sheet = CueSheet(table) else { throw .compact(.empty) }
        try self.init(sheet, [SectorFile(reader, isSwapped: false)])
    }
}

extension CueSheet {
    /// The table of contents of a disc as the sheet of an image that holds all of its sectors.
    init?(_ table: DriveTable) {
        let tracks = table.tracks.indices.map { index in
            let track = table.tracks[index], end = index > 0 ? table.end(of: index - 1) : track.start
            return SheetTrack(
                number: track.number, layout: SectorLayout(track.kind), pause: end < track.start ? end : nil, start: track.start,
                title: track.title, performer: track.performer)
        }
        self.init(tracks: tracks, title: table.title, performer: table.performer)
    }
}

extension SectorLayout {
    fileprivate init(_ kind: DriveTable.Kind) {
        self =
            switch kind {
            case .audio: .audio
            case .mixed: .rawMode2
            case .files: .rawMode1
            }
    }
}
