import AetherCore
import Synchronization

/// The facts known of a file on a server since its first answer.
struct WebFile: Sendable, Equatable {
    /// Bytes in all; nil where not stated.
    var size: Int64?
    var isSeekable: Bool
    /// ETag or time of change: what tells this file from another one at its place.
    var validator: String?
    /// A weak ETag, without its mark: enough to see that the file is another one, not that it is the same to the byte.
    var weakTag: String?
    /// Where redirections have led.
    var target: WebAddress
    /// The answer came from a private, local or loopback address.
    var isPrivate: Bool
    /// The server's clock by the newest answer that says it; nil for none.
    var date: ServerDate?
    /// The bytes of audio between two titles of songs; nil for what is no radio station.
    var songInterval: Int?
    /// The server compresses it (`Content-Encoding`): it is asked for as a whole, and libcurl unpacks it.
    var isPacked = false
    /// Behind the last byte of the part that was answered last; nil where all of the file was.
    var partEnd: Int64?
}

/// The memory that readers of one address share while any of them lives: what the file is, its head and its tail.
final class WebMemory: Sendable {
    private struct State {
        var file: WebFile?
        var held = HeldBytes()
        var entry: CacheEntry?
        var isStale = false
    }
    private let state = Mutex(State())
    private let room: HeldRoom

    /// Holds nothing yet; what it will hold comes out of the room.
    init(_ room: HeldRoom = HeldRoom()) { self.room = room }

    deinit { room.giveBack(state.withLock { $0.held.count }) }

    /// The file; nil before the first answer.
    var file: WebFile? {
        get { state.withLock { $0.file } }
        set { state.withLock { $0.file = newValue } }
    }

    /// The file on disk, once the server has said that it is the same; nil: none.
    var entry: CacheEntry? {
        get { state.withLock { $0.entry } }
        set { state.withLock { $0.entry = newValue } }
    }

    /// The server has another file by now: readers that come are given a memory of their own.
    var isStale: Bool {
        get { state.withLock { $0.isStale } }
        set { state.withLock { $0.isStale = newValue } }
    }

    /// Copies what is held from an offset on; 0 where nothing is.
    func read(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { $0.held.read(from: offset, into: buffer) }
    }

    /// Keeps what belongs to head or tail.
    func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        state.withLock { state in
            let size = state.file?.size
            guard state.held.wants(from: offset, to: offset + Int64(bytes.count), size: size) else { return }
            room.take { state.held.keep(bytes, at: offset, size: size, room: &$0) }
        }
    }
}
