import AetherCore
import AetherEngine
import AetherMedia
import AetherRender
import AetherTerminal
import FoundationEssentials
import Glibc

/// Draws one image into the terminal among the lines of a shell: room is made by scrolling, the image is put into it, and the cursor
/// goes below.
struct SheetTerminal {
    /// nil: what suits the terminal.
    let renderer: EncoderChoice.Renderer?

    /// Blocks for as long as the terminal takes. Throws where there is none, or it cannot draw so.
    func show(_ image: RasterImage) throws(MediaError) {
        let (traits, size) = try ask()
        guard let choice = EncoderChoice.choose(requested: renderer, traits: traits) else {
            throw MediaError(
                .unsupported, "draw", reason: renderer.flatMap { EncoderChoice.obstacle(to: $0, traits: traits) } ?? "")
        }
        let output = FrameOutput(choice, traits: traits)
        let pixels = output.pixelsPerCell(cellPixels: size.cellPixels)
        // A row stays free for the prompt.
        let room = CellSize(columns: size.cells.columns, rows: max(1, size.cells.rows - 1))
        let layout = FramePlacement(cells: room, cellAspect: size.cellAspect, pixelsPerCell: pixels)
        let fit = FrameFit(stream: image.size, box: layout.box, rasterAspect: layout.pixelAspect).fit
        let rows = min(room.rows, (fit.height + pixels.height - 1) / pixels.height)
        var composer = FrameComposer(
            output: output, depth: choice.depth, cells: CellSize(columns: room.columns, rows: room.rows),
            cellAspect: size.cellAspect,
            cellPixels: size.cellPixels)
        composer.resize(
            room, cellAspect: size.cellAspect, cellPixels: size.cellPixels,
            area: CellRect(column: 0, row: 0, columns: room.columns, rows: rows))
        composer.show(image.scaled(to: fit))
        var bytes: [UInt8] = Array(repeating: 0x0A, count: room.rows)
        bytes += Array(composer.compose(exactly: true))
        bytes += Array("\u{1B}[0m\u{1B}[\(rows + 1);1H".utf8)
        try StillFile.write(bytes, to: "-")
    }

    private func ask() throws(MediaError) -> (DisplayTraits, TerminalSize) {
        do throws(TerminalError) {
            let signals = try Signals()
            let port = try TTYPort()
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            defer { session.leave() }
            var events = TerminalEvents(input: port.descriptor, signals: signals, wake: nil)
            let outcome = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(ProcessInfo.processInfo.environment))
            session.repliesPending = outcome.repliesPending
            let capabilities = outcome.capabilities
            let size = port.size().reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize)
            return (capabilities.displayTraits(size: size), size)
        } catch {
            throw MediaError(.unsupported, "ask the terminal", reason: "\(error)")
        }
    }
}
