import AetherCore
import AetherRender
import AetherTestSupport
import CAllocations
import Testing

/// Frame after frame goes through the composer without asking the heap for anything: a heap call may wait for another thread's, and
/// many small ones are what a player's hours fragment.
struct AllocationTests {
    private static let traits: DisplayTraits = {
        var traits = DisplayTraits(depth: .trueColor, isUTF8: true)
        traits.sixel = DisplayTraits.Sixel(registers: 256)
        traits.kitty = DisplayTraits.Kitty()
        return traits
    }()

    /// Heap calls of twice `frames` frames of film and of one that is refined, after as many that warm the buffers.
    private func allocations(_ renderer: EncoderChoice.Renderer, depth: ColourDepth = .trueColor, frames count: Int = 24) -> Int64
    {
        var composer = FrameComposer(
            output: FrameOutput(EncoderChoice(renderer: renderer, depth: depth), traits: Self.traits), depth: depth,
            cells: CellSize(columns: 40, rows: 12), cellAspect: 0.5, cellPixels: PixelSize(width: 8, height: 16))
        let box = composer.layout.box
        let film = SyntheticFrames(width: box.width, height: box.height, seed: 3)
        // There and back: a cut makes a new palette, and may.
        let images = (0..<count).map { film.film($0) } + (0..<count).reversed().map { film.film($0) }
        var bytes = 0
        func play() {
            for image in images {
                composer.show(image)
                bytes += composer.compose(byteBudget: 400_000).count
            }
            bytes += composer.compose(exactly: true).count
        }
        play()
        play()
        let before = allocations_of_this_thread()
        play()
        let after = allocations_of_this_thread()
        #expect(bytes > 1000 * count, "a film was drawn")
        return after - before
    }

    private static var isCounting: Bool { allocations_of_this_thread() >= 0 }

    @Test func theCounterCounts() {
        guard Self.isCounting else { return }
        let before = allocations_of_this_thread()
        let array = [Int](repeating: Int(before), count: 100)
        #expect(withExtendedLifetime(array) { allocations_of_this_thread() } > before)
    }

    @Test(
        .enabled("a sanitizer owns the heap") { isCounting },
        arguments: [EncoderChoice.Renderer.halfblock, .quadrant, .sextant, .octant, .braille, .ascii],
        [ColourDepth.trueColor, .indexed256])
    func cellsTakeNothing(_ renderer: EncoderChoice.Renderer, _ depth: ColourDepth) {
        #expect(allocations(renderer, depth: depth) == 0)
    }

    @Test(.enabled("a sanitizer owns the heap") { isCounting }, arguments: [EncoderChoice.Renderer.sixel, .kitty])
    func pixelsTakeNothing(_ renderer: EncoderChoice.Renderer) {
        #expect(allocations(renderer) == 0)
    }
}
