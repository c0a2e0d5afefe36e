public import AetherCore

/// Shows frames as sixel (DEC STD 070, section 9): one palette a scene, and only the pixels that changed, painted over the frame
/// that the terminal has (P2 = 1). That frame is held as a plane of colour registers ("pens"). A cut, or a frame that they do not
/// fit, brings new registers and a whole frame.
public struct SixelRenderer: PixelRenderer {
    /// The name on the command line.
    public static let name = "sixel"
    /// λ of moving video within its budget: more than 32 dB, and 42 dB from a distance.
    public static let cruise = 100.0
    /// 56 KB at 1280×720: a small part in motion at the cruising λ; at that of still frames it would cost half again as much.
    public static let busyShare = 32
    /// A test pattern with a part in motion: 55 instead of 86 KB at 1280×720, 33 dB and 43.7 from a distance.
    public static let localFactor = 2.0

    private let registers: Int
    private let limit: PixelSize?
    private let isTmux: Bool
    private var histogram = SceneHistogram()
    private var choice = PenChoice()
    private var palette = SixelPalette()
    private var nearest = NearestPens()
    private var plane = PenPlane()
    private var stream = SixelStream()
    private var updates = UpdateChoice()
    private var turns = BandTurns()
    private var coarse = CoarseImage()
    private var tiling = SixelTiling()
    private var scaler = RowScaler()
    private var placement: PixelPlacement?
    private var hasText = false
    /// The wanted bytes of the last frames as a multiple of the budget; 1 where they fitted.
    private var strain: Float = 1
    private var lastDemand: Float = 0
    /// Squared error of the first image with these pens, and frames since they were last chosen or mended.
    private var expectedError: Float?
    private var age = 0
    /// Whether the budget has left updates over.
    private var isCatchingUp = false
    /// Pixels between the first and the last change of each row, the bytes that each of them took in the last frame, and whether that says
    /// that the budget is no question: to count what every update costs takes a third of the time of choosing.
    private var changedPixels = 0
    private var bytesPerPixel: Float = 0
    private var fitsSurely = false
    /// Every pixel of noise painted exactly is 0.7 bytes.
    private static let leastPerPixel: Float = 0.75

    /// Of the last 20 images of a pane, which tmux keeps and paints again when it redraws.
    private static let tmuxImages = 15
    /// Pens given away at a time; frames between two times; squared error per pixel of a row that asks for it.
    private static let mended = 32, patience = 12
    private static let astray: Float = 1500
    /// With fewer pens most of them would be given away at a time, those for most of the image as well: all are chosen anew.
    private static let fewPens = 128
    /// Beyond this nothing gets any coarser.
    private static let mostStrain: Float = 1024
    /// Beyond this, blocks of one colour make a better first image than the part of a fine one that fits.
    private static let mostStrainOfAScene: Float = 4
    private static let sampled = 8

    /// xterm 379 goes one line further when the band after the last one would touch the bottom of the screen (seen with cells of 13
    /// pixels: an end 12 pixels above the bottom stays, 6 pixels above scrolls).
    private static let reserved = 7

    /// A renderer for 2…255 colour registers and images up to `limit`. `reservesBottom` leaves the last 7 to 12 rows of pixels free, for
    /// terminals that would scroll, as xterm does unless its sixel display mode (80) is set.
    public init(registers: Int, limit: PixelSize?, isTmux: Bool, reservesBottom: Bool = true) {
        tiling.reserve = reservesBottom ? Self.reserved : 0
        self.registers = min(max(2, registers), 255)
        self.limit = limit
        self.isTmux = isTmux
    }

    /// The rows that are left free, and those of a band of six that would cross into them.
    public var unreachedRows: Int { tiling.reserve + 5 }

