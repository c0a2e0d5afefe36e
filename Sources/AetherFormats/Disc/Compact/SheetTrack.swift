import AetherCore

/// A track as its sheet describes it. Places are counted in frames of 1/75 s, which are sectors, from the start of its file.
public struct SheetTrack: Sendable, Equatable {
    /// The number by which the disc calls it, 1…99.
    public let number: Int
    /// Its sectors; nil for a mode that is not known.
    public let layout: SectorLayout?
    /// The file that it begins in, among those of the sheet.
    public private(set) var file: Int
    /// Title and performer, safe to display; "" where the sheet has none.
    public internal(set) var title = "", performer = ""
    /// The recording's number; "" where the sheet has none.
    public internal(set) var isrc = ""
    /// Frames of silence before and behind it that lie in no file.
    public internal(set) var pregap = 0, postgap = 0
    /// Its indices from 01 on in the order of their places, which ascend.
    public private(set) var indices: [Int] = []
    /// Where the pause before it begins (index 00); nil for none.
    public private(set) var pause: Int?

    init(number: Int, layout: SectorLayout?, file: Int) { (self.number, self.layout, self.file) = (number, layout, file) }

    /// A track of an image whose sectors are those of the disc: where its pause begins, and where it begins itself. The texts need not be safe.
    public init(number: Int, layout: SectorLayout, pause: Int?, start: Int, title: String, performer: String) {
        self.init(number: number, layout: layout, file: 0)
        if let pause { put(0, at: pause) }
        put(1, at: start)
        self.title = DisplayText.singleLine(title, limit: 200)
        self.performer = DisplayText.singleLine(performer, limit: 200)
    }

    /// Where it begins; nil as long as the sheet has not said it.
    public var start: Int? { indices.first }

    mutating func move(toFile file: Int) { (self.file, pause) = (file, nil) }

    mutating func put(_ number: Int, at frame: Int) {
        if number == 0 {
            if indices.isEmpty { pause = frame }
        } else if frame >= indices.last ?? pause ?? 0 {
            indices.append(frame)
        }
    }
}
