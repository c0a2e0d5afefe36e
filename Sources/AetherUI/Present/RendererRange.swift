import AetherCore
import AetherRender
import AetherTerminal

/// The renderers that a terminal can show, and how each is made: what `--renderer` chooses from at the start, and a menu while the video
/// plays.
struct RendererRange {
    /// The renderers: `inNeed` where the link does not carry the pixels of `full`.
    struct Outputs {
        var full: FrameOutput
        var inNeed: FrameOutput?

        /// The ways to save detail.
        var means: DetailLadder.Means { !full.isPixels ? .cells : inNeed == nil ? .pixels : .pixelsThenCells }
    }

    let traits: DisplayTraits

    /// The names of the renderers on the command line, in the order of `EncoderChoice.Renderer`.
    var names: [String] {
        EncoderChoice.Renderer.allCases.filter { EncoderChoice.obstacle(to: $0, traits: traits) == nil }.map(\.rawValue)
    }

    /// Makes what was chosen. `requested` is what the person named, nil for none: cells stand in for pixels that were not asked for by name.
    func outputs(_ choice: EncoderChoice, requested: EncoderChoice.Renderer?) -> Outputs {
        Outputs(
            full: FrameOutput(choice, traits: traits, memory: choice.renderer == .kitty ? SharedMemoryRing() : nil),
            inNeed: choice.inNeed(requested: requested, traits: traits).map { FrameOutput($0, traits: traits) })
    }

    /// The renderers of a name; nil where the terminal cannot show it.
    func outputs(named name: String) -> Outputs? {
        guard let renderer = EncoderChoice.Renderer(rawValue: name),
            let choice = EncoderChoice.choose(requested: renderer, traits: traits)
        else { return nil }
        return outputs(choice, requested: renderer)
    }
}
