public import AetherCore

/// A reader of a file on a server, which is asked for when the reader is opened or read.
public protocol ServerReader: IOReader {
    /// Asks for the file where that has not been done. Blocks until the server has answered; `cancel` ends that. Throws `.network` or
    /// `.cancelled`.
    func open() throws(IOReaderError)
}

extension HTTPReader: ServerReader {}
extension ShareReader: ServerReader {}