    /// Appends sixels for the bands that differ from the plane, those with the largest gain a byte first.
    public mutating func encode(
        _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats {
        var stats = EncodeStats()
        let start = buffer.count
        tiling.plan(placement, coverage: coverage, limit: limit)
        if placement != self.placement {
            plane.forget()
            self.placement = placement
        }
        plane.resize(width: tiling.visible.width, height: tiling.visible.height)
        if tiling.visible.width == 0 || tiling.visible.height == 0 { return stats }
        hasText = plane.forgetText(placement, coverage)
        if isTmux && stream.sequences >= Self.tmuxImages && !isCatchingUp { invalidate() }
        stream.beginFrame(width: plane.width, cells: placement.cells)
        turns.advance(quality)
        let isCut = choosePens(image)
        var end = quality.byteBudget.map { start + $0 } ?? .max
        var error: Float = 0
        // A budget is filled in up to three rounds, for the estimate of what an image costs can be far too high.
        for round in 0..<3 {
            let before = buffer.count
            error = choose(image, placement, coverage, quality, room: end - before, isCut: isCut, isFirst: round == 0)
            stream.begin(pens: palette.count, end: end)
            for tile in tiling.tiles where !stream.isFull {
                stream.write(tile, strip: tiling.strip, cell: placement.cell, plane: &plane, palette: palette, into: &buffer)
            }
            if quality.byteBudget == nil { break }
            if !fitsSurely { updates.learn(stream.isFull ? nil : buffer.count - before) }
            if !isCatchingUp || stream.isFull || end - buffer.count < (end - start) / 3 { break }
            end = max(end, buffer.count)
        }
        stats.byteCount = buffer.count - start
        bytesPerPixel = Float(stats.byteCount) / Float(max(4096, changedPixels))
        if stream.isFull && stats.byteCount == 0 { strain = min(Self.mostStrain, strain * 2) }
        stats.squaredError = Int(error)
        stats.cellsChanged = stream.paintedCells
        stats.cellsSkipped = placement.cells.columns * placement.cells.rows - stream.paintedCells
        return stats
    }

    /// Sends nothing: text that is drawn over sixels wipes them away.
    public mutating func clear(into buffer: inout ByteBuffer) { invalidate() }

    /// Forgets the plane of colour registers, so that the next frame is sent whole.
    public mutating func invalidate() {
        plane.forget()
        stream.sequences = 0
    }

    /// Keeps the pens, or takes new ones where the image has other colours, and then returns true.
    private mutating func choosePens(_ image: borrowing RasterImage) -> Bool {
        age += 1
        let distance = histogram.distance(of: image)
        if palette.count > 0 && distance < SceneHistogram.cut { return false }
        histogram.adopt(image)
        takePens()
        return true
    }

    /// The pens for the colours that were counted. All of the image is painted anew.
    private mutating func takePens() {
        palette.set(choice.choose(registers, from: histogram.bins))
        nearest.removeAll()
        stream.forgetPens()
        plane.forget()
        (age, expectedError) = (0, nil)
    }

    /// Gives the registers that are shown least to colours that came after they were chosen. Returns whether there were any.
    private mutating func mendPens(_ image: borrowing RasterImage) -> Bool {
        age = 0
        histogram.adopt(image)
        if registers < Self.fewPens {
            takePens()
            return true
        }
        let missing = choice.choose(Self.mended, from: histogram.bins, farFrom: palette)
        if missing.isEmpty { return false }
        let replaced = palette.replace(with: missing, usage: plane.usage(), limit: registers)
        plane.forget(pens: replaced)
        nearest.removeAll()
        return true
    }

    /// Chooses the pens of all pixels, and within a budget of `room` bytes those that are to be updated now. Returns the squared
    /// error that is left.
    private mutating func choose(
        _ image: borrowing RasterImage, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage, _ quality: EncodeQuality,
        room: Int, isCut: Bool, isFirst: Bool
    ) -> Float {
        scaler.prepare(from: image.size, to: placement.display, width: plane.width)
        isCatchingUp = false
        if quality.byteBudget == nil { strain = 1 }
        if quality.byteBudget != nil && isCut && isFirst && mustBeCoarse(image, quality, room: room) {
            isCatchingUp = true
            return chooseCoarsely(image, placement, coverage, room: room)
        }
        let rule = PenRule(quality, strain: strain)
        var error = choose(image, placement, coverage, rule)
        if strain == 1 && isFirst && isAstray(error) && mendPens(image) { error = choose(image, placement, coverage, rule) }
        if quality.byteBudget == nil { return error }
        if isFirst {
            changedPixels = plane.reach
            let most = Float(changedPixels) * max(Self.leastPerPixel, 2 * bytesPerPixel)
            fitsSurely = !isCut && strain == 1 && most < 0.9 * Float(room)
        }
        if fitsSurely {
            lastDemand = 0
            return error
        }
        var demand = Float(measure(image)) / Float(room)
        if isFirst {
            let old = strain
            if !isCut { adapt(to: demand) }
            // An image that has come to rest: on to the finer one.
            if demand < 0.3 && strain < old {
                error = choose(image, placement, coverage, PenRule(quality, strain: strain))
                demand = Float(measure(image)) / Float(room)
            }
            lastDemand = demand
        }
        if demand <= 0.9 { return error }
        isCatchingUp = true
        return error + updates.select(room * 9 / 10, &plane)
    }

    /// Finds the strain for the first image of a scene, by every eighth band: whole images take 25 ms each. True where even that
    /// would not make it whole.
    private mutating func mustBeCoarse(_ image: borrowing RasterImage, _ quality: EncodeQuality, room: Int) -> Bool {
        strain = 1
        for _ in 0..<4 {
            let rule = PenRule(quality, strain: strain)
            image.pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                for y in stride(from: 0, to: plane.height, by: PenRows.most) where y / 6 % Self.sampled == Self.sampled / 2 {
                    let rows = y..<min(plane.height, y + PenRows.most)
                    scaler.withRows(rows, of: base) {
                        _ = plane.choose(rows: rows, sources: $0, rule: rule, palette: palette, nearest: &nearest)
                    }
                    for y in rows { plane.compare(row: y) }
                }
            }
            lastDemand = Float(measure(image, stride: Self.sampled)) / Float(room)
            if lastDemand <= 1.2 { return false }
            strain *= lastDemand.squareRoot() * lastDemand.squareRoot().squareRoot()
            if strain > Self.mostStrainOfAScene { return true }
        }
        return false
    }

