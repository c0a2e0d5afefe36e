import AetherCore

/// Finds each block of lines its place: at the edge it wants, beside those that stand there already, or at a point of the video.
struct SubtitleStack {
    private let screen: CellSize
    private let frame: CellRect
    /// The first row that must stay free.
    private let bottom: Int
    /// The next free row from the top.
    private var topRow: Int
    /// Lines at the bottom, the lowest last; their rows are known when all are there.
    private var low: [SubtitleLine] = []
    /// Lines anywhere else.
    private var others: [SubtitleLine] = []

    init(screen: CellSize, frame: CellRect, bottom: Int) {
        self.screen = screen
        self.frame = frame
        self.bottom = min(max(0, bottom), screen.rows)
        topRow = screen.rows >= 10 ? 1 : 0
    }

    /// Adds one cue's lines. Blocks at the bottom push those before them up.
    mutating func add(_ block: [SubtitleLine], _ placement: SubtitleTextPlacement?) {
        let room = min(block.count, max(0, min(SubtitleView.limit - low.count - others.count, bottom - low.count)))
        guard room > 0 else { return }
        var block = Array(block.suffix(room))
        let alignment = placement?.alignment ?? 2
        let (column, row) = ((alignment - 1) % 3, (alignment - 1) / 3)
        if let point = placement?.position { return place(&block, at: point, column: column, row: row) }
        for index in block.indices { block[index].column = edge(block[index].columns, column) }
        switch row {
        case 2:
            set(&block, row: topRow)
            topRow += block.count
        case 1: set(&block, row: frame.row + (frame.rows - block.count) / 2)
        default:
            low += block
            return
        }
        others += block
    }

    /// All lines with their places.
    var placed: [SubtitleLine] {
        var low = low
        set(&low, row: bottom - low.count)
        return others + low
    }

    /// The column of a line at the left, in the middle or at the right of the video.
    private func edge(_ columns: Int, _ column: Int) -> Int {
        switch column {
        case 0: max(0, frame.column + frame.columns / 20)
        case 2: min(screen.columns, frame.column + frame.columns - frame.columns / 20) - columns
        default: (screen.columns - columns) / 2
        }
    }

    private mutating func place(_ block: inout [SubtitleLine], at point: SubtitlePoint, column: Int, row: Int) {
        let x = frame.column + Int((point.x * Double(frame.columns)).rounded())
        let y = frame.row + Int((point.y * Double(frame.rows)).rounded())
        let height = block.count
        for index in block.indices {
            let columns = block[index].columns
            let left = column == 0 ? x - 1 : column == 1 ? x - columns / 2 : x - columns + 1
            block[index].column = min(max(0, left), max(0, screen.columns - columns))
        }
        let top = row == 0 ? y - height : row == 1 ? y - height / 2 : y
        set(&block, row: min(max(0, top), max(0, bottom - height)))
        others += block
    }

    private func set(_ block: inout [SubtitleLine], row: Int) {
        for index in block.indices { block[index].row = row + index }
    }
}
