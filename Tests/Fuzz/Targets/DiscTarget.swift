import AetherCore
import AetherFormats

/// The tables of a DVD: whatever they say, titles are bounded and their sectors lie in order.
func fuzzDisc(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    do throws(DiscFault) {
        let manager = try VideoManager(bytes)
        precondition(manager.entries.count <= 99)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let set = try TitleSet(bytes)
        precondition(zip(set.units, set.units.dropFirst()).allSatisfy { $0 < $1 })
        for number in 1...99 {
            let title = try set.title(number, at: VideoManager.Entry(titleSet: 1, numberInSet: number, angleCount: 9))
            precondition(title.duration >= .zero && title.angleCount <= 9 && title.chapters.count <= 999)
            let cells = title.cells(angle: 2), map = SectorMap(cells)
            precondition(map.cellPlaces.count == cells.count && map.places(of: set.units).allSatisfy { $0 < map.count })
            precondition(title.chapters.allSatisfy { title.cells.indices.contains($0.cell) })
        }
    } catch {
        precondition(!error.reason.isEmpty)
    }
    precondition(DiscDirectory(bytes).entries.count <= bytes.count / 34 + 1)
    if let root = DiscDirectory.root(volume: bytes) { precondition(root.sector >= 0 && root.byteCount >= 0) }
    if let pack = NavigationPack(bytes) { precondition(pack.end >= pack.start) }
    _ = NavigationPack.isScrambled(bytes)
}
