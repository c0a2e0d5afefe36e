import AetherCore
import AetherMedia
import AetherSources

/// The stills of a storyboard, a sheet fetched when the first of its stills is wanted. Lives on one thread; its calls block on servers.
struct StoryboardStills {
    private let board: Storyboard
    private let http: HTTPOptions
    private let interrupt: Interrupt
    private var shelf = SheetShelf<Int>()
    /// Sheets that gave no image are not asked for again.
    private var refused: Set<Int> = []

    init(_ board: Storyboard, http: HTTPOptions, interrupt: Interrupt) {
        (self.board, self.http, self.interrupt) = (board, http, interrupt)
    }

    /// The time of the still for a point, both from the start of the source; nil where its sheet is of no use.
    func time(of point: TimeSpan) -> TimeSpan? {
        board.place(of: point).flatMap { refused.contains($0.sheet) ? nil : $0.start }
    }

    /// The still for a point, by its span from the start of the source; nil where its sheet cannot be had. Blocks. Throws `.interrupted`.
    mutating func still(at point: TimeSpan) throws(MediaError) -> RasterImage? {
        guard let place = board.place(of: point), let sheet = try sheet(place.sheet) else { return nil }
        return board.still(place, of: sheet)
    }

    private mutating func sheet(_ number: Int) throws(MediaError) -> RasterImage? {
        if let known = shelf.image(number) { return known }
        guard !refused.contains(number) else { return nil }
        do throws(MediaError) {
            let bytes = try WebImage(address: board.sheets[number].address, http: http).bytes(interrupt)
            let image = try StillImage.raster(bytes)
            shelf.keep(image, as: number)
            return image
        } catch {
            if error.code == .interrupted { throw error }
            Log.module("previews").info("\(error)")
            refused.insert(number)
            return nil
        }
    }
}
