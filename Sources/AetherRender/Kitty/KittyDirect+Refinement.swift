import AetherCore

/// A finer image in pieces, for terminals without edits.
extension KittyDirect {
    /// Draws the whole image as finely as the quality asks for, and sends as much of it as fits; it is shown once it is complete.
    mutating func startRefinement(
        _ image: borrowing RasterImage, limit: Int, _ placement: PixelPlacement, _ quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) {
        var finer = canvas
        finer.resize(width: image.width, height: image.height)
        let depth = ChannelDepth(bits: KittyLevel.bits(for: quality)), pixels = image.pixels
        let payload = workspace.use { stream -> [UInt8] in
            _ = finer.drawWhole(pixels, depth: depth, limit: .max, into: &stream)
            return Array(stream.finish(width: finer.width, height: finer.height, hasAlpha: false))
        }
        refinement = Refinement(payload: payload, canvas: finer)
        refine(limit: limit, placement, into: &buffer)
    }

    mutating func refine(limit: Int, _ placement: PixelPlacement, into buffer: inout ByteBuffer) {
        guard var going = refinement else { return }
        let end = min(going.payload.count, going.sent + max(1, limit / KittySequences.chunk) * KittySequences.chunk)
        let id = stack.next, isScaled = PixelSize(width: going.canvas.width, height: going.canvas.height) != placement.display
        sequences.moveCursor(to: placement.origin, into: &buffer)
        going.payload.withUnsafeBytes { payload in
            sequences.transfer(payload, from: going.sent, to: end, repeating: sequences.quiet, into: &buffer) { buffer in
                sequences.show(id: id, placement, isScaled: isScaled, layer: 0, into: &buffer)
            }
        }
        hasTransferred = true
        going.sent = end
        if end < going.payload.count {
            refinement = going
        } else {
            refinement = nil
            canvas = going.canvas
            level = 0
            lastWhole = (going.payload.count, 0)
            replace(into: &buffer)
        }
    }
}
