import AetherCore
import AetherRender
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

/// The expected capabilities of each recorded terminal, in a line: name, colours, answers, graphics, facts known by name, and the renderer
/// that is chosen.
struct RecordingTests {
    static let expected: [String: String] = [
        "alacritty-0.11.0": "alacritty 0.17.0 (library) | 24bit utf8 | status 9x24 | | quadrants -> quadrant",
        "contour-0.6": "contour 0.6.0 | 24bit utf8 | sync pixelmouse status 10x20 | sixel 1024 3840x2160 | sextants -> sixel",
        "foot-1.13.1": "foot 1.13.1 | 24bit utf8 | sync pixelmouse status 7x14 | sixel 1024 10000x10000 | sextants -> sixel",
        "ghostty-1.2.0": "ghostty 1.2.0 | 24bit utf8 | sync pixelmouse status 16x34 | kitty shm | octants -> kitty",
        "gnome-terminal-vte-0.78": "VTE 7802 | 24bit utf8 | status 10x22 | | octants -> octant",
        "iterm2-3.6":
            "iTerm2 3.6.0 | 24bit utf8 | sync pixelmouse status 12x25 | sixel 256 unlimited kitty inline | halfBlocks -> kitty",
        "kitty-0.26.5": "kitty 0.26.5 | 24bit utf8 | sync pixelmouse status 9x18 | kitty shm edits | sextants -> kitty",
        "kitty-0.48.2": "kitty 0.48.2 | 24bit utf8 | sync pixelmouse status 9x18 | kitty shm edits transient | octants -> kitty",
        "kitty-0.48.2-over-ssh":
            "kitty 0.48.2 | 24bit utf8 | sync pixelmouse status 9x18 | kitty edits transient | octants remote -> octant",
        "konsole-22.12.3": "Konsole 22.12.3 | 24bit utf8 | status 8x17 | sixel 256 16384x16384 kitty inline | sextants -> kitty",
        "linux-console": "linux | 16 utf8 | status | | halfBlocks -> halfblock",
        "mlterm-3.9.0": "mlterm 3.9.0 | 256 utf8 | status 10x19 | | halfBlocks -> halfblock",
        "qterminal-1.2.0": "unknown | 24bit utf8 | status | | halfBlocks -> halfblock",
        "sakura-vte-0.70.6": "VTE 7006 | 24bit utf8 | status 10x22 | | sextants -> sextant",
        "st-0.9": "unknown | 256 utf8 | | | halfBlocks -> halfblock",
        "tmux-3.3a-in-kitty": "tmux 3.3a in kitty 0.26.5 | 24bit utf8 | status | | sextants -> sextant",
        "tmux-3.3a-in-kitty-passthrough": "tmux 3.3a in kitty 0.26.5 | 24bit utf8 | status | | sextants -> sextant",
        "tmux-3.3a-in-xterm": "tmux 3.3a in XTerm 379 | 256 utf8 | status | | halfBlocks -> halfblock",
        "tmux-3.3a-in-xterm-passthrough": "tmux 3.3a in XTerm 379 | 256 utf8 | status | | halfBlocks -> halfblock",
        "tmux-3.5a-in-kitty-0.48.2-passthrough":
            "tmux 3.5a in kitty 0.48.2 | 24bit utf8 | status | sixel 256 unlimited kitty shm edits transient tmux | sextants -> kitty",
        "urxvt-9.30": "rxvt-unicode | 256 utf8 | status 6x13 | | halfBlocks -> halfblock",
        "wezterm-20240203":
            "WezTerm 20240203-110809-5046fc22 | 24bit utf8 | sync pixelmouse status 8x16 | sixel 1024 unlimited kitty shm inline | sextants -> kitty",
        "windows-terminal-1.23": "WindowsTerminal | 24bit utf8 | status 10x20 | sixel 256 unlimited | halfBlocks -> sixel",
        "xterm-379": "XTerm 379 | 24bit utf8 | pixelmouse status | | halfBlocks -> halfblock",
        "xterm-379-vt340": "XTerm 379 | 24bit utf8 | pixelmouse status | sixel 1024 1000x1000 | halfBlocks -> sixel",
    ]

