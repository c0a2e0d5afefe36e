import AetherCore

/// Sends images inside the escape sequences themselves, as PNG: whole ones, or only the pixels that changed where the terminal
/// can edit frames.
struct KittyDirect: Sendable {
    let sequences: KittySequences
    /// Whether pixels can be changed in place; false from the first error on.
    var hasEdits: Bool
    let workspace = PNGWorkspace()
    var canvas = KittyCanvas()
    private var scaler = AreaScaler()
    private var scaled: [UInt32] = []
    var level = 0
    var stack: KittyStack
    /// Bytes of PNG that a changed pixel has cost lately.
    var pixelCost = 2.8
    /// Bytes of the last whole image and its level, for the next choice.
    var lastWhole: (bytes: Int, level: Int)?
    /// Frames in a row that left room for a finer image.
    var calm = 0
    /// Pixels visibly off that the last frame left so; nil right after a finer layer was laid, when nothing was counted yet.
    var backlog: Int? = 0
    private var wantsWhole = false
    var refinement: Refinement?
    private var needsAbort = false
    var hasTransferred = false
    /// The image goes elsewhere or gets another size: it must be sent whole, and replaces the old one.
    private var hasMoved = false

    /// A finer image on its way in pieces, while the image stays the same.
    struct Refinement {
        var payload: [UInt8]
        var sent = 0
        var canvas: KittyCanvas
    }

    init(sequences: KittySequences, firstID: Int, hasEdits: Bool) {
        self.sequences = sequences
        stack = KittyStack(firstID: firstID, hasOneID: sequences.throughTmux)
        self.hasEdits = hasEdits
    }

    /// Whether an image of ours is shown.
    var isShown: Bool { !stack.isEmpty }
    /// The ids of all images of ours that are shown.
    var ids: [Int] { stack.ids }
    /// The id of what is shown on top, or is shown first.
    var shownID: Int { stack.top }
    /// Whether the terminal shows less than it was asked for and the next call can mend that.
    private(set) var isBehind = false

    /// The terminal has forgotten everything.
    mutating func forget() {
        stack.forget()
        needsAbort = hasTransferred
        refinement = nil
        isBehind = false
    }

    /// The image goes elsewhere or gets another size.
    mutating func move() { hasMoved = true }

    /// Bytes of PNG that a budget of sent bytes leaves: four letters for three bytes, and the frame of each chunk.
    private func limit(_ quality: EncodeQuality) -> Int {
        guard let budget = quality.byteBudget else { return .max }
        let perChunk = sequences.throughTmux ? 40 : 20
        return max(100, budget - 200) * 3072 / (4096 + perChunk)
    }

