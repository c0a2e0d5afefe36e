public import AetherCore
public import AetherFormats
public import AetherSources
import Glibc

/// The reason why a disc cannot be opened or read.
public enum DiscError: Error, Sendable, Equatable {
    /// The disc itself.
    case disc(DiscFault)
    /// A compact disc's image.
    case compact(CompactFault)
    /// The drive.
    case drive(DriveFault)
    /// The reader of its bytes.
    case bytes(IOReaderError)

    /// One clause for people.
    public var reason: String {
        switch self {
        case .disc(let fault): fault.reason
        case .compact(let fault): fault.reason
        case .drive(let fault): fault.reason
        case .bytes(.posix(let number)): String(cString: strerror(number))
        case .bytes(.network(let fault)): fault.sentence
        case .bytes(let error): "\(error)"
        }
    }
}
