public import AetherCore

/// Small stills of a source on sheets that lie on a web server, as sites of videos have them. Each sheet holds rows of stills of one size, in
/// the order of their times, for a span of the source. Pure.
public struct Storyboard: Sendable, Equatable {
    /// One image with stills.
    public struct Sheet: Sendable, Equatable {
        /// The http or https address of the image.
        public let address: String
        /// The span of the source that its stills share evenly.
        public let duration: TimeSpan

        /// A sheet. The address is not checked.
        public init(address: String, duration: TimeSpan) { (self.address, self.duration) = (address, duration) }
    }

    /// The still for a point of the source.
    struct Place: Equatable {
        /// The number of its sheet.
        let sheet: Int
        /// Its number on that sheet, row by row.
        let still: Int
        /// The beginning of its span, from the start of the source.
        let start: TimeSpan
    }

    /// The number of stills in a row, and of rows on a sheet.
    public let columns, rows: Int
    /// The sheets in the order of their times.
    public let sheets: [Sheet]
    /// The beginning of each sheet, from the start of the source.
    private let starts: [TimeSpan]

    /// Sheets of a day, one for four minutes, are 360.
    static let sheetLimit = 2000

    /// nil where there is no sheet, or more than 2000; where a sheet has no duration or more than a day; and for more than 100 rows or columns.
    public init?(columns: Int, rows: Int, sheets: [Sheet]) {
        guard 1...100 ~= columns, 1...100 ~= rows, 1...Self.sheetLimit ~= sheets.count,
            sheets.allSatisfy({ $0.duration > .zero && $0.duration <= .seconds(86_400) })
        else { return nil }
        (self.columns, self.rows, self.sheets) = (columns, rows, sheets)
        var starts: [TimeSpan] = [], end = TimeSpan.zero
        for sheet in sheets {
            starts.append(end)
            end = end + sheet.duration
        }
        self.starts = starts
    }

    /// The still for a point, by its span from the start of the source: the first one before the start; the last one for ten seconds behind the
    /// end, nil from there on.
    func place(of point: TimeSpan) -> Place? {
        guard let last = sheets.last, let begin = starts.last, point < begin + last.duration + .seconds(10) else { return nil }
        let sheet = max(0, (starts.firstIndex { $0 > point } ?? starts.count) - 1)
        let length = sheets[sheet].duration.nanoseconds, count = Int64(columns * rows)
        let passed = min(max(point - starts[sheet], .zero).nanoseconds, length - 1)
        let still = min(count - 1, passed / max(1, length / count))
        return Place(sheet: sheet, still: Int(still), start: starts[sheet] + TimeSpan(nanoseconds: length / count * still))
    }

    /// A still of a sheet; nil where the image is too small to hold so many.
    func still(_ place: Place, of sheet: RasterImage) -> RasterImage? {
        let width = sheet.width / columns, height = sheet.height / rows
        guard width > 0, height > 0 else { return nil }
        return sheet.part(
            x: place.still % columns * width, y: place.still / columns * height, width: width, height: height)
    }
}
