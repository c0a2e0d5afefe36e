import AetherCore

/// Sends pictures inside the escape sequences themselves, as PNG: whole ones, or only the pixels that changed where the terminal
/// can edit frames.
struct KittyDirect: Sendable {
    let sequences: KittySequences
    private let firstID: Int
    /// Whether pixels can be changed in place; false from the first error on.
    var hasEdits: Bool
    let workspace = PNGWorkspace()
    var canvas = KittyCanvas()
    private var scaler = AreaScaler()
    private var scaled: [UInt32] = []
    var level = 0
    /// What is shown, lowest first: a whole picture, and finer ones over it that are clear where nothing has been sent yet.
    private var stack: [Int] = []
    /// Bytes of PNG that a changed pixel has cost lately.
    private var pixelCost = 2.8
    /// Bytes of the last whole picture and its level, for the next choice.
    var lastWhole: (bytes: Int, level: Int)?
    /// Frames in a row that left room for a finer picture.
    private var calm = 0
    /// Pixels visibly off that the last frame left so; nil right after a finer layer was laid, when nobody has counted yet.
    private var backlog: Int? = 0
    private var wantsWhole = false
    var refinement: Refinement?
    private var needsAbort = false
    var hasTransferred = false
    /// The picture goes elsewhere or gets another size: it must be sent whole, and replaces the old one.
    private var hasMoved = false

    /// A finer picture on its way in pieces, while the image stays the same.
    struct Refinement {
        var payload: [UInt8]
        var sent = 0
        var canvas: KittyCanvas
    }

    init(sequences: KittySequences, firstID: Int, hasEdits: Bool) {
        self.sequences = sequences
        self.firstID = firstID
        self.hasEdits = hasEdits
    }

    /// Whether a picture of ours is shown.
    var isShown: Bool { !stack.isEmpty }
    /// The id of what is shown on top, or is shown first.
    var shownID: Int { stack.last ?? firstID }
    /// How many ids are in use: a stack of three, and the picture that will replace it.
    static let idCount = 4
    /// Whether the terminal shows less than it was asked for and the next call can mend that.
    private(set) var isBehind = false

    /// The terminal has forgotten everything.
    mutating func forget() {
        stack.removeAll(keepingCapacity: true)
        needsAbort = hasTransferred
        refinement = nil
        isBehind = false
    }

    /// The picture goes elsewhere or gets another size.
    mutating func move() { hasMoved = true }

    /// Bytes of PNG that a budget of sent bytes leaves: four letters for three bytes, and the frame of each chunk.
    private func limit(_ quality: EncodeQuality) -> Int {
        guard let budget = quality.byteBudget else { return .max }
        let perChunk = sequences.throughTmux ? 40 : 20
        return max(100, budget - 200) * 3072 / (4096 + perChunk)
    }

    /// Appends what brings the shown picture to `image`. `isSame`: it is the image of the last call.
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

    /// Appends what takes the picture away.
    mutating func clear(into buffer: inout ByteBuffer) {
        if refinement != nil || needsAbort { abort(into: &buffer) }
        for id in stack { sequences.delete(id: id, into: &buffer) }
        forget()
        needsAbort = false
    }