    private static func summary(_ found: TerminalCapabilities) -> String {
        let size = TerminalSize(columns: 80, rows: 24).reporting(cell: found.cellPixelSize, window: found.windowPixelSize)
        let traits = found.displayTraits(size: size)
        var words = [found.identity.name.isEmpty ? "unknown" : found.identity.name, found.identity.version]
        if let outer = found.outerIdentity { words.append("in \(outer.name) \(outer.version)") }
        words += ["|", found.colourDepth.rawValue, found.utf8 ? "utf8" : "", "|"]
        words += [
            found.synchronizedUpdate ? "sync" : "", found.sgrPixelMouse ? "pixelmouse" : "", found.answersStatus ? "status" : "",
        ]
        words += [traits.cellPixels.map { "\($0.width)x\($0.height)" } ?? "", "|"]
        if let sixel = traits.sixel {
            words.append("sixel \(sixel.registers) \(sixel.limit.map { "\($0.width)x\($0.height)" } ?? "unlimited")")
            if found.sixelDisplayMode == true { words.append("displaymode") }
        }
        if let kitty = traits.kitty {
            words += ["kitty", kitty.hasSharedMemory ? "shm" : "", kitty.hasFrameEdits ? "edits" : ""]
            words += [kitty.hasTransient ? "transient" : "", kitty.throughTmux ? "tmux" : ""]
        }
        words += [traits.hasInlineImages ? "inline" : "", "|", "\(traits.glyphs)", traits.isRemote ? "remote" : "", "->"]
        words.append(EncoderChoice.choose(requested: nil, traits: traits)?.renderer.rawValue ?? "nothing")
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test func everyRecordingHasItsExpectation() throws {
        #expect(try Recording.all() == Self.expected.keys.sorted())
    }

    @Test func inTheOrderItCame() throws {
        for name in try Recording.all() {
            let recording = try Recording(name)
            for pieces in [UInt64(0), 1, 2, 3] {
                let (probe, others) = recording.fold(recording.answers.flatMap { $0 }, pieces: pieces)
                #expect(probe.isComplete && others.isEmpty, "\(name)")
                #expect(Self.summary(probe.capabilities) == Self.expected[name], "\(name)")
            }
        }
    }

    @Test func inAnyOrder() throws {
        for name in try Recording.all() {
            let recording = try Recording(name)
            for seed in UInt64(1)...20 {
                var random = SeededRandom(seed: seed)
                let (probe, others) = recording.fold(recording.answers.shuffled(using: &random).flatMap { $0 }, pieces: seed)
                #expect(probe.isComplete && others.isEmpty, "\(name)")
                #expect(Self.summary(probe.capabilities) == Self.expected[name], "\(name), seed \(seed)")
            }
        }
    }

    /// Keys come between answers, never inside one: a terminal writes each in one piece.
    @Test func withKeysTypedMeanwhile() throws {
        let keys: [(bytes: String, event: InputEvent)] = [
            ("q", .key(KeyEvent(.character("q")))), (" ", .key(KeyEvent(.character(" ")))), ("^[[A", .key(KeyEvent(.up))),
            ("^[OC", .key(KeyEvent(.right))), ("é", .key(KeyEvent(.character("é")))), ("\r", .key(KeyEvent(.enter))),
            ("^[x", .key(KeyEvent(.character("x"), .alt))), ("^[[15~", .key(KeyEvent(.function(5)))), ("^[[I", .focus(true)),
            ("^[[<0;3;4M", .mouse(MouseEvent(.press, .left, x: 2, y: 3, unit: .cells))),
            ("^[[200~c^[[0n^[[201~", .paste("c\u{1B}[0n")),
        ]
        for name in try Recording.all() {
            let recording = try Recording(name)
            for seed in UInt64(1)...20 {
                var random = SeededRandom(seed: seed)
                var bytes: [UInt8] = [], typed: [InputEvent] = []
                for answer in recording.answers.shuffled(using: &random) {
                    for _ in 0..<random.below(3) {
                        let key = keys[random.below(keys.count)]
                        bytes += escaped(key.bytes)
                        typed.append(key.event)
                    }
                    bytes += answer
                }
                let (probe, others) = recording.fold(bytes, pieces: seed)
                #expect(others == typed, "\(name), seed \(seed)")
                #expect(Self.summary(probe.capabilities) == Self.expected[name], "\(name), seed \(seed)")
            }
        }
    }

    /// An answer cut off anywhere, and then silence: what is left is no key.
    @Test func anAnswerThatEndsInTheMiddle() throws {
        for name in try Recording.all() {
            for answer in try Recording(name).answers {
                for cut in 3..<max(3, answer.count) {
                    var decoder = InputDecoder()
                    decoder.expectedCursorReports = 1
                    decoder.awaitsReplies = true
                    let events = decoder.decode(answer.prefix(cut)) + decoder.resolve()
                    let keys = events.filter { if case .reply = $0 { false } else { true } }
                    #expect(keys.isEmpty, "\(name): \(answer.prefix(cut))")
                }
            }
        }
    }
}