    /// Wants a coarse image. Returns the squared error that it leaves.
    private mutating func chooseCoarsely(
        _ image: borrowing RasterImage, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage, room: Int
    ) -> Float {
        var error: Float = 0
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            coarse.choose(&plane, palette: palette, bytes: room * 9 / 10) { scaler.withRow($0, of: base, $1) }
            for y in 0..<plane.height {
                scaler.withRow(y, of: base) { error += plane.error(row: y, source: $0, shades: palette.shades) }
                if hasText { plane.leaveText(row: y, placement, coverage) }
                plane.compare(row: y)
            }
        }
        return error
    }

    /// Whether the image has left its pens: much more error than when they were chosen, in a place or on the whole.
    private mutating func isAstray(_ error: Float) -> Bool {
        guard let expected = expectedError else {
            expectedError = error
            return false
        }
        let pixels = Float(plane.width * plane.height)
        // Twelve frames between two attempts: new pens cost up to a whole image.
        // A row that is far off is no sign where there are few pens: one will always be.
        let isRowAstray = registers >= Self.fewPens && plane.worstRow > Self.astray * Float(plane.width)
        return age >= Self.patience && (error > 1.15 * expected + 8 * pixels || isRowAstray)
    }

    /// Follows the demand for bytes, a multiple of the budget. Bytes fall with about the 1.4th root of the strain. A demand that
    /// falls by what was sent is an image that stands still: it needs time, not strain.
    private mutating func adapt(to demand: Float) {
        if demand > 1.2 {
            strain = min(Self.mostStrain, strain * (demand > lastDemand - 0.4 ? 1.4 : 1))
        } else if demand < 0.7 {
            strain *= max(0.25, demand)
        }
        if strain < 1.1 { strain = 1 }
    }

    private mutating func measure(_ image: borrowing RasterImage, stride: Int = 1) -> Int {
        image.pixels.withUnsafeBufferPointer { pixels -> Int in
            guard let base = pixels.baseAddress else { return 0 }
            return updates.measure(plane, shades: palette.shades, stride: stride) { scaler.withRow($0, of: base, $1) }
        }
    }

    private mutating func choose(
        _ image: borrowing RasterImage, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage, _ rule: PenRule
    ) -> Float {
        var error: Float = 0
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in stride(from: 0, to: plane.height, by: PenRows.most) {
                let rows = y..<min(plane.height, y + PenRows.most)
                let rule = turns.isDue(row: y) ? PenRule(.exact, strain: strain) : rule
                scaler.withRows(rows, of: base) {
                    error += plane.choose(rows: rows, sources: $0, rule: rule, palette: palette, nearest: &nearest)
                }
                for y in rows {
                    if hasText { plane.leaveText(row: y, placement, coverage) }
                    plane.compare(row: y)
                }
            }
        }
        return error
    }
}