    /// Appends what brings the shown image to `image`. `isSame`: it is the image of the last call.
    mutating func encode(
        _ image: borrowing RasterImage, isSame: Bool, at placement: PixelPlacement, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats {
        var stats = EncodeStats()
        let start = buffer.count
        let limit = limit(quality)
        if needsAbort { abort(into: &buffer) }
        if refinement != nil, isSame, !hasMoved, quality.byteBudget != nil {
            refine(limit: limit, placement, into: &buffer)
        } else {
            if refinement != nil { abort(into: &buffer) }
            if stack.isEmpty || hasMoved {
                sendWhole(image, from: startLevel(limit), placement, quality, limit, into: &buffer)
            } else {
                update(image, isSame: isSame, placement, quality, limit, into: &buffer)
            }
        }
        stats.byteCount = buffer.count - start
        let cells = placement.cells.columns * placement.cells.rows
        if stats.byteCount > 0 { stats.cellsChanged = cells } else { stats.cellsSkipped = cells }
        stats.squaredError = canvas.squaredError(to: image)
        isBehind = stats.squaredError > 0
        return stats
    }

    /// Appends what takes the image away.
    mutating func clear(into buffer: inout ByteBuffer) {
        if refinement != nil || needsAbort { abort(into: &buffer) }
        for id in stack.ids { sequences.delete(id: id, into: &buffer) }
        forget()
        needsAbort = false
    }

    private mutating func abort(into buffer: inout ByteBuffer) {
        sequences.abort(id: sequences.throughTmux ? nil : stack.next, into: &buffer)
        refinement = nil
        needsAbort = false
    }

    // MARK: What to send

    private mutating func update(
        _ image: borrowing RasterImage, isSame: Bool, _ placement: PixelPlacement, _ quality: EncodeQuality, _ limit: Int,
        into buffer: inout ByteBuffer
    ) {
        let scale = KittyLevel.ladder[level].scale
        if limit == .max, scale > 1 {
            sendWhole(image, from: 0, placement, quality, limit, into: &buffer)
            return
        }
        let wanted = wanted(image, scale: scale)
        let least = Self.threshold(quality)
        let changed = canvas.compare(wanted, threshold: least)
        if hasEdits {
            if changed == 0 {
                if scale > 1 { enlarge(image, isSame: isSame, spent: 0, placement, limit, into: &buffer) }
                return
            }
            // A cut, or more motion than fits: the whole image, coarser, rather than a part of it. What was known to be off before,
            // below a finer layer, does not count.
            let off = canvas.count(over: max(least, Self.visible)), known = backlog ?? off
            if !isSame, wantsWhole || off - known > max(pixels(limit), canvas.width * canvas.height / 3) {
                sendWhole(image, from: startLevel(limit), placement, quality, limit, into: &buffer)
                return
            }
            let spent = sendEdits(wanted, isSame: isSame, least: least, quality, limit, into: &buffer)
            if scale > 1, spent.isComplete {
                enlarge(image, isSame: isSame, spent: spent.bytes, placement, limit - spent.bytes, into: &buffer)
                return
            }
            backlog = canvas.count(over: max(least, Self.visible))
            // More than a little is newly off although all bytes were spent: motion is too much for edits at this size.
            wantsWhole = limit < .max && (backlog ?? 0) - known > pixels(limit) / 2
        } else {
            guard changed > 0 || scale > 1 || KittyLevel.bits(for: quality) > KittyLevel.ladder[level].bits else { return }
            if isSame, limit < .max {
                startRefinement(image, limit: limit, placement, quality, into: &buffer)
            } else if changed > 0 {
                sendWhole(image, from: startLevel(limit), placement, quality, limit, into: &buffer)
            }
        }
    }

    /// The number of pixels that are likely to fit.
    func pixels(_ limit: Int) -> Int { Int(min(1e9, 0.9 * Double(max(0, limit)) / pixelCost)) }

    /// Errors over this are seen as smears in a moving image.
    static let visible = 12

    /// Differences up to this are left: by λ, the squared error of three channels against some four bytes a pixel.
    static func threshold(_ quality: EncodeQuality) -> Int {
        min(quality.maximumChannelError, Int((quality.lambda * 4 / 3).squareRoot()))
    }

    private mutating func wanted(_ image: borrowing RasterImage, scale: Int) -> [UInt32] {
        guard scale > 1 else { return image.pixels }
        let size = Self.size(of: image.size, scale: scale)
        scaler.scale(
            image.pixels, width: image.width, height: image.height, into: &scaled, targetWidth: size.width,
            targetHeight: size.height)
        return scaled
    }

    /// The finest level at which a whole image is likely to fit.
    private func startLevel(_ limit: Int) -> Int {
        guard limit < .max, let last = lastWhole else { return 0 }
        return KittyLevel.finest(within: Double(limit) * 0.9 / Double(max(1, last.bytes)), of: last.level, bits: 8)
    }

    // MARK: Whole images

    private mutating func sendWhole(
        _ image: borrowing RasterImage, from first: Int, _ placement: PixelPlacement, _ quality: EncodeQuality, _ limit: Int,
        into buffer: inout ByteBuffer
    ) {
        let bits = KittyLevel.bits(for: quality)
        var next = first
        while true {
            level = next
            let step = KittyLevel.ladder[level]
            let wanted = wanted(image, scale: step.scale)
            let size = Self.size(of: image.size, scale: step.scale)
            canvas.resize(width: size.width, height: size.height)
            let isLast = level == KittyLevel.ladder.count - 1
            if let grown = show(
                wanted, bits: min(bits, step.bits), limit: isLast ? .max : limit, image.size, placement, into: &buffer)
            {
                next = KittyLevel.finest(within: Double(limit) * 0.9 / grown, of: level, bits: bits, from: level + 1)
            } else {
                break
            }
        }
        calm = 0
        backlog = 0
        wantsWhole = false
    }

    /// Draws the canvas anew and shows it in place of what was shown. Returns nil, or how many bytes it would have come to.
    private mutating func show(
        _ wanted: [UInt32], bits: Int, limit: Int, _ image: PixelSize, _ placement: PixelPlacement, into buffer: inout ByteBuffer
    ) -> Double? {
        let id = stack.next, isScaled = PixelSize(width: canvas.width, height: canvas.height) != placement.display
        let outcome = workspace.use { stream -> (grown: Double?, bytes: Int) in
            let drawn = canvas.drawWhole(wanted, depth: ChannelDepth(bits: bits), limit: limit, into: &stream)
            guard drawn.isDone else { return (Double(stream.byteCount) / drawn.share, 0) }
            let file = stream.finish(width: canvas.width, height: canvas.height, hasAlpha: false)
            guard file.count <= limit else { return (Double(file.count), 0) }
            sequences.moveCursor(to: placement.origin, into: &buffer)
            sequences.transfer(file, repeating: sequences.quiet, into: &buffer) { buffer in
                sequences.show(id: id, placement, isScaled: isScaled, layer: 0, into: &buffer)
            }
            return (nil, file.count)
        }
        if let grown = outcome.grown { return grown }
        lastWhole = (outcome.bytes, level)
        replace(into: &buffer)
        return nil
    }

    mutating func replace(into buffer: inout ByteBuffer) {
        stack.replaceAll { sequences.delete(id: $0, into: &buffer) }
        hasMoved = false
        hasTransferred = true
    }

    static func size(of image: PixelSize, scale: Int) -> PixelSize {
        PixelSize(width: (image.width + scale - 1) / scale, height: (image.height + scale - 1) / scale)
    }
}
