public import AetherCore

/// The choice of a renderer, with its reason. Pure.
public struct EncoderChoice: Sendable, Equatable {
    /// The renderers there are, by their names on the command line.
    public enum Renderer: String, Sendable, CaseIterable {
        case halfblock, quadrant, sextant, octant, braille, ascii, sixel, kitty, iterm2
    }

    /// The way to draw.
    public let renderer: Renderer
    /// The colours that cells get.
    public let depth: ColourDepth
    /// The reasons, for people.
    public let reasons: [String]

    /// A choice made elsewhere.
    public init(renderer: Renderer, depth: ColourDepth, reasons: [String] = []) {
        self.renderer = renderer
        self.depth = depth
        self.reasons = reasons
    }

    /// Decides. nil for `requested` is the best there is; nil is returned when the terminal cannot show what was requested, and then
    /// `obstacle` says why.
    public static func choose(requested: Renderer?, traits: DisplayTraits) -> EncoderChoice? {
        guard let requested else { return best(traits) }
        guard obstacle(to: requested, traits: traits) == nil else { return nil }
        return EncoderChoice(renderer: requested, depth: traits.depth, reasons: [phrase("asked for on the command line").key])
    }

    /// The reason why a terminal cannot show what a renderer makes, and the remedy, in a sentence; nil where it can. Block glyphs that a
    /// terminal is not known to draw are no obstacle: its font may have them.
    public static func obstacle(to renderer: Renderer, traits: DisplayTraits) -> String? {
        let instead = best(traits).renderer.rawValue
        switch renderer {
        case .ascii: return nil
        case .halfblock, .quadrant, .sextant, .octant, .braille:
            if traits.isUTF8 { return nil }
            return translated("this terminal cannot show \(renderer.rawValue), for it does not take UTF-8: use --renderer ascii")
        case .sixel:
            if traits.sixel != nil { return nil }
            return translated(
                "this terminal cannot show sixel images (xterm can when started with -ti vt340): use --renderer \(instead)")
        case .kitty:
            if traits.kitty != nil { return nil }
            if traits.isTmux {
                return translated(
                    "no kitty images get through this tmux (set allow-passthrough on, in kitty 0.28 or later or ghostty): use --renderer \(instead)"
                )
            }
            return translated("this terminal does not answer to the kitty graphics protocol: use --renderer \(instead)")
        case .iterm2:
            if traits.hasInlineImages { return nil }
            return translated("this terminal is not known to show iTerm2's inline images: use --renderer \(instead)")
        }
    }

    /// Pixels where they cost little, else the finest cells.
    ///
    /// Memory shared with a kitty is cheapest: 300 bytes a frame. Without it kitty still comes first, since its terminals read
    /// frames at 100–250 MB/s and sixel is worked out at 2–40. Across SSH cells are the default, although the terminal could show
    /// pixels: a frame of 1200×675 is about 1 MB compressed and 24 of them a second 200 Mbit/s, while cells take 0.1–3 MB/s and
    /// get by with less; on a fast link the user asks for pixels by name.
    private static func best(_ traits: DisplayTraits) -> EncoderChoice {
        func choice(_ renderer: Renderer, _ reasons: String...) -> EncoderChoice {
            EncoderChoice(renderer: renderer, depth: traits.depth, reasons: reasons)
        }
        if !traits.isUTF8 && traits.depth == .mono {
            return choice(.ascii, phrase("neither UTF-8 nor colours: ASCII is left").key)
        }
        if traits.depth == .mono { return choice(.ascii, phrase("without colours, letters show more shades than blocks").key) }
        if let kitty = traits.kitty, kitty.hasSharedMemory {
            return choice(.kitty, phrase("kitty graphics through shared memory: all pixels, hardly a byte").key, tmuxNote(kitty))
        }
        if !traits.isRemote {
            if let kitty = traits.kitty {
                return choice(
                    .kitty, phrase("kitty graphics: all pixels, sent in-line to a terminal on this machine").key, tmuxNote(kitty))
            }
            if let sixel = traits.sixel { return choice(.sixel, "sixel images of \(sixel.registers) colours") }
            if traits.hasInlineImages {
                return choice(.iterm2, phrase("iTerm2's inline images: all pixels, but each frame whole").key)
            }
        }
        let cells = cells(traits)
        guard traits.isRemote, let pixels = pixelRenderer(traits) else { return cells }
        return EncoderChoice(
            renderer: cells.renderer, depth: cells.depth,
            reasons: cells.reasons + ["across SSH cells need far fewer bytes; --renderer \(pixels) sends pixels all the same"])
    }

    /// The renderer that draws instead on a link that pixels turn out to be too much for: cells, where pixels were not asked for by name.
    /// nil for none.
    public func inNeed(requested: Renderer?, traits: DisplayTraits) -> EncoderChoice? {
        switch renderer {
        case .sixel, .kitty, .iterm2: return requested == nil && traits.isUTF8 ? Self.cells(traits) : nil
        case .halfblock, .quadrant, .sextant, .octant, .braille, .ascii: return nil
        }
    }

    private static func tmuxNote(_ kitty: DisplayTraits.Kitty) -> String {
        kitty.throughTmux
            ? phrase("tmux hands them on: the terminal around it has answered").key
            : phrase("the terminal has answered the query").key
    }

    private static func pixelRenderer(_ traits: DisplayTraits) -> Renderer? {
        if traits.kitty != nil { return .kitty }
        if traits.sixel != nil { return .sixel }
        return traits.hasInlineImages ? .iterm2 : nil
    }

    private static func cells(_ traits: DisplayTraits) -> EncoderChoice {
        guard traits.isUTF8 else {
            return EncoderChoice(
                renderer: .ascii, depth: traits.depth, reasons: [phrase("the terminal does not take UTF-8: ASCII is left").key])
        }
        let (renderer, reason): (Renderer, String) =
            switch traits.glyphs {
            case .octants: (.octant, phrase("the terminal draws octants itself: eight pixels a cell").key)
            case .sextants: (.sextant, phrase("the terminal draws sextants itself: six pixels a cell").key)
            case .quadrants: (.quadrant, phrase("the terminal draws quadrants itself: four pixels a cell").key)
            case .halfBlocks: (.halfblock, phrase("UTF-8 and colours: half-blocks, two pixels a cell").key)
            }
        return EncoderChoice(renderer: renderer, depth: traits.depth, reasons: [reason])
    }
}
