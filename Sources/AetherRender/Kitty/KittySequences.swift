import AetherCore

/// Writes the commands of kitty's graphics protocol (docs/graphics-protocol.rst), wrapped for tmux where that lies between.
struct KittySequences: Sendable {
    /// Under the text, and under cells with a background of their own (below INT32_MIN / 2): text and menus stay cells. Layers of
    /// one image count up from here.
    static let depth = 1_073_741_830
    /// Bytes of pixels in one chunk: 4096 letters of base64.
    static let chunk = 3072

    let throughTmux: Bool
    let isTransient: Bool

    /// The ESC bytes, which must be doubled inside tmux's DCS.
    private func open(_ buffer: inout ByteBuffer) {
        if throughTmux { buffer.append("\u{1B}Ptmux;\u{1B}\u{1B}_G") } else { buffer.append("\u{1B}_G") }
    }

    private func close(_ buffer: inout ByteBuffer) {
        if throughTmux { buffer.append("\u{1B}\u{1B}\\\u{1B}\\") } else { buffer.append("\u{1B}\\") }
    }

    /// A command without a payload.
    func command(into buffer: inout ByteBuffer, _ control: (inout ByteBuffer) -> Void) {
        open(&buffer)
        control(&buffer)
        close(&buffer)
    }

    /// A command with a payload that fits into one sequence.
    func command(_ payload: UnsafeRawBufferPointer, into buffer: inout ByteBuffer, _ control: (inout ByteBuffer) -> Void) {
        open(&buffer)
        control(&buffer)
        buffer.append(0x3B)
        Base64.append(payload, to: &buffer)
        close(&buffer)
    }

    /// Pixels in chunks. `control` writes the keys of the first one, without `m`; `repeated` are those of all others.
    func transfer(
        _ payload: UnsafeRawBufferPointer, repeating repeated: StaticString, into buffer: inout ByteBuffer,
        _ control: (inout ByteBuffer) -> Void
    ) {
        transfer(payload, from: 0, to: payload.count, repeating: repeated, into: &buffer, control)
    }

    /// A part of a payload in chunks; it begins and ends at multiples of `chunk`, or at the payload's ends.
    func transfer(
        _ payload: UnsafeRawBufferPointer, from start: Int, to end: Int, repeating repeated: StaticString,
        into buffer: inout ByteBuffer, _ control: (inout ByteBuffer) -> Void
    ) {
        var at = start
        while at < end {
            let next = min(end, at + Self.chunk)
            let isLast = next == payload.count
            command(UnsafeRawBufferPointer(rebasing: payload[at..<next]), into: &buffer) { buffer in
                if at == 0 {
                    control(&buffer)
                    if !isLast { buffer.append(",m=1") }
                } else {
                    buffer.append(repeated)
                    buffer.append(isLast ? ",m=0" : ",m=1")
                }
            }
            at = next
        }
    }

    /// Frees an image and all places where it is shown.
    func delete(id: Int, into buffer: inout ByteBuffer) {
        command(into: &buffer) { buffer in
            buffer.append("a=d,d=I,q=2,i=")
            buffer.append(decimal: id)
        }
    }

    /// Ends a transfer that was left half-way. kitty takes the next pixels for its continuation otherwise, and a delete command
    /// alone ends it only in later versions.
    func abort(id: Int?, into buffer: inout ByteBuffer) {
        command(into: &buffer) { $0.append("m=0,q=2") }
        if let id { delete(id: id, into: &buffer) }
    }

    /// The cursor to the image's corner. Not through tmux: the placeholders say where it is.
    func moveCursor(to origin: CellPosition, into buffer: inout ByteBuffer) {
        guard !throughTmux else { return }
        buffer.append("\u{1B}[")
        buffer.append(decimal: origin.row + 1)
        buffer.append(0x3B)
        buffer.append(decimal: origin.column + 1)
        buffer.append(0x48)
    }

    /// `,key=number`.
    static func put(_ key: StaticString, _ value: Int, into buffer: inout ByteBuffer) {
        buffer.append(0x2C)
        buffer.append(key)
        buffer.append(0x3D)
        buffer.append(decimal: value)
    }

    /// The keys that say how an image is shown. `scaling` lets the terminal stretch it over all its cells. `layer` counts from the
    /// lowest under the text; nil is over the text, for an image that has holes where text shall be seen.
    func place(_ placement: PixelPlacement, scaling: Bool, layer: Int?, into buffer: inout ByteBuffer) {
        if throughTmux {
            buffer.append(",U=1")
        } else if layer == nil {
            buffer.append(",C=1")
        } else if let layer {
            buffer.append(",C=1,z=-")
            buffer.append(decimal: Self.depth - layer)
        }
        if scaling || throughTmux {
            let cells = placement.cells
            Self.put("c", cells.columns, into: &buffer)
            Self.put("r", cells.rows, into: &buffer)
        }
        if isTransient { buffer.append(",N=1") }
    }

    // MARK: Images

    /// Errors are answered: they tell of frame edits that a terminal lacks. Through tmux answers may go astray.
    var quiet: StaticString { throughTmux ? "q=2" : "q=1" }
    /// `quiet` for the later chunks of an edit. The frame is named again: kitty up to 0.41 at least takes its number from the last
    /// chunk, and would add a frame that is never seen.
    var quietFrame: StaticString { throughTmux ? "a=f,r=1,q=2" : "a=f,r=1,q=1" }

    /// The keys of a PNG that is sent and shown.
    func show(id: Int, _ placement: PixelPlacement, isScaled: Bool, layer: Int, into buffer: inout ByteBuffer) {
        buffer.append("a=T,f=100,")
        buffer.append(quiet)
        Self.put("i", id, into: &buffer)
        if !throughTmux { Self.put("p", 1, into: &buffer) }
        place(placement, scaling: isScaled, layer: layer, into: &buffer)
    }

    /// The keys of a PNG that is laid over a part of a shown image: its clear pixels leave what is there.
    func edit(id: Int, _ edit: KittyCanvas.Edit, into buffer: inout ByteBuffer) {
        buffer.append("a=f,r=1,f=100,")
        buffer.append(quiet)
        Self.put("i", id, into: &buffer)
        Self.put("x", edit.x, into: &buffer)
        Self.put("y", edit.y, into: &buffer)
        Self.put("s", edit.width, into: &buffer)
        Self.put("v", edit.height, into: &buffer)
        if isTransient { buffer.append(",N=1") }
    }

    /// The keys of RGBA pixels in shared memory that are read, shown and answered for.
    func showShared(id: Int, serial: Int, size: PixelSize, _ placement: PixelPlacement, into buffer: inout ByteBuffer) {
        buffer.append("a=T,f=32,t=s")
        Self.put("i", id, into: &buffer)
        Self.put("p", serial, into: &buffer)
        Self.put("s", size.width, into: &buffer)
        Self.put("v", size.height, into: &buffer)
        Self.put("S", size.width * size.height * 4, into: &buffer)
        place(placement, scaling: size != placement.display, layer: nil, into: &buffer)
    }
}
