import AetherCore
import AetherTestSupport
import Synchronization

@testable import AetherRender

/// Shared memory that is none: keeps the objects, and tells when the rules are broken.
final class ScriptedPixels: SharedPixels {
    struct State {
        var objects: [String: [UInt8]] = [:]
        var names: [Int: String] = [:]
        var generation = 0
        var written = 0
        var refuses = false
        /// Names that were written although the terminal had not answered for them.
        var reused: [String] = []
        /// Names sent and not answered for.
        var awaited: Set<String> = []
    }

    let slots: Int
    let state = Mutex(State())

    init(slots: Int = 3) { self.slots = slots }

    func write(_ pixels: UnsafeRawBufferPointer, slot: Int) -> [UInt8]? {
        state.withLock { state in
            if state.refuses { return nil }
            let name = state.names[slot] ?? "/pixels-\(slot)-\(state.generation)"
            state.names[slot] = name
            if state.awaited.contains(name) { state.reused.append(name) }
            state.objects[name] = Array(pixels)
            state.awaited.insert(name)
            state.written += 1
            return Array(name.utf8)
        }
    }

    func abandon(slot: Int) {
        state.withLock { state in
            if let name = state.names.removeValue(forKey: slot) { state.objects[name] = nil }
            state.generation += 1
        }
    }

    /// As the terminal does: read and remove.
    func take(_ name: String) -> [UInt8]? { state.withLock { $0.objects.removeValue(forKey: name) } }

    /// The terminal's answer for an object has arrived.
    func answered(_ name: String) { state.withLock { _ = $0.awaited.remove(name) } }
}

/// A renderer wired to a terminal that shows kitty graphics.
struct KittyRig {
    var renderer: KittyRenderer
    var screen: VTScreen
    let placement: PixelPlacement
    let throughTmux: Bool
    private(set) var bytes: [UInt8] = []
    private(set) var stats = EncodeStats()
    /// Bytes on their way to the terminal, when `isSlow`.
    private var queue: [[UInt8]] = []
    var isSlow = false
    /// Whether answers come back at once.
    var isAnswering = true

    init(
        _ size: PixelSize, cell: PixelSize = PixelSize(width: 4, height: 8), store: ScriptedPixels? = nil, edits: Bool = true,
        terminalEdits: Bool = true, throughTmux: Bool = false, origin: CellPosition = CellPosition(column: 1, row: 1)
    ) {
        var traits = DisplayTraits.Kitty()
        traits.hasSharedMemory = store != nil
        traits.hasFrameEdits = edits
        traits.throughTmux = throughTmux
        self.throughTmux = throughTmux
        renderer = KittyRenderer(traits: traits, store: store)
        let cells = CellSize(
            columns: (size.width + cell.width - 1) / cell.width + 2, rows: (size.height + cell.height - 1) / cell.height + 2)
        screen = VTScreen(columns: cells.columns, rows: cells.rows)
        var kitty = VTKitty()
        kitty.hasFrameEdits = terminalEdits
        if let store { kitty.readShared = { store.take($0) } }
        screen.kitty = kitty
        for (number, scalar) in RowColumnDiacritics.scalars.enumerated() { screen.placeholderMarks[scalar] = number }
        placement = PixelPlacement(origin: origin, display: size, screen: cells, cell: cell)
    }

    var kitty: VTKitty { screen.kitty ?? VTKitty() }

    mutating func show(_ image: RasterImage, _ quality: EncodeQuality = .exact, coverage: CellCoverage? = nil) {
        var buffer = ByteBuffer()
        stats = renderer.encode(
            image, at: placement, coverage: coverage ?? CellCoverage(screen.size), quality: quality, into: &buffer)
        take(&buffer)
    }

    mutating func clear() {
        var buffer = ByteBuffer()
        renderer.clear(into: &buffer)
        take(&buffer)
    }

    private mutating func take(_ buffer: inout ByteBuffer) {
        bytes = buffer.withUnsafeBytes { Array($0) }
        if isSlow { queue.append(bytes) } else { deliver(bytes) }
    }

    /// The terminal reads the oldest bytes that wait.
    mutating func deliverNext() {
        if !queue.isEmpty { deliver(queue.removeFirst()) }
    }

    private mutating func deliver(_ bytes: [UInt8]) {
        let before = kitty.answers.count
        screen.feed(throughTmux ? VTTmux.unwrap(bytes) ?? [0x18] : bytes)
        if isAnswering { for answer in kitty.answers[before...] { acknowledge(answer) } }
    }

    /// Hands an answer back as the terminal wrote it.
    mutating func acknowledge(_ answer: [UInt8]) {
        let read = Self.read(answer)
        renderer.acknowledge(id: read.id, placement: read.placement, message: read.message)
    }

    /// The parts of an answer that the terminal wrote.
    static func read(_ answer: [UInt8]) -> (id: Int, placement: Int, message: String) {
        let text = String(decoding: answer, as: UTF8.self).dropFirst(3).dropLast(2)
        let halves = text.split(separator: ";", maxSplits: 1)
        func number(_ key: String) -> Int {
            halves[0].split(separator: ",").first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) } ?? 0
        }
        return (number("i="), number("p="), String(halves[1]))
    }

    /// The pixels that the terminal shows in the place of the image.
    func shown() -> RasterImage {
        kitty.paint(on: screen, cell: placement.cell).image(
            x: placement.origin.column * placement.cell.width, y: placement.origin.row * placement.cell.height,
            width: placement.display.width, height: placement.display.height)
    }

    /// Whether the terminal understood everything.
    var isClean: Bool { kitty.faults.isEmpty && screen.unknown.isEmpty && screen.strings.isEmpty && !screen.isInsideSequence }
}
