/// User data that is read in one go: sectors of a file behind one another, or silence. Pure.
public struct SectorRun: Sendable, Equatable {
    /// The file among the sheet's; nil: silence.
    public let file: Int?
    /// The byte of the file at which its first sector begins.
    public let offset: Int64
    /// Its sectors.
    public let layout: SectorLayout
    /// Bytes of user data.
    public let count: Int64

    /// Sectors of a file between two bytes of it. Of samples also a piece of a sector counts, as far as its samples are whole.
    public init(file: Int, from offset: Int64, to end: Int64, layout: SectorLayout) {
        (self.file, self.offset, self.layout) = (file, offset, layout)
        let bytes = max(0, end - offset)
        count = layout.isPlain && layout.content == .audio ? bytes & ~3 : bytes / Int64(layout.size) * Int64(layout.payload)
    }

    /// Frames of silence.
    public init(silence frames: Int) {
        (file, offset, layout, count) = (nil, 0, .audio, Int64(max(0, frames)) * Int64(SectorLayout.audio.size))
    }
}
