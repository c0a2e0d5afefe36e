import AetherCore

/// Changed pixels alone, for terminals that edit what they show.
extension KittyDirect {
    /// Sends edits until nothing is left that is worth it, or most of the bytes are spent: flat areas are far cheaper than reckoned.
    /// The canvas has been compared before, and is afterwards.
    mutating func sendEdits(
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

    /// If little moves, or nothing: a finer image over the coarse one, clear at first, which takes some 4 KB. Edits then make it
    /// sharp, the worst errors first.
    mutating func enlarge(
        _ image: borrowing RasterImage, isSame: Bool, spent: Int, _ placement: PixelPlacement, _ limit: Int,
        into buffer: inout ByteBuffer
    ) {
        calm += 1
        guard isSame ? spent == 0 : calm >= 3, !stack.isFull, !sequences.throughTmux else { return }
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

    /// Lays a clear image over what is shown; false when that is more than `limit` bytes. Scaled over the same cells as the coarse
    /// one below, also when its pixels would fit: the two must not be a fraction of a cell apart.
    private mutating func layClear(
        _ size: PixelSize, _ placement: PixelPlacement, _ limit: Int, into buffer: inout ByteBuffer
    ) -> Bool {
        let id = stack.next, layer = stack.count
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
        if isDone { stack.lay(id) }
        return isDone
    }
}
