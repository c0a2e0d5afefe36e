public import AetherCore

/// A title of a DVD as its information files describe it. Sectors are counted in the title set's own video, times on the title's axis from
/// zero.
public struct DiscTitle: Sendable, Equatable, Identifiable {
    /// The number by which a person and the disc call it, from 1.
    public let id: Int
    /// The title set that holds it, from 1.
    public let titleSet: Int
    /// Its number within the title set, from 1.
    public let numberInSet: Int
    /// How many angles a part of it was recorded from, at least 1.
    public let angleCount: Int
    /// The cells of all angles in the order of playing.
    public let cells: [DiscCell]
    /// The chapters in the order of their times.
    public let chapters: [DiscChapter]
    /// Audio in the order of the disc.
    public let audio: [DiscStream]
    /// Subtitles in the order of the disc.
    public let subtitles: [DiscStream]
    /// Sixteen colours of the subtitles, as the disc has them: 0x00YYCrCb.
    public let palette: [UInt32]
    /// Frames are shown at 16:9 and not at 4:3.
    public let isWide: Bool

    /// A title.
    public init(
        id: Int, titleSet: Int, numberInSet: Int, angleCount: Int = 1, cells: [DiscCell], chapters: [DiscChapter] = [],
        audio: [DiscStream] = [], subtitles: [DiscStream] = [], palette: [UInt32] = [], isWide: Bool = false
    ) {
        (self.id, self.titleSet, self.numberInSet, self.angleCount) = (id, titleSet, numberInSet, max(1, angleCount))
        (self.cells, self.chapters, self.audio, self.subtitles) = (cells, chapters, audio, subtitles)
        (self.palette, self.isWide) = (palette, isWide)
    }

    /// The cells that are played from one angle; a number that there is not is the first.
    public func cells(angle: Int) -> [DiscCell] {
        let wanted = 1...angleCount ~= angle ? angle : 1
        return cells.filter { $0.angle == 0 || $0.angle == wanted }
    }

    /// The time that it takes to watch, by the disc's word.
    public var duration: TimeSpan { cells(angle: 1).reduce(.zero) { $0 + $1.duration } }
}

/// A piece of a title: sectors that are played one behind the other.
public struct DiscCell: Sendable, Equatable {
    /// The video object that it is of; cells of one have one clock.
    public let object: Int
    /// Its number within that, from 1.
    public let number: Int
    /// The angle that it shows, from 1; 0: all.
    public let angle: Int
    /// Its sectors in order: several ranges where those of other angles lie between.
    public let extents: [Range<Int>]
    /// The first sector of its last unit.
    public let lastUnit: Int
    /// By the disc's word.
    public let duration: TimeSpan
    /// Its last frame stays for so many seconds; 255: until a person goes on.
    public let still: Int
    /// The command of its chain that is carried out at its end, from 1; 0: none.
    public let command: Int

    /// A cell.
    public init(
        object: Int, number: Int, angle: Int = 0, extents: [Range<Int>], lastUnit: Int, duration: TimeSpan, still: Int = 0,
        command: Int = 0
    ) {
        (self.object, self.number, self.angle) = (object, number, angle)
        (self.extents, self.lastUnit, self.duration) = (extents, lastUnit, duration)
        (self.still, self.command) = (still, command)
    }
}

/// The beginning of a chapter.
public struct DiscChapter: Sendable, Equatable {
    /// The cell that it begins with, counted among all cells of the title.
    public let cell: Int
    /// The time from the start of the title, by the disc's word.
    public let start: TimeSpan

    /// A chapter.
    public init(cell: Int, start: TimeSpan) { (self.cell, self.start) = (cell, start) }
}

/// Audio or subtitles of a title.
public struct DiscStream: Sendable, Equatable {
    /// The purposes of a stream that are told to people.
    public enum Purpose: Sendable, Equatable {
        /// As usual.
        case plain
        /// A commentary by its makers.
        case commentary
        /// For the visually or hearing impaired.
        case impaired
        /// Only where the language of the scene is another.
        case forced
        /// For children, or with large letters.
        case easy
    }

    /// The number by which the program stream calls it: 0x80 is the first of AC-3, 0x20 the first subtitles.
    public let code: Int
    /// FFmpeg's short name of the codec.
    public let codec: String
    /// Two letters of ISO 639; nil where the disc does not say.
    public let language: String?
    /// Audio channels; 0 for subtitles.
    public let channels: Int
    /// The purpose of the stream.
    public let purpose: Purpose
    /// The number by which menus call it, from 0.
    public let number: Int

    /// A stream.
    public init(
        code: Int, codec: String, language: String? = nil, channels: Int = 0, purpose: Purpose = .plain, number: Int = 0
    ) {
        (self.code, self.codec, self.language) = (code, codec, language)
        (self.channels, self.purpose, self.number) = (channels, purpose, number)
    }
}
