import CLinux
import Glibc

/// The settings of a terminal as a value that can be compared and printed: the four flag words, the control characters and
/// both speeds.
public struct Termios: Sendable, Equatable, CustomStringConvertible {
    public let input, output, control, local: UInt32
    /// `c_cc`: the control characters and VMIN, VTIME.
    public let characters: [UInt8]
    /// Input and output speed.
    public let speeds: [UInt32]

    /// The settings behind a descriptor (for a pty's master: those of its slave); nil when it is no terminal.
    public init?(of descriptor: Int32) {
        var settings = Glibc.termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        input = settings.c_iflag
        output = settings.c_oflag
        control = settings.c_cflag
        local = settings.c_lflag
        characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        speeds = [cfgetispeed(&settings), cfgetospeed(&settings)]
    }

    /// Line editing, echo and signals are on, as a shell wants it.
    public var isCooked: Bool {
        let wanted = UInt32(ICANON | ECHO | ISIG)
        return local & wanted == wanted
    }

    /// The flag words in octal, as stty -g has them in hexadecimal: enough to see in a failure what differs.
    public var description: String {
        "iflag \(String(input, radix: 8)) oflag \(String(output, radix: 8)) cflag \(String(control, radix: 8)) "
            + "lflag \(String(local, radix: 8)) cc \(characters)"
    }
}
