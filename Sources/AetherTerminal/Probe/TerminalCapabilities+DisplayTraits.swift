public import AetherCore

extension TerminalCapabilities {
    /// The traits that a renderer is chosen by, on a screen of that size. Pure.
    public func displayTraits(size: TerminalSize) -> DisplayTraits {
        var traits = DisplayTraits(depth: colourDepth, isUTF8: utf8)
        traits.glyphs = glyphs
        traits.isTmux = isTmux
        traits.isRemote = isRemote
        traits.hasInlineImages = inlineImages
        traits.cellPixels = size.cellPixels
        if sixel {
            // A terminal that does not say how many registers it has, has the 256 of every one since the VT340's 16; more than 1024
            // no terminal has, and no image needs.
            traits.sixel = DisplayTraits.Sixel(
                registers: min(1024, max(2, sixelRegisters ?? 256)), limit: sixelLimit)
        }
        if kittyGraphics {
            var kitty = DisplayTraits.Kitty()
            kitty.hasSharedMemory = kittySharedMemory
            kitty.hasFrameEdits = kittyFrameEdits
            kitty.hasTransient = kittyTransient
            kitty.throughTmux = isTmux
            traits.kitty = kitty
        }
        traits.reasons = reasons
        return traits
    }
}
