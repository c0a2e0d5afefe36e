/// The places in the memory of one program: each piece lies in one part, and parts are given back in the order in which they were taken. Pure.
struct ShareRoom: Sendable, Equatable {
    let size: Int
    private var taken: [Range<Int>] = []

    /// All of it is free.
    init(size: Int = ShareMemory.size) { self.size = size }

    /// A place for so many bytes; nil where there is none before others are given back.
    mutating func take(_ count: Int) -> Int? {
        guard count > 0, count <= size, let place = place(for: count) else { return nil }
        taken.append(place..<(place + count))
        return place
    }

    private func place(for count: Int) -> Int? {
        guard let first = taken.first, let last = taken.last else { return 0 }
        let head = last.upperBound, tail = first.lowerBound
        if last.lowerBound < tail { return head + count <= tail ? head : nil }
        if head + count <= size { return head }
        return count <= tail ? 0 : nil
    }

    /// The place that was taken first is free.
    mutating func giveBack() { if !taken.isEmpty { taken.removeFirst() } }

    /// All of it is free. A program does one thing after the other: what it still fills for nobody is done before it fills the place anew.
    mutating func clear() { taken = [] }
}
