import AetherCore
import AetherFormats

/// The parts of a container as rows of a list: those whose holders are unfolded.
struct BoxRows: Sendable {
    /// A row: how deep the part lies, and whether it holds others.
    struct Row: Sendable {
        let box: InspectedBox
        let depth: Int
        let path: [Int]
        let isOpen: Bool
    }

    private let boxes: [InspectedBox]
    private var open: Set<[Int]> = []
    private(set) var rows: [Row] = []

    /// The outermost parts, folded, but for the one that holds most.
    init(_ boxes: [InspectedBox]) {
        self.boxes = boxes
        if let place = boxes.indices.first(where: { ["moov", "Segment", "TS"].contains(boxes[$0].type) }) { open = [[place]] }
        refresh()
    }

    private mutating func refresh() {
        rows = []
        add(boxes, [])
    }

    private mutating func add(_ boxes: [InspectedBox], _ path: [Int]) {
        for (place, box) in boxes.enumerated() {
            let path = path + [place], isOpen = open.contains(path)
            rows.append(Row(box: box, depth: path.count - 1, path: path, isOpen: isOpen))
            if isOpen { add(box.children, path) }
        }
    }

    /// Unfolds or folds a row; a row without parts stays. Returns the row to select: folded once more, its holder's.
    mutating func fold(_ row: Int, opens: Bool) -> Int {
        guard rows.indices.contains(row) else { return row }
        let path = rows[row].path
        if opens {
            guard !rows[row].box.children.isEmpty else { return row }
            open.insert(path)
        } else if open.remove(path) == nil {
            let holder = Array(path.dropLast())
            return rows.firstIndex { $0.path == holder } ?? row
        }
        refresh()
        return row
    }

    /// The row of the next part behind one that fits, unfolded for that; nil: none fits. Goes round the end once.
    mutating func find(behind row: Int, _ fits: (InspectedBox) -> Bool) -> Int? {
        let start = rows.indices.contains(row) ? rows[row].path : []
        var paths: [[Int]] = []
        Self.collect(boxes, [], fits, &paths)
        guard let path = paths.first(where: { start.lexicographicallyPrecedes($0) }) ?? paths.first else { return nil }
        for length in 1..<max(1, path.count) { open.insert(Array(path.prefix(length))) }
        refresh()
        return rows.firstIndex { $0.path == path }
    }

    private static func collect(_ boxes: [InspectedBox], _ path: [Int], _ fits: (InspectedBox) -> Bool, _ paths: inout [[Int]]) {
        for (place, box) in boxes.enumerated() where paths.count < 10_000 {
            if fits(box) { paths.append(path + [place]) }
            collect(box.children, path + [place], fits, &paths)
        }
    }

    /// The innermost part that holds a byte.
    mutating func find(byte: Int64) -> Int? {
        var path: [Int] = [], level = boxes
        while let place = level.firstIndex(where: { $0.offset <= byte && byte < $0.offset + $0.size }) {
            path.append(place)
            level = level[place].children
        }
        guard !path.isEmpty else { return nil }
        for length in 1..<max(1, path.count) { open.insert(Array(path.prefix(length))) }
        refresh()
        return rows.firstIndex { $0.path == path }
    }
}
