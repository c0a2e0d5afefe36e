import AetherCore
import AetherRender
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

/// What must follow from the answers of each recorded terminal, in a line: who, colours, what it answers, pictures, what is known by
/// name, and what is chosen.
struct RecordingTests {
    static let expected: [String: String] = [:]

    private static func summary(_ found: TerminalCapabilities) -> String {
        let size = TerminalSize(columns: 80, rows: 24).reporting(cell: found.cellPixelSize, window: found.windowPixelSize)
        let traits = found.displayTraits(size: size)
        var words = [found.identity.name.isEmpty ? "unknown" : found.identity.name, found.identity.version]
        if let outer = found.outerIdentity { words.append("in \(outer.name) \(outer.version)") }
        words += ["|", found.colourDepth.rawValue, found.utf8 ? "utf8" : "", "|"]
        words += [found.synchronizedUpdate ? "sync" : "", found.sgrPixelMouse ? "pixelmouse" : "", found.answersStatus ? "status" : ""]
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
            ("^[[<0;3;4M", .mouse(MouseEvent(.press, .left, x: 2, y: 3, modifiers: [], unit: .cells))),
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