    private mutating func abort(into buffer: inout ByteBuffer) {
        sequences.abort(id: sequences.throughTmux ? nil : nextID, into: &buffer)
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
            // A cut, or more motion than fits: the whole picture, coarser, rather than a part of it. What was known to be off before,
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

    /// How many pixels are likely to fit.
    private func pixels(_ limit: Int) -> Int { Int(min(1e9, 0.9 * Double(max(0, limit)) / pixelCost)) }

    /// Sends edits until nothing is left that is worth it, or most of the bytes are spent: flat areas are far cheaper than reckoned.
    /// The canvas has been compared before, and is afterwards.
    private mutating func sendEdits(
        _ wanted: [UInt32], isSame: Bool, least: Int, _ quality: EncodeQuality, _ limit: Int, into buffer: inout ByteBuffer
    ) -> (bytes: Int, isComplete: Bool) {
        var bytes = 0
        for _ in 0..<4 {
            let left = limit == .max ? .max : limit - bytes
            let pixels = pixels(left), off = canvas.count(over: max(least, Self.visible))
            // The worst errors first, unless that would take very long in single pixels.
            let isSteady = limit == .max || isSame && (off == 0 || off > 2 * pixels)
            let bound = isSteady ? EditBound(level: least, isSteady: true) : canvas.threshold(from: least, allowing: pixels)
            let spent = sendEdit(wanted, over: bound, quality, left, into: &buffer)
            bytes += spent.bytes
            if limit == .max { return (bytes, true) }
            // 150 bytes of PNG are the keys of the sequences around each.
            bytes += 150
            let changed = canvas.compare(wanted, threshold: least)
            if changed == 0 || spent.count == 0 { return (bytes, changed == 0 || bound.level == least) }
            if bytes > limit / 2 { break }
        }
        return (bytes, false)
    }

    /// Errors over this are seen as smears in a moving picture.
    private static let visible = 12

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

    /// The finest level at which a whole picture is likely to fit.
    private func startLevel(_ limit: Int) -> Int {
        guard limit < .max, let last = lastWhole else { return 0 }
        return KittyLevel.finest(within: Double(limit) * 0.9 / Double(max(1, last.bytes)), of: last.level, bits: 8)
    }

    // MARK: Whole pictures

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
        let id = nextID, isScaled = PixelSize(width: canvas.width, height: canvas.height) != placement.display
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

    /// The id of the next picture: not one that is shown, so that the old picture stays until the new one is complete. Through tmux it
    /// is always the same, because the placeholders carry it.
    var nextID: Int {
        if sequences.throughTmux { return firstID }
        return (firstID..<firstID + Self.idCount).first { !stack.contains($0) } ?? firstID
    }

    mutating func replace(into buffer: inout ByteBuffer) {
        let id = nextID
        for old in stack where old != id { sequences.delete(id: old, into: &buffer) }
        stack.removeAll(keepingCapacity: true)
        stack.append(id)
        hasMoved = false
        hasTransferred = true
    }

    // MARK: Changes

    /// Sends the pixels that are further off than a threshold. Returns their number and the bytes of the file.
    private mutating func sendEdit(
        _ wanted: [UInt32], over bound: EditBound, _ quality: EncodeQuality, _ limit: Int, into buffer: inout ByteBuffer
    ) -> (count: Int, bytes: Int) {
        let id = shownID, depth = ChannelDepth(bits: KittyLevel.bits(for: quality))
        let (count, bytes) = workspace.use { stream -> (Int, Int) in
            let edit = canvas.drawEdit(wanted, over: bound, depth: depth, limit: limit, into: &stream)
            guard edit.count > 0 else { return (0, 0) }
            let file = stream.finish(width: edit.width, height: edit.height, hasAlpha: true)
            sequences.transfer(file, repeating: sequences.quietFrame, into: &buffer) { buffer in
                sequences.edit(id: id, edit, into: &buffer)
            }
            return (edit.count, file.count)
        }
        guard count > 0 else { return (0, 0) }
        hasTransferred = true
        sequences.command(into: &buffer) { buffer in
            buffer.append("a=a,q=2,c=1")
            KittySequences.put("i", id, into: &buffer)
        }
        // Few pixels say little about the cost of many, and flat ones nothing about others.
        if count > 500 { pixelCost = min(8, max(2.5, pixelCost * 0.5 + 0.5 * Double(bytes) / Double(count))) }
        return (count, bytes)
    }

    /// Where little moves, or nothing: a finer picture over the coarse one, clear at first, which takes some 4 KB. Edits then make it
    /// sharp, the worst errors first.
    private mutating func enlarge(
        _ image: borrowing RasterImage, isSame: Bool, spent: Int, _ placement: PixelPlacement, _ limit: Int,
        into buffer: inout ByteBuffer
    ) {
        calm += 1
        guard isSame ? spent == 0 : calm >= 3, stack.count < Self.idCount - 1, !sequences.throughTmux else { return }
        let scale = KittyLevel.ladder[level].scale
        for index in KittyLevel.ladder.indices where KittyLevel.ladder[index].scale < scale {
            let step = KittyLevel.ladder[index]
            let growth = scale * scale / (step.scale * step.scale)
            if index > 0 && KittyLevel.ladder[index - 1].scale == step.scale || !isSame && spent * growth > limit / 2 { continue }
            let size = Self.size(of: image.size, scale: step.scale)
            guard layClear(size, placement, limit, into: &buffer) else { continue }
            canvas.enlarge(width: size.width, height: size.height)
            level = index
            calm = 0
            backlog = nil
            return
        }
        if !isSame { calm = -20 }
    }

    /// Lays a clear picture over what is shown; false when that is more than `limit` bytes. Scaled over the same cells as the coarse
    /// one below, also when its pixels would fit: the two must not be a fraction of a cell apart.
    private mutating func layClear(
        _ size: PixelSize, _ placement: PixelPlacement, _ limit: Int, into buffer: inout ByteBuffer
    ) -> Bool {
        let id = nextID, layer = stack.count
        let isDone = workspace.use { stream -> Bool in
            stream.begin(width: size.width, search: .runs)
            for _ in 0..<size.height { stream.appendClear(width: size.width) }
            let file = stream.finish(width: size.width, height: size.height, hasAlpha: true)
            guard file.count <= limit else { return false }
            sequences.moveCursor(to: placement.origin, into: &buffer)
            sequences.transfer(file, repeating: sequences.quiet, into: &buffer) { buffer in
                sequences.show(id: id, placement, isScaled: true, layer: layer, into: &buffer)
            }
            return true
        }
        if isDone { stack.append(id) }
        return isDone
    }

    private static func size(of image: PixelSize, scale: Int) -> PixelSize {
        PixelSize(width: (image.width + scale - 1) / scale, height: (image.height + scale - 1) / scale)
    }
}
