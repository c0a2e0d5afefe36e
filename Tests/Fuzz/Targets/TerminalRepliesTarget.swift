import AetherCore
import AetherTerminal

/// The answers of a terminal to the probe: none may trap, and no part of one may reach a screen as a control character or an impossible
/// size. The first byte chooses the environment.
func fuzzTerminalReplies(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 0 else { return }
    let terms = ["xterm-256color", "linux", "screen", "xterm-kitty", "tmux-256color", "alacritty", "dumb", ""]
    let environment = ProbeEnvironment(["TERM": terms[Int(input[0]) % terms.count], "LANG": "C.UTF-8"])
    var probe = CapabilityProbe(environment: environment, sentAt: HostTime(nanoseconds: 0), sharedMemory: "eA==")
    probe.learn(outerTerminal: String(decoding: input.prefix(64), as: UTF8.self))
    var decoder = InputDecoder()
    decoder.expectedCursorReports = probe.cursorReportCount
    let bytes = UnsafeBufferPointer(rebasing: input.dropFirst())
    for case .reply(let reply) in decoder.decode(bytes) + decoder.resolve() { probe.fold(reply) }
    let capabilities = probe.capabilities
    let outer = capabilities.outerIdentity ?? TerminalIdentity()
    var said = capabilities.reasons + capabilities.quirks
    said += [capabilities.identity.name, capabilities.identity.version, outer.name, outer.version]
    precondition(said.allSatisfy { !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) }, "a control character got through")
    precondition(capabilities.isAddressable == !environment.lacksCursorAddressing)
    let size = TerminalSize(columns: 80, rows: 24)
        .reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize)
    precondition((0.2...2).contains(size.cellAspect), "no font has such a shape")
    let traits = capabilities.displayTraits(size: size)
    precondition(traits.sixel.map { (2...1024).contains($0.registers) } ?? true, "no such number of registers")
    precondition(traits.kitty == nil || capabilities.kittyGraphics)
    precondition(!capabilities.kittySharedMemory || capabilities.kittyGraphics, "memory without pictures")
}
