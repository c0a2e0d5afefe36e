import AetherRender

/// A frame or preview that is drawn among the panes.
struct ChromeInset {
    let image: ImageInset
    /// Images are told apart by their numbers, not pixel by pixel.
    let number: Int
    /// The inset lies over a pane, which lets it through.
    let isOverText: Bool
}
