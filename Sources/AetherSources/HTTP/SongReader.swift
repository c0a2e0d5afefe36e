public import AetherCore
import Synchronization

/// The audio of a radio station without the titles between. For one thread, as every reader.
public final class SongReader: IOReader {
    private let reader: HTTPReader
    private let stream: Mutex<SongStream>
    private let say: @Sendable (String) -> Void

    /// A reader of a station that has answered; nil for any other. `say` is told each title as its place is read, on the thread that reads; it must
    /// not block.
    public init?(_ reader: HTTPReader, say: @escaping @Sendable (String) -> Void) {
        guard let interval = reader.songInterval, let stream = SongStream(interval: interval) else { return nil }
        (self.reader, self.say) = (reader, say)
        self.stream = Mutex(stream)
    }

    /// As the reader below.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        while true {
            let count = try reader.read(buffer)
            guard count > 0 else { return 0 }
            let (audio, titles) = stream.withLock { $0.take(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) }
            for title in titles { say(title) }
            if audio > 0 { return audio }
        }
    }

    /// Throws `.notSeekable`.
    public func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    /// Nil: it has no end.
    public var size: Int64? { nil }
    /// False: what has gone is gone.
    public var isSeekable: Bool { false }
    /// A server's, read on only.
    public var traits: IOReaderTraits {
        IOReaderTraits(isLocal: false, seekCost: .impossible, mayStall: true, isRepeatable: false)
    }
    /// As the reader below.
    public func cancel() { reader.cancel() }
    /// As the reader below.
    public func resume() { reader.resume() }
    /// As the reader below.
    public func close() { reader.close() }
    /// None.
    public func makeIndependentReader() -> (any IOReader)? { nil }
}
