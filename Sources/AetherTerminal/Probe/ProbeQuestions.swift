import AetherCore

/// The batch of questions. It leaves no trace: the letter printed to see whether UTF-8 is understood, and what a terminal prints of
/// questions that it does not know, go to the alternate screen (Linux' console, which has none, is asked only what it knows, and the
/// letter is erased). Pure.
struct ProbeQuestions {
    /// The ids of images that are asked about; each question has its own, so that answers are told apart.
    enum ImageID {
        static let direct = 31
        static let sharedMemory = 32
        static let directThroughTmux = 33
        static let sharedMemoryThroughTmux = 34
        static let all = direct...sharedMemoryThroughTmux
    }

    let environment: ProbeEnvironment
    /// The name of a shared memory object with one pixel, in base64; nil for none.
    let sharedMemory: String?

    /// The batch in one piece.
    var bytes: [UInt8] {
        if environment.lacksCursorAddressing { return [] }
        let letter: [UInt8] = [0xC3, 0xA9]  // é: one column in UTF-8, two without
        if environment.isConsole {
            return Escape.cursorSave + [0x0D] + letter + Escape.queryCursor + [0x0D] + Escape.clearToLineEnd
                + Escape.cursorRestore + Escape.queryStatus + Escape.queryDeviceAttributes
        }
        var batch = graphicsThroughTmux + Escape.alternateScreenOn + Escape.cursorHome + letter + Escape.queryCursor
        batch += Escape.queryVersion + Escape.querySecondaryAttributes + graphics + Escape.queryKeyboard
        for mode in [2026, 1016, 80] { batch += Escape.queryMode(mode) }
        batch += Escape.querySixelRegisters + Escape.querySixelGeometry + Escape.queryCellPixels + Escape.queryTextAreaPixels
        batch += Escape.foreground(red: 1, green: 2, blue: 3) + Escape.queryAttributes + Escape.attributesReset
        batch += Escape.queryBackground + Escape.alternateScreenOff + Escape.attributesReset
        return batch + Escape.queryStatus + Escape.queryDeviceAttributes
    }

    /// Whether the terminal that tmux is shown in is asked something.
    var asksThroughTmux: Bool { environment.isSurelyTmux && !environment.lacksCursorAddressing }

    /// tmux and GNU screen take an APC string for a title: they are not asked so.
    private var graphics: [UInt8] {
        environment.isMultiplexedByTitle
            ? [] : kitty(direct: ImageID.direct, sharedMemory: ImageID.sharedMemory).flatMap { $0 }
    }

    /// Before everything else: what is to be handed on is dropped while tmux redraws the pane for the alternate screen (seen with 3.3a).
    private var graphicsThroughTmux: [UInt8] {
        guard asksThroughTmux else { return [] }
        return kitty(direct: ImageID.directThroughTmux, sharedMemory: ImageID.sharedMemoryThroughTmux)
            .flatMap(Escape.throughTmux)
    }

    private func kitty(direct: Int, sharedMemory id: Int) -> [[UInt8]] {
        [Escape.queryKittyGraphics(id: direct)] + (sharedMemory.map { [Escape.queryKittySharedMemory(id: id, name: $0)] } ?? [])
    }
}
