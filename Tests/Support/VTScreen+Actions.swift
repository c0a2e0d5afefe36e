import AetherCore

extension VTScreen {
    mutating func perform(_ action: VTParser.Action) {
        switch action {
        case .print(let scalar): print(scalar)
        case .control(let byte): control(byte)
        case .escape(let text): escape(text)
        case .string(let text):
            if kitty != nil, text.hasPrefix("_G") {
                kitty?.take(text.dropFirst(2).utf8, column: column, row: row)
            } else if inline != nil, text.hasPrefix("]1337;File=") {
                show(text.dropFirst(11))
            } else if !sixel(text) {
                strings.append(text)
            }
        case .malformed(let text): unknown.append(text)
        case .csi(let mark, let parameters, let intermediates, let final, let raw):
            if !sequence(mark, parameters, intermediates, final) {
                unknown.append("CSI " + String(decoding: raw + [final], as: UTF8.self))
            }
        }
    }

    // MARK: Glyphs

    /// Columns of a scalar; a plain list of blocks, enough for tests.
    static func width(of scalar: UInt32) -> Int {
        switch scalar {
        case 0x300...0x36F, 0x591...0x5BD, 0x64B...0x65F, 0xE31, 0xE34...0xE3A, 0xE47...0xE4E, 0x200B...0x200F, 0x20D0...0x20FF,
            0xFE00...0xFE0F:
            0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6C5, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }

    private mutating func print(_ scalar: UInt32) {
        if let number = placeholderMarks[scalar] {
            let last = row * size.columns + (wrapPending ? column : column - 1)
            if column > 0, cells[last].scalar == VTKitty.placeholder { marks[last, default: []].append(number) }
            return
        }
        let width = Self.width(of: scalar)
        if width == 0 {
            unknown.append("zero-width scalar \(scalar)")
            return
        }
        if wrapPending && isOn(7) || column + width > size.columns {
            guard isOn(7) else {
                unknown.append("wide character cut by the edge")
                return
            }
            wraps += 1
            column = 0
            lineFeed()
        }
        wrapPending = false
        erase(column, row)
        if width == 2 { erase(column + 1, row) }
        if !marks.isEmpty { marks[row * size.columns + column] = nil }
        inline?.plane.erase(column: column, row: row)
        var glyph = pen
        glyph.scalar = scalar
        cells[row * size.columns + column] = glyph
        if width == 2 {
            glyph.scalar = 0
            cells[row * size.columns + column + 1] = glyph
        }
        column += width
        if column >= size.columns {
            column = size.columns - 1
            wrapPending = true
        }
    }

    /// Blanks a cell that is about to be written, and its other half where it is half of a wide character.
    private mutating func erase(_ column: Int, _ row: Int) {
        let index = row * size.columns + column
        if cells[index].scalar == 0, column > 0 { cells[index - 1].scalar = 0x20 }
        if column + 1 < size.columns, cells[index + 1].scalar == 0 { cells[index + 1].scalar = 0x20 }
        cells[index].scalar = 0x20
        plane.erase(column: column, row: row)
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x0D: move(0, row)
        case 0x0A: lineFeed()
        case 0x08: move(column - 1, row)
        case 0x07: strings.append("BEL")
        default: unknown.append("control \(byte)")
        }
    }

    private mutating func lineFeed() {
        wrapPending = false
        if row + 1 < size.rows {
            row += 1
        } else {
            scrollUp()
        }
    }

    /// The top line leaves.
    mutating func scrollUp() {
        scrolled += 1
        cells.removeFirst(size.columns)
        cells += [Glyph](repeating: Glyph(), count: size.columns)
        plane.scroll(rows: 1)
    }

    private mutating func move(_ column: Int, _ row: Int) {
        self.column = min(max(0, column), size.columns - 1)
        self.row = min(max(0, row), size.rows - 1)
        wrapPending = false
    }

    // MARK: Sequences

    private mutating func escape(_ text: String) {
        switch text {
        case "7": savedCursor = (column, row, pen)
        case "8":
            if let savedCursor {
                move(savedCursor.column, savedCursor.row)
                pen = savedCursor.pen
            }
        case "\\", "=", ">", "(B", "(0", "c":
            if text == "c" { self = VTScreen(columns: size.columns, rows: size.rows, cell: plane.cell) }
        default: unknown.append("ESC " + text)
        }
    }

