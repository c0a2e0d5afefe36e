import AetherCore
import AetherTestSupport

/// The screen that a terminal shows after a run of bytes: the one place where these tests meet the terminal model.
enum Screen {
    /// A screen that took in the bytes.
    static func after(_ bytes: [UInt8], size: Pty.Size) -> VTScreen {
        var screen = VTScreen(columns: Int(size.columns), rows: Int(size.rows))
        screen.feed(bytes)
        return screen
    }

    /// Whether the bytes draw cells of a picture: an upper or lower half block.
    static func showsFrame(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        bytes.indices.contains {
            bytes[$0...].starts(with: [0xE2, 0x96, 0x80]) || bytes[$0...].starts(with: [0xE2, 0x96, 0x84])
        }
    }

    /// The rows as text.
    static func rows(_ bytes: [UInt8], size: Pty.Size) -> [String] { after(bytes, size: size).rows }

    /// Waits until the rows of the screen satisfy the condition; bytes before `start` are not looked at.
    static func wait(
        on pty: Pty, from start: Int = 0, size: Pty.Size, within limit: TimeSpan = .seconds(60), _ satisfies: ([String]) -> Bool
    ) -> Bool {
        var screen = VTScreen(columns: Int(size.columns), rows: Int(size.rows))
        var fed = start
        return pty.waitForOutput(from: start, within: limit) { bytes in
            screen.feed(Array(bytes[fed...]))
            fed = bytes.endIndex
            return satisfies(screen.rows)
        }
    }

    /// Waits until the screen has shown a row that satisfies the condition, in any of its states since something was typed last: what stands
    /// for two seconds may be gone when a test that was held up looks. For what appears, and not for what goes.
    static func waitToSee(
        on pty: Pty, size: Pty.Size, within limit: TimeSpan = .seconds(60), _ satisfies: (String) -> Bool
    ) -> Bool {
        let typed = pty.sentAt
        let screen = after(Array(pty.output[..<typed]), size: size)
        return waitToSee(on: pty, after: screen, fed: typed, within: limit, satisfies)
    }

    /// The same from a screen on that has taken in so many bytes of the output.
    static func waitToSee(
        on pty: Pty, after screen: VTScreen, fed: Int, within limit: TimeSpan = .seconds(60), _ satisfies: (String) -> Bool
    ) -> Bool {
        var (screen, fed) = (screen, fed)
        return pty.waitForOutput(from: 0, within: limit) { bytes in
            repeat {
                let end = min(bytes.endIndex, fed + pieceSize)
                screen.feed(Array(bytes[fed..<end]))
                fed = end
                if screen.rows.contains(where: satisfies) { return true }
            } while fed < bytes.endIndex
            return false
        }
    }

    /// Bytes between two looks at the screen: a frame of 100 columns has several times as many, and a notice a tenth.
    private static let pieceSize = 2048

    /// Where the first half block is, with what goes before it; nil when there is none.
    static func firstFrame(in pty: Pty) -> HostTime? { pty.chunks.first { showsFrame($0.bytes) }?.time }

    /// Modes that are not as a terminal has them at rest, in words.
    static func leftovers(_ bytes: [UInt8], size: Pty.Size) -> [String] {
        let modes = after(bytes, size: size).modes
        let restingOff = [
            1: "application cursor keys", 1000: "mouse", 1002: "mouse drag", 1003: "mouse motion", 1006: "SGR mouse",
            1016: "pixel mouse", 1004: "focus events", 1049: "alternate screen", 1047: "alternate screen", 47: "alternate screen",
            2004: "bracketed paste", 2026: "synchronized update",
        ]
        var left = restingOff.filter { modes[$0.key] == true }.map(\.value)
        if modes[25] == false { left.append("hidden cursor") }
        if modes[7] == false { left.append("no wrap") }
        return left.sorted()
    }
}
