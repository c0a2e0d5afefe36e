public import AetherCore

// The facts that a composer must know of this renderer beside its bytes.
extension KittyRenderer {
    /// Blank cells without a background: the image lies under the text and shines through them.
    public var backdrop: Cell { .blank }

    /// Deletes the images of this renderer; inside tmux wrapped for the terminal outside.
    public var partingBytes: [UInt8] { Self.deleteAll(throughTmux: isThroughTmux) }

    /// False while every slot of shared memory waits for the terminal's answer.
    public mutating func isReady(at now: HostTime) -> Bool {
        update(at: now)
        return isReady
    }
}