    /// Whether the sequence is one that is known.
    private mutating func sequence(_ mark: UInt8, _ parameters: [[Int?]], _ intermediates: String, _ final: UInt8) -> Bool {
        func number(_ index: Int, _ otherwise: Int) -> Int {
            guard index < parameters.count, let value = parameters[index].first ?? nil else { return otherwise }
            return value
        }
        let count = max(1, number(0, 1))
        switch (mark, intermediates, Character(Unicode.Scalar(final))) {
        case (0, "", "A"): move(column, row - count)
        case (0, "", "B"): move(column, row + count)
        case (0, "", "C"): move(column + count, row)
        case (0, "", "D"): move(column - count, row)
        case (0, "", "G"): move(count - 1, row)
        case (0, "", "d"): move(column, count - 1)
        case (0, "", "H"), (0, "", "f"): move(max(1, number(1, 1)) - 1, count - 1)
        case (0, "", "J"): return clear(screen: number(0, 0))
        case (0, "", "K"): return clear(line: number(0, 0))
        case (0, "", "m"): return sgr(parameters)
        case (0, "", "s"): savedCursor = (column, row, pen)
        case (0, "", "u"): if let savedCursor { move(savedCursor.column, savedCursor.row) }
        case (0x3F, "", "h"), (0x3F, "", "l"):
            for parameter in parameters { set(mode: parameter.first.flatMap { $0 } ?? 0, final == 0x68) }
        // Queries and settings that paint nothing: status, attributes, size reports, keyboard modes, mode requests, cursor shape.
        case (_, "", "n"), (_, "", "c"), (0, "", "t"), (0x3E, "", "m"), (0x3E, "", "q"), (0x3F, "$", "p"), (0, " ", "q"),
            (0x3E, "", "u"), (0x3C, "", "u"), (0x3F, "", "u"), (0x3D, "", "u"), (0x3F, "", "S"):
            break
        default: return false
        }
        return true
    }

    private mutating func set(mode: Int, _ on: Bool) {
        let wasOn = isOn(mode)
        modes[mode] = on
        guard mode == 1049 || mode == 1047 || mode == 47, wasOn != on else { return }
        if on {
            saved = (cells, column, row, plane)
            plane.removeAll()
            cells = [Glyph](repeating: Glyph(), count: cells.count)
        } else if let saved {
            cells = saved.cells
            plane = saved.plane
            if mode == 1049 { move(saved.column, saved.row) }
        }
    }

    private mutating func clear(screen part: Int) -> Bool {
        let here = row * size.columns + column
        switch part {
        case 0: blank(here..<cells.count)
        case 1: blank(0..<here + 1)
        case 2, 3: blank(0..<cells.count)
        default: return false
        }
        return true
    }

    private mutating func clear(line part: Int) -> Bool {
        let start = row * size.columns
        switch part {
        case 0: blank(start + column..<start + size.columns)
        case 1: blank(start..<start + column + 1)
        case 2: blank(start..<start + size.columns)
        default: return false
        }
        return true
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range {
            cells[index] = Glyph(background: pen.background)
            plane.erase(column: index % size.columns, row: index / size.columns)
        }
    }

    // MARK: SGR

    private mutating func sgr(_ parameters: [[Int?]]) -> Bool {
        if parameters.isEmpty { pen = Glyph() }
        var rest = parameters[...]
        while let parameter = rest.popFirst() {
            switch parameter.first.flatMap({ $0 }) ?? 0 {
            case 0: pen = Glyph()
            case 1: pen.style.insert(.bold)
            case 2: pen.style.insert(.dim)
            case 3: pen.style.insert(.italic)
            case 4: pen.style.insert(.underline)
            case 7: pen.style.insert(.reverse)
            case 22: pen.style.subtract([.bold, .dim])
            case 23: pen.style.remove(.italic)
            case 24: pen.style.remove(.underline)
            case 27: pen.style.remove(.reverse)
            case let code where (30...37).contains(code): pen.foreground = .indexed(UInt8(code - 30))
            case let code where (90...97).contains(code): pen.foreground = .indexed(UInt8(code - 82))
            case let code where (40...47).contains(code): pen.background = .indexed(UInt8(code - 40))
            case let code where (100...107).contains(code): pen.background = .indexed(UInt8(code - 92))
            case 39: pen.foreground = .terminalDefault
            case 49: pen.background = .terminalDefault
            case 38:
                guard let colour = extended(parameter, &rest) else { return false }
                pen.foreground = colour
            case 48:
                guard let colour = extended(parameter, &rest) else { return false }
                pen.background = colour
            default: return false
            }
        }
        return true
    }

    /// 38 or 48 with its numbers, behind colons (with or without the colour space) or in the parameters that follow.
    private func extended(_ parameter: [Int?], _ rest: inout ArraySlice<[Int?]>) -> CellColor? {
        var values = parameter.dropFirst().map { $0 ?? 0 }
        if values.isEmpty {
            guard let kind = rest.first?.first.flatMap({ $0 }) else { return nil }
            let count = kind == 2 ? 4 : 2
            values = rest.prefix(count).map { $0.first.flatMap { $0 } ?? 0 }
            rest = rest.dropFirst(count)
        } else if values.first == 2, values.count >= 5 {
            values.remove(at: 1)
        }
        guard values.dropFirst().allSatisfy({ (0...255).contains($0) }) else { return nil }
        if values.first == 5, values.count >= 2 { return .indexed(UInt8(values[1])) }
        if values.first == 2, values.count >= 4 { return .rgb(UInt8(values[1]), UInt8(values[2]), UInt8(values[3])) }
        return nil
    }
}
