public import AetherCore

/// Whoever brings whole small files of a server, so that each of them costs no connection.
public protocol FileFetcher: AnyObject, Sendable {
    /// All of a file of at most `limit` bytes, the beginning of a longer one. Blocks on the server. Throws `.network`, or `.cancelled`.
    func bytes(of location: MediaLocation, limit: Int) throws(IOReaderError) -> [UInt8]

    /// Makes what is under way, and what is asked until `resume`, throw `.cancelled`. Any thread; never blocks.
    func cancel()

    /// Ends what `cancel` began. Any thread; never blocks.
    func resume()

    /// Lets go of the connection until another file is wanted.
    func rest()
}
