public import AetherCore

/// A place apart in which libavfilter works. Any thread.
public protocol FilteringBox: DecodingPlace {
    /// Opens filters in a process of their own. Blocks, 30 ms the first time. nil where this process may do the work itself. Throws `.unsupported` for
    /// what libavfilter refuses, and `.decodeFailed` where no worker starts.
    func openFilters(_ order: FilterOrder) throws(MediaError) -> (any BoxedFiltering)?
}

/// Filters in a box, for one thread.
public protocol BoxedFiltering: AnyObject {
    /// The unit of the times of what comes out.
    var timeBase: TimeBase { get }
    /// Puts a frame in, whose memory stays as it is for as long as the filters need it. Blocks. Throws what libavfilter refuses, and `.decodeFailed`
    /// where workers break again and again.
    func send(_ frame: borrowing DecodedFrame) throws(MediaError)
    /// No frame follows. Blocks. Throws as `send`.
    func finish() throws(MediaError)
    /// The next frame; nil where another has to go in first. Blocks. Throws as `send`.
    func receive() throws(MediaError) -> DecodedFrame?
}
