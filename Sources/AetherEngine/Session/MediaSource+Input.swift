import AetherCore
import AetherMedia
import AetherSources
import Glibc

extension MediaInput {
    /// Opens the reader of a source. Blocks on the file system. `follows`: a file that is still being written is read on at its end.
    init(_ source: MediaSource, follows: Bool = false) throws(MediaError) {
        switch source {
        case .custom(let reader, let name): self = .reader(reader, name: name)
        case .location(.url(let url)): self = .url(url)
        case .location(let location):
            do throws(IOReaderError) {
                guard let reader = try location.openReader(follows: follows) else {
                    throw IOReaderError.closed
                }
                self = .reader(reader, name: location.fullName)
            } catch {
                throw MediaError(location, error)
            }
        }
    }
}

extension MediaLocation {
    /// The whole path, for messages and for the guess at a format by its extension.
    fileprivate var fullName: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        case .standardInput: "standard input"
        }
    }
}

extension MediaError {
    /// The reason why a path could not be opened, in the system's words.
    init(_ location: MediaLocation, _ error: IOReaderError) {
        switch error {
        case .posix(let number):
            self.init(.cannotOpen, "open", subject: location.fullName, cause: -number, reason: String(cString: strerror(number)))
        default: self.init(.cannotOpen, "open", subject: location.fullName, reason: "\(error)")
        }
    }
}

extension MediaSource {
    /// The name that a person would use: the last part of a path, safe to display.
    var displayName: String {
        switch self {
        case .location(let location): location.displayName
        case .custom(_, let name): DisplayText.singleLine(name)
        }
    }
}
