/// The sectors of a title in the order of playing. They are counted from 0 along the title, and as the disc has them in its title set. Pure.
public struct SectorMap: Sendable, Equatable {
    /// A run of sectors that lie one behind the other in both counts.
    public struct Extent: Sendable, Equatable {
        /// Along the title.
        public let place: Int
        /// In the title set.
        public let sectors: Range<Int>
    }

    /// In the order of playing.
    public private(set) var extents: [Extent] = []
    /// Sectors in all.
    public private(set) var count = 0
    /// Where each cell begins along the title.
    public private(set) var cellPlaces: [Int] = []

    /// The sectors of cells.
    public init(_ cells: [DiscCell]) {
        for cell in cells {
            cellPlaces.append(count)
            for sectors in cell.extents {
                if let last = extents.last, last.sectors.upperBound == sectors.lowerBound {
                    extents[extents.count - 1] = Extent(
                        place: last.place, sectors: last.sectors.lowerBound..<sectors.upperBound)
                } else {
                    extents.append(Extent(place: count, sectors: sectors))
                }
                count += sectors.count
            }
        }
    }

    /// The sectors of the title set from a place along the title on, as far as they lie together; nil behind the end.
    public func sectors(at place: Int) -> Range<Int>? {
        guard place >= 0, place < count, let index = extents.lastIndex(where: { $0.place <= place }) else { return nil }
        let extent = extents[index]
        return extent.sectors.lowerBound + (place - extent.place)..<extent.sectors.upperBound
    }

    /// Where sectors of the title set lie along the title, ascending: those that it has of a list.
    public func places(of sectors: [Int]) -> [Int] {
        extents.flatMap { extent in
            let from = sectors.partition(by: extent.sectors.lowerBound), to = sectors.partition(by: extent.sectors.upperBound)
            return sectors[from..<max(from, to)].map { $0 - extent.sectors.lowerBound + extent.place }
        }
    }
}

extension [Int] {
    /// The index of the first element that is not below a value; the elements ascend.
    fileprivate func partition(by value: Int) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
