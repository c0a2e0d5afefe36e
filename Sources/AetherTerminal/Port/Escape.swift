import AetherCore

/// Every escape sequence this program says to a terminal, by name. Nothing else writes an ESC byte, except the bodies of
/// the image encoders.
public enum Escape {
    /// The byte that starts a sequence.
    public static let escapeByte: UInt8 = 0x1B

    private static func csi(_ body: String) -> [UInt8] { Array("\u{1B}[\(body)".utf8) }

    // MARK: Parser state

    /// CAN, then ST: whatever sequence or string the terminal was reading, it is in its ground state afterwards, and a
    /// terminal that was there already shows nothing. (kitty's APC ends at ST only, CSI at CAN only.)
    public static let cancel: [UInt8] = [0x18, 0x1B, 0x5C]
    /// CAN: aborts a control sequence that is under way.
    public static let abortSequence: [UInt8] = [0x18]
    /// ST: ends a DCS, OSC, APC, PM or SOS string.
    public static let stringTerminator: [UInt8] = [0x1B, 0x5C]

    // MARK: Screen and modes

    /// The alternate screen, cleared, with the cursor of the normal screen saved (mode 1049).
    public static let alternateScreenOn = csi("?1049h")
    /// Back to the normal screen and its cursor.
    public static let alternateScreenOff = csi("?1049l")
    /// No cursor (DECTCEM off).
    public static let cursorHide = csi("?25l")
    /// The cursor is seen again.
    public static let cursorShow = csi("?25h")
    /// No wrap at the right margin (DECAWM off), so that the last cell of the last row can be written without a scroll.
    public static let autowrapOff = csi("?7l")
    /// Wrap at the right margin, as shells expect.
    public static let autowrapOn = csi("?7h")
    /// The terminal shows nothing of what follows until the end (mode 2026).
    public static let synchronizedUpdateBegin = csi("?2026h")
    /// Shows at once what came since the beginning.
    public static let synchronizedUpdateEnd = csi("?2026l")
    /// Buttons and drags (1002) as SGR reports (1006).
    public static let mouseOn = csi("?1002h") + csi("?1003h") + csi("?1006h")
    /// No mouse reports.
    public static let mouseOff = csi("?1006l") + csi("?1003l") + csi("?1002l")
    /// Mouse reports count pixels instead of cells (mode 1016).
    public static let pixelMouseOn = csi("?1016h")
    /// Mouse reports count cells again.
    public static let pixelMouseOff = csi("?1016l")
    /// Pastes come between CSI 200 ~ and CSI 201 ~ (mode 2004).
    public static let bracketedPasteOn = csi("?2004h")
    /// Pastes come as if typed.
    public static let bracketedPasteOff = csi("?2004l")
    /// CSI I and CSI O tell when the window gets and loses the keyboard (mode 1004).
    public static let focusReportsOn = csi("?1004h")
    /// No focus reports.
    public static let focusReportsOff = csi("?1004l")
    /// kitty's keyboard protocol: what is ambiguous comes as `CSI … u` (1), with the key of a Latin keyboard (4). Each screen has a stack.
    public static let keyboardPush = csi(">5u")
    /// Restores the keyboard's former mode.
    public static let keyboardPop = csi("<1u")

    // MARK: Outside of the screen

    /// The window's title is put on the terminal's stack (XTWINOPS 22).
    public static let titlePush = csi("22;2t")
    /// The window's title comes back from there (XTWINOPS 23).
    public static let titlePop = csi("23;2t")
    /// No progress is shown (ConEmu's OSC 9;4).
    public static let progressOff = osc("9;4;0")

    /// An OSC string; control characters in it are left out.
    static func osc(_ body: String) -> [UInt8] {
        let safe = body.unicodeScalars.filter { !DisplayText.isUnsafe($0) }
        return Array("\u{1B}]".utf8) + Array(String(String.UnicodeScalarView(safe)).utf8) + stringTerminator
    }

    /// The window's title (OSC 2).
    public static func title(_ text: String) -> [UInt8] { osc("2;\(text)") }

    /// Progress in percent, 0 … 100 (ConEmu's OSC 9;4); paused is state 4.
    public static func progress(_ percent: Int, isPaused: Bool) -> [UInt8] {
        osc("9;4;\(isPaused ? 4 : 1);\(min(max(percent, 0), 100))")
    }

