import AetherCore
import Glibc

/// An error of the terminal: a code to decide by, and a sentence for people.
public struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of trouble that lead to different decisions.
    public enum Code: String, Sendable {
        /// The descriptor is no terminal, or there is no controlling terminal.
        case notATerminal
        /// The terminal device cannot be opened.
        case cannotOpen
        /// The modes of the terminal cannot be read or set.
        case modes
        case writeFailed
        /// The other end is gone.
        case hungUp
        /// The kernel refused a signal or event descriptor.
        case descriptors
        /// The terminal cannot do what is needed (no cursor addressing, a forced renderer that it lacks).
        case unsuitable
    }

    /// The kind, to decide by.
    public let code: Code
    /// The operation that failed, in English: "open", "set the modes of". It is translated where the error is read.
    public let operation: String
    /// The errno value where there is one.
    public let cause: Int32?
    /// The subject of the error (a device path, a terminal name), safe to display.
    public let subject: String

    /// An error. The subject is made safe to display.
    public init(_ code: Code, _ operation: String, subject: String = "", cause: Int32? = nil) {
        self.code = code
        self.operation = operation
        self.cause = cause
        self.subject = DisplayText.singleLine(subject)
    }

    /// One sentence: "cannot open ‘/dev/tty’: No such device or address".
    public var description: String {
        let object = subject.isEmpty ? translated("the terminal") : translated("‘\(subject)’")
        let deed = translated(Phrase(stringLiteral: operation), context: "operation")
        let tail = cause.map { ": " + String(cString: strerror($0)) } ?? ""
        switch code {
        case .notATerminal: return translated("\(object) is not a terminal") + tail
        case .hungUp: return translated("\(object) has hung up") + tail
        case .unsuitable: return translated("\(object) cannot \(deed)") + tail
        default: return translated("cannot \(deed) \(object)") + tail
        }
    }
}
