public import AetherCore

/// Images by kitty's graphics protocol, under the text: cells with a background of their own lie over the image, blank cells
/// without one let it show. What is covered therefore costs nothing here.
///
/// If the terminal reads our shared memory, each frame is one copy and some 150 bytes; the terminal answers for each, and `isReady` tells
/// whether it keeps up. Such an image lies over the text, clear where text covers it: kitty 0.26 with a software renderer tints the
/// backgrounds of all cells as soon as any image lies under the text. Everything else, also after the first error or a second of silence, goes
/// in-line as PNG.
///
/// Through tmux the image is tied to Unicode placeholders: give the cells of the frame to the terminal first, then these bytes.
/// An image that is scaled covers whole cells. A value of one thread; never blocks.
public struct KittyRenderer: PixelRenderer {
    /// The name on the command line.
    public static let name = "kitty"
    /// The first of `idCount` image ids in use, unless others are asked for. Two programs in one tmux must not have the same.
    public static let firstID = 0x4AE0
    /// The number of ids in use from the first one on.
    public static let idCount = KittyStack.idCount + slotLimit
    private static let slotLimit = 6
    /// The time for an answer before images go in-line: a terminal that is only busy is far quicker.
    public static let patience = TimeSpan.milliseconds(1000)
    /// `patience` in calls of `encode` that had to hold their frame back, for callers without a clock.
    private static let patientFrames = 120

    private let sequences: KittySequences
    private let firstID: Int
    var isThroughTmux: Bool { sequences.throughTmux }
    private let store: (any SharedPixels)?
    private var ring: KittyRing
    private var direct: KittyDirect
    private var placeholders = KittyPlaceholders()
    private var now = HostTime(nanoseconds: 0)
    /// Whether the next frame goes through shared memory.
    public private(set) var isSharing: Bool
    private var sharedID: Int?
    private var heldFrames = 0
    private var last: RasterImage?
    private var lastPlacement: PixelPlacement?
    private var holes = ImageHoles()
    /// Images that were given up while the terminal may still show them, which one of another size would not hide.
    private var leftBehind: [Int] = []

    /// A renderer for a terminal of those traits; `store` makes shared memory objects, nil for none. `firstID` is at most 65000, so
    /// that answers repeat it.
    public init(traits: DisplayTraits.Kitty, store: (any SharedPixels)?, firstID: Int = KittyRenderer.firstID) {
        sequences = KittySequences(throughTmux: traits.throughTmux, isTransient: traits.hasTransient)
        self.firstID = min(max(1, firstID), 65_000)
        self.store = store
        ring = KittyRing(slots: min(store?.slots ?? 0, Self.slotLimit))
        isSharing = traits.hasSharedMemory && (store?.slots ?? 0) >= 3
        direct = KittyDirect(sequences: sequences, firstID: self.firstID, hasEdits: traits.hasFrameEdits)
    }

    /// The bytes that free every image and end every transfer that this renderer may have left behind: for the way out, whatever happened.
    public static func deleteAll(throughTmux: Bool = false, firstID: Int = KittyRenderer.firstID) -> [UInt8] {
        let sequences = KittySequences(throughTmux: throughTmux, isTransient: false)
        var buffer = ByteBuffer(capacity: 1024)
        sequences.command(into: &buffer) { $0.append("m=0,q=2") }
        for id in 0..<idCount { sequences.delete(id: firstID + id, into: &buffer) }
        return buffer.withUnsafeBytes { Array($0) }
    }

    // MARK: Answers

    /// Whether a frame would be sent now: false while the terminal has two frames that it has not answered for. Not a promise; a
    /// call of `encode` at the wrong time sends nothing and does no harm.
    public var isReady: Bool { !isSharing || ring.isReady }

    /// The time at which patience with an unanswered frame ends: call `update` then. nil while nothing is waited for.
    public var deadline: HostTime? { isSharing ? ring.oldest.map { $0 + Self.patience } : nil }

    /// Tells the time, before `isReady` and `encode`. When the terminal has been silent for too long, images go in-line from now on.
    public mutating func update(at time: HostTime) {
        now = time
        if let deadline, time >= deadline { stopSharing() }
    }

    /// Takes in an answer of the terminal. `placement` is 0 where the answer has none.
    public mutating func acknowledge(id: Int, placement: Int, message: String) {
        let index = id - firstID, isOK = message == "OK"
        guard (0..<Self.idCount).contains(index) else { return }
        guard index >= KittyStack.idCount else {
            // Only errors are answered in-line. A frame that cannot be edited is missing or was never understood: send it whole.
            guard !isOK, direct.isShown else { return }
            if direct.hasEdits { direct.hasEdits = false }
            invalidate()
            return
        }
        switch ring.answer(slot: index - KittyStack.idCount, serial: placement, isOK: isOK) {
        case .read: heldFrames = 0
        case .stale: break
        case .refused(let slot):
            store?.abandon(slot: slot)
            stopSharing()
        case .lateRead:
            // Slow, not deaf: what was sent in-line meanwhile is replaced by the next frame.
            isSharing = true
        }
    }