    // MARK: Drawing

    /// All attributes and colours to their defaults.
    public static let attributesReset = csi("0m")
    /// The whole screen (ED 2) in the present background.
    public static let clearScreen = csi("2J")
    /// From the cursor to the end of the line (EL).
    public static let clearToLineEnd = csi("K")
    /// The cursor to the top left cell.
    public static let cursorHome = csi("H")
    /// Cursor and attributes put away (DECSC).
    public static let cursorSave: [UInt8] = [0x1B, 0x37]
    /// Cursor and attributes as `cursorSave` put them away.
    public static let cursorRestore: [UInt8] = [0x1B, 0x38]

    /// The cursor to a cell, counted from 0 (CUP counts from 1).
    public static func cursor(column: Int, row: Int) -> [UInt8] {
        csi("\(max(0, row) + 1);\(max(0, column) + 1)H")
    }

    /// A 24-bit foreground in the form that every terminal with true colour takes.
    public static func foreground(red: UInt8, green: UInt8, blue: UInt8) -> [UInt8] { csi("38;2;\(red);\(green);\(blue)m") }

    /// A black sixel image of one column, so many bands of six pixels high, painted over what is there (P2 = 1).
    public static func sixelColumn(bands: Int) -> [UInt8] {
        let body = (0..<max(1, bands)).map { _ in "~" }.joined(separator: "-")
        return Array("\u{1B}P0;1q\"1;1;1;\(max(1, bands) * 6)#0;2;0;0;0#0\(body)\u{1B}\\".utf8)
    }

    // MARK: Questions

    /// XTVERSION: name and version.
    public static let queryVersion = csi(">0q")
    /// DA1: the one question that every terminal answers, hence asked last as the fence.
    public static let queryDeviceAttributes = csi("c")
    /// DA2: what kind of terminal, in which version.
    public static let querySecondaryAttributes = csi(">c")
    /// DSR 5: answered when everything before it has been read.
    public static let queryStatus = csi("5n")
    /// Asks which parts of kitty's keyboard protocol are on; answered by terminals that speak it.
    public static let queryKeyboard = csi("?u")
    /// CPR: where the cursor is.
    public static let queryCursor = csi("6n")
    /// Pixel size of one cell (XTWINOPS 16).
    public static let queryCellPixels = csi("16t")
    /// Pixel size of the text area (XTWINOPS 14).
    public static let queryTextAreaPixels = csi("14t")
    /// The background colour (OSC 11).
    public static let queryBackground: [UInt8] = Array("\u{1B}]11;?\u{1B}\\".utf8)
    /// The attributes in force (DECRQSS of SGR): tells whether a 24-bit colour was kept or mapped.
    public static let queryAttributes: [UInt8] = Array("\u{1B}P$qm\u{1B}\\".utf8)
    /// Sixel colour registers (XTSMGRAPHICS item 1).
    public static let querySixelRegisters = csi("?1;1;0S")
    /// The largest sixel image, now and ever (XTSMGRAPHICS item 2): xterm and foot say the size of their window first.
    public static let querySixelGeometry = csi("?2;1;0S") + csi("?2;4;0S")

    /// The state of a private mode (DECRQM).
    public static func queryMode(_ mode: Int) -> [UInt8] { csi("?\(mode)$p") }

    /// Whether the kitty graphics protocol is spoken: one pixel, not stored, sent in-line.
    public static func queryKittyGraphics(id: Int) -> [UInt8] {
        Array("\u{1B}_Gi=\(id),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
    }

    /// Whether a shared memory object of that name (in base64), which holds one pixel, can be read.
    public static func queryKittySharedMemory(id: Int, name: String) -> [UInt8] {
        Array("\u{1B}_Gi=\(id),s=1,v=1,a=q,t=s,f=24;\(name)\u{1B}\\".utf8)
    }

    /// A sequence for the terminal that tmux is shown in: tmux hands it on, if `allow-passthrough` is on, and drops it otherwise.
    public static func throughTmux(_ sequence: [UInt8]) -> [UInt8] {
        Array("\u{1B}Ptmux;".utf8) + sequence.flatMap { $0 == escapeByte ? [escapeByte, escapeByte] : [$0] } + stringTerminator
    }
}
