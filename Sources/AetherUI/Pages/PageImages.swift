import AetherCore
import AetherEngine

/// The images of a page as yt-dlp tells of them: one that stands for its media, and sheets of stills. Pure; bounded, and every word of it is a
/// stranger's.
struct PageImages: Sendable, Equatable {
    /// The address of the image for the whole.
    var cover: String?
    var storyboard: Storyboard?

    /// Sheets are listed before all formats that play, the smallest stills first: at most so many kinds are looked at.
    static let kindLimit = 4
    /// The sheets of a video of seven hours, with one for each 50 s.
    static let sheetLimit = 500
    /// Stills are shown no smaller.
    private static let leastWidth = 160

    /// None.
    init() {}

    /// Reads them. `facts`: what the page says of its media; `formats`: all of them; `pieces`: the pieces of the first formats.
    init(facts: JSON, formats: JSON, pieces: [JSON]) {
        cover = facts["thumbnail"]?.text.flatMap { PageDesk.isAddress($0) ? $0 : nil }
        let kinds = zip(formats.values ?? [], pieces).prefix(Self.kindLimit).compactMap { Self.board($0, $1) }
        let wide = kinds.filter { $0.width >= Self.leastWidth }.min { $0.width < $1.width }
        storyboard = (wide ?? kinds.max { $0.width < $1.width })?.board
    }

    private static func board(_ format: JSON, _ pieces: JSON) -> (width: Int, board: Storyboard)? {
        guard format["protocol"]?.text == "mhtml", let columns = format["columns"]?.integer, let rows = format["rows"]?.integer
        else { return nil }
        var sheets: [Storyboard.Sheet] = []
        for piece in (pieces.values ?? []).prefix(sheetLimit) {
            // Behind one that makes no sense the times of all others are unknown.
            guard let address = piece["url"]?.text, PageDesk.isAddress(address), let seconds = piece["duration"]?.number,
                seconds > 0, seconds <= 86_400
            else { break }
            sheets.append(Storyboard.Sheet(address: address, duration: .seconds(seconds)))
        }
        return Storyboard(columns: columns, rows: rows, sheets: sheets).map { (format["width"]?.integer ?? 0, $0) }
    }
}
