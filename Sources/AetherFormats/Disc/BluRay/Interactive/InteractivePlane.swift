/// The buttons of a page as they are drawn: one bitmap around all of them. Pure.
public struct InteractivePlane: Sendable, Equatable {
    /// The top left corner in the video, and the size.
    public let x, y, width, height: Int
    /// Places in the colours, row by row.
    public let pixels: [UInt8]
    /// 0xAARRGGBB, not multiplied.
    public let colours: [UInt32]

    /// The objects of the buttons at a moment, by which two planes are the same.
    public static func key(_ state: InteractiveState, at time: Int64) -> [Int] {
        guard state.isOpen else { return [] }
        return [state.page.id] + state.buttons.flatMap { [$0.id, state.object(of: $0, at: time) ?? -1] }
    }

    /// Draws a page at a moment; nil where nothing is seen.
    public init?(_ state: InteractiveState, at time: Int64) {
        guard state.isOpen else { return nil }
        let composition = state.display.composition
        var parts: [(x: Int, y: Int, object: InteractiveObject)] = []
        for button in state.buttons {
            guard let id = state.object(of: button, at: time), let object = state.display.objects[id],
                button.x < composition.width, button.y < composition.height
            else { continue }
            parts.append((button.x, button.y, object))
        }
        guard let left = parts.map(\.x).min(), let top = parts.map(\.y).min(),
            let right = parts.map({ min(composition.width, $0.x + $0.object.width) }).max(),
            let bottom = parts.map({ min(composition.height, $0.y + $0.object.height) }).max()
        else { return nil }
        let width = right - left, height = bottom - top
        var pixels = [UInt8](repeating: InteractiveObject.clear, count: width * height)
        for part in parts {
            let columns = min(part.object.width, right - part.x)
            for row in 0..<min(part.object.height, bottom - part.y) {
                let from = row * part.object.width, to = (part.y - top + row) * width + part.x - left
                for column in 0..<columns where part.object.pixels[from + column] != InteractiveObject.clear {
                    pixels[to + column] = part.object.pixels[from + column]
                }
            }
        }
        (x, y, self.width, self.height, self.pixels) = (left, top, width, height, pixels)
        colours = (state.display.palettes[state.page.palette] ?? InteractivePalette()).colours(height: composition.height)
    }
}