    private mutating func stopSharing() {
        for slot in ring.abandonAll() { store?.abandon(slot: slot) }
        isSharing = false
        heldFrames = 0
        last = nil
    }

    // MARK: Frames

    /// Puts the frame into shared memory and names it, or appends PNG of what changed where memory is not shared.
    public mutating func encode(
        _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats {
        let start = buffer.count
        let isSame = lastPlacement == placement && isLast(image)
        if lastPlacement != placement || last?.size != image.size {
            if lastPlacement != nil { leavePlace(into: &buffer) }
            lastPlacement = placement
        }
        var stats = EncodeStats()
        if !isSharing || !share(image, isSame: isSame, at: placement, coverage, into: &buffer) {
            stats = direct.encode(image, isSame: isSame && sharedID == nil, at: placement, quality: quality, into: &buffer)
            dropShared(into: &buffer)
            if !isSame { last = copy image }
        }
        sweep(into: &buffer)
        if sequences.throughTmux {
            placeholders.cover(placement, id: sharedID ?? direct.shownID, coverage: coverage, into: &buffer)
        }
        stats.byteCount = buffer.count - start
        stats.isNamed = isSharing && stats.byteCount > 0
        return stats
    }

    private func isLast(_ image: borrowing RasterImage) -> Bool {
        guard let last, last.size == image.size else { return false }
        return last.pixels.withUnsafeBufferPointer { a in
            image.pixels.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress, a != b else { return true }
                return PixelRows.isEqual(a, b, count: last.width * last.height)
            }
        }
    }

    /// Sends a frame through shared memory, or holds it back until the terminal has caught up. False when it must go in-line.
    private mutating func share(
        _ image: borrowing RasterImage, isSame: Bool, at placement: PixelPlacement, _ coverage: borrowing CellCoverage,
        into buffer: inout ByteBuffer
    ) -> Bool {
        let isCoveredAlike = holes.update(coverage, at: placement)
        if isSame, isCoveredAlike, sharedID != nil { return true }
        guard let store, let place = ring.take(at: now) else {
            heldFrames += 1
            if heldFrames >= Self.patientFrames { stopSharing() }
            return isSharing
        }
        let written =
            sequences.throughTmux || holes.isEmpty
            ? image.pixels.withUnsafeBytes { store.write($0, slot: place.slot) }
            : holes.punched(image).withUnsafeBytes { store.write($0, slot: place.slot) }
        guard let name = written else {
            stopSharing()
            return false
        }
        // The placeholders carry the id, so through tmux it stays.
        let id = firstID + KittyStack.idCount + (sequences.throughTmux ? 0 : place.slot)
        sequences.moveCursor(to: placement.origin, into: &buffer)
        name.withUnsafeBytes { name in
            sequences.command(name, into: &buffer) { buffer in
                sequences.showShared(id: id, serial: place.serial, size: image.size, placement, into: &buffer)
            }
        }
        if direct.isShown { direct.clear(into: &buffer) }
        if let sharedID, sharedID != id { sequences.delete(id: sharedID, into: &buffer) }
        sharedID = id
        last = copy image
        return true
    }

    private mutating func dropShared(into buffer: inout ByteBuffer) {
        guard let sharedID else { return }
        sequences.delete(id: sharedID, into: &buffer)
        self.sharedID = nil
    }

    /// Takes away what was left behind, once another image is shown.
    private mutating func sweep(into buffer: inout ByteBuffer) {
        guard !leftBehind.isEmpty, sharedID != nil || direct.isShown else { return }
        for id in leftBehind where id != sharedID && !direct.ids.contains(id) { sequences.delete(id: id, into: &buffer) }
        leftBehind.removeAll()
    }

    /// The image moves or has another size: the old one is replaced by the next, but through tmux its cells stay behind.
    private mutating func leavePlace(into buffer: inout ByteBuffer) {
        if sequences.throughTmux { placeholders.erase(into: &buffer) }
        if direct.isShown { direct.move() }
    }

    /// Deletes the images on screen and those that the terminal holds.
    public mutating func clear(into buffer: inout ByteBuffer) {
        dropShared(into: &buffer)
        direct.clear(into: &buffer)
        for id in leftBehind { sequences.delete(id: id, into: &buffer) }
        leftBehind.removeAll()
        if sequences.throughTmux { placeholders.erase(into: &buffer) }
        last = nil
        lastPlacement = nil
    }

    /// Gives up the slots of the ring that wait for an answer, so that the next frame is sent whole. Terminals keep images when their
    /// window gets another size: the next frame takes away what was shown.
    public mutating func invalidate() {
        for slot in ring.abandonAll() { store?.abandon(slot: slot) }
        for id in direct.ids + (sharedID.map { [$0] } ?? []) where !leftBehind.contains(id) { leftBehind.append(id) }
        sharedID = nil
        direct.forget()
        placeholders.forget()
        last = nil
        lastPlacement = nil
    }
}
