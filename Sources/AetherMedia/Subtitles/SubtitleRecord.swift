import AetherCore

/// Decoded subtitles on their way out of a box.
public enum SubtitleRecord {
    /// Subtitles of one packet: a decoder gives 64 at most.
    private static let most = 256
    /// Changes of look in one text.
    private static let mostRuns = 4096

    // MARK: - Out

    /// The subtitles of a packet as bytes.
    public static func put(_ subtitles: [DecodedSubtitle], to record: inout RecordWriter) {
        record.put(each: subtitles.prefix(most), put)
    }

    private static func put(_ record: inout RecordWriter, _ subtitle: DecodedSubtitle) {
        record.put(subtitle.start.nanoseconds)
        record.put(subtitle.end) { $0.put($1.nanoseconds) }
        record.put(subtitle.isReplacedByNext)
        record.put(subtitle.placement) {
            $0.put(UInt8($1.alignment))
            $0.put($1.position) {
                $0.put($1.x)
                $0.put($1.y)
            }
        }
        record.put(subtitle.markup) { $0.put($1) }
        switch subtitle.body {
        case nil: record.put(UInt8(0))
        case .text(let text):
            record.put(UInt8(1))
            record.put(text)
        case .richText(let runs):
            record.put(UInt8(2))
            record.put(each: runs.prefix(mostRuns), put)
        case .image(let image):
            record.put(UInt8(3))
            put(&record, image)
        }
    }

    private static func put(_ record: inout RecordWriter, _ run: SubtitleTextRun) {
        record.put(run.text)
        record.put(run.color) { for part in [$1.r, $1.g, $1.b] { $0.put(part) } }
        for flag in [run.isBold, run.isItalic, run.isUnderlined, run.isStruckThrough] { record.put(flag) }
        record.put(run.fontName) { $0.put($1) }
        record.put(run.fontSize) { $0.put(Int32(clamping: $1)) }
    }

    private static func put(_ record: inout RecordWriter, _ image: SubtitleImage) {
        for number in [image.width, image.height, image.x, image.y, image.canvasSize.width, image.canvasSize.height] {
            record.put(Int32(clamping: number))
        }
        record.put(image.runs)
        record.put(each: image.palette) { $0.put($1) }
        record.put(image.isForced)
    }

    // MARK: - In

    /// The subtitles of a record, whose texts are safe to display; the record is broken where it says what cannot be.
    public static func subtitles(_ record: inout RecordReader) -> [DecodedSubtitle] {
        record.list(limit: most, subtitle)
    }

    private static func subtitle(_ record: inout RecordReader) -> DecodedSubtitle {
        let start = MediaTime(nanoseconds: record.integer())
        let end = record.optional { MediaTime(nanoseconds: $0.integer()) }, isReplaced = record.bool()
        let placement = record.optional { record in
            SubtitleTextPlacement(
                alignment: Int(record.integer(UInt8.self)),
                position: record.optional { SubtitlePoint(x: $0.double(), y: $0.double()) })
        }
        let markup = record.optional { $0.text(limit: 4 * ASSText.markupLimit) }
        return DecodedSubtitle(
            start: start, end: end, body: body(&record), placement: placement, markup: markup, isReplacedByNext: isReplaced)
    }

    private static func body(_ record: inout RecordReader) -> SubtitleCue.Body? {
        switch record.integer(in: UInt8(0)...3) {
        case 1: return .text(text(&record))
        case 2: return .richText(record.list(limit: mostRuns, run))
        case 3:
            guard let image = image(&record) else {
                record.fail()
                return nil
            }
            return .image(image)
        default: return nil
        }
    }

    /// A text as a decoder makes it: one that is not safe to display came from no decoder of ours.
    private static func text(_ record: inout RecordReader) -> String {
        let text = record.text(limit: 4 * ASSText.limit)
        if DisplayText.printable(text) != text { record.fail() }
        return text
    }

    private static func run(_ record: inout RecordReader) -> SubtitleTextRun {
        let text = text(&record)
        let color = record.optional { SubtitleColor(r: $0.integer(), g: $0.integer(), b: $0.integer()) }
        let flags = (0..<4).map { _ in record.bool() }
        return SubtitleTextRun(
            text, color: color, isBold: flags[0], isItalic: flags[1], isUnderlined: flags[2], isStruckThrough: flags[3],
            fontName: record.optional { $0.line(limit: 200) }, fontSize: record.optional { Int($0.integer(Int32.self)) })
    }

    private static func image(_ record: inout RecordReader) -> SubtitleImage? {
        let limit = Int32(SubtitleBounds.decodedLimit)
        let width = Int(record.integer(in: 0...limit)), height = Int(record.integer(in: 0...limit))
        // A place may lie beside the frame, whose edges cut.
        let x = Int(record.integer(in: -limit...limit)), y = Int(record.integer(in: -limit...limit))
        let canvas = PixelSize(width: Int(record.integer(in: 1...limit)), height: Int(record.integer(in: 1...limit)))
        let runs = record.bytes(limit: 2 * SubtitleBounds.pixelLimit)
        let palette = record.list(limit: 256) { $0.integer(UInt32.self) }
        let isForced = record.bool()
        guard !record.isBroken, width * height <= SubtitleBounds.pixelLimit else { return nil }
        return SubtitleImage(
            width: width, height: height, runs: runs, palette: palette, x: x, y: y, canvasSize: canvas, isForced: isForced)
    }
}
