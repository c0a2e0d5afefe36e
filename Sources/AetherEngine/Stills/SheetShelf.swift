import AetherCore

/// The sheets of stills that were decoded last, by their names. Lives on one thread.
struct SheetShelf<Name: Equatable> {
    private var sheets: [(name: Name, image: RasterImage)] = []

    /// A sheet of 100 stills of 320x180 takes 23 MB as pixels.
    private static var limit: Int { 2 }

    /// A sheet that is still there.
    func image(_ name: Name) -> RasterImage? { sheets.first { $0.name == name }?.image }

    /// Keeps a sheet in the place of the oldest.
    mutating func keep(_ image: RasterImage, as name: Name) {
        if sheets.count >= Self.limit { sheets.removeFirst() }
        sheets.append((name, image))
    }
}
