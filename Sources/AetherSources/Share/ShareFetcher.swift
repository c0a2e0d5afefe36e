public import AetherCore
import Glibc
import Synchronization

/// Whole small files of one server of shares, one after the other over one connection: a login for each costs more than the file.
public final class ShareFetcher: FileFetcher {
    /// nil while a thread works with it.
    private let idle = Mutex(Link?.some(Link()))
    private let program: String
    private let time: any TimeSource
    private let wake = WakeHandle()
    private let isCancelled = Atomic(false)

    private struct Link: Sendable {
        /// nil: no program was started, or it is gone.
        var links: ShareLinks?
        var lastNumber: UInt32 = 0
    }

    /// Nothing is asked of a server yet. Throws `.network` where the program that speaks with such servers is not installed. Blocks on the file system.
    public convenience init() throws(IOReaderError) { self.init(program: try ShareProgram.required(), time: SystemTime()) }

    init(program: String, time: any TimeSource) { (self.program, self.time) = (program, time) }

    /// All of a file of at most `limit` bytes, the beginning of a longer one. One thread at a time: EBUSY for another. Blocks on the server. Throws
    /// `.network`, or `.cancelled`.
    public func bytes(of location: MediaLocation, limit: Int) throws(IOReaderError) -> [UInt8] {
        guard case .url(let url) = location, let address = ShareAddress(url), address.mayBeFile else {
            throw .network(NetworkFault(.invalidAddress))
        }
        guard var link = idle.withLock({ $0.take() }) else { throw .posix(EBUSY) }
        defer { idle.withLock { $0 = link } }
        let isFresh = link.links == nil
        if isFresh {
            link.links = ShareLinks(.open(address), program: program)
            guard link.links != nil else { throw .network(NetworkFault(.other, detail: "\(ShareProgram.name) does not start")) }
        } else {
            link.links?.send(.open(address))
        }
        do throws(IOReaderError) {
            return try read(&link, limit: limit)
        } catch {
            // The program is asked no more, or there may be answers under way that nobody waits for.
            if case .network(let fault) = error, fault.kind == .missing { throw error }
            link.links = nil
            guard !isFresh, case .network(let fault) = error, fault.kind == .brokeOff else { throw error }
            // The server has hung up since: a connection of its own shows whether it is still there.
            link.links = ShareLinks(.open(address), program: program)
            return try read(&link, limit: limit)
        }
    }

    private func read(_ link: inout Link, limit: Int) throws(IOReaderError) -> [UInt8] {
        guard case .opened(let size, _) = try answer(&link) else { throw .network(NetworkFault(.badAnswer)) }
        var bytes = [UInt8](repeating: 0, count: Int(min(size, UInt64(max(0, limit))))), filled = 0
        while filled < bytes.count {
            let wanted = min(SharePiece.limit, bytes.count - filled)
            link.lastNumber &+= 1
            link.links?.send(.read(number: link.lastNumber, offset: UInt64(filled), count: UInt32(wanted), place: 0))
            guard case .filled(link.lastNumber, UInt32(wanted), _) = try answer(&link) else {
                // Shorter than it was said to be.
                throw .network(NetworkFault(.changed))
            }
            bytes.withUnsafeMutableBytes { room in
                let part = UnsafeMutableRawBufferPointer(rebasing: room[filled..<(filled + wanted)])
                link.links?.copy(ShareReading.Part(lane: 0, place: 0, count: wanted), to: part)
            }
            filled += wanted
        }
        return bytes
    }

    private func answer(_ link: inout Link) throws(IOReaderError) -> ShareAnswer {
        let deadline = time.now() + ShareProgram.patience
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            switch link.links?.wait(wake, until: deadline, now: time.now) {
            case .answer(.failure(_, let refusal, let text), _)?: throw .network(NetworkFault(refusal.kind, detail: text))
            case .answer(let answer, _)?: return answer
            case .late?: throw .network(NetworkFault(.timedOut))
            case .ended?, nil: throw .network(NetworkFault(.brokeOff))
            case .woken?: wake.drain()
            }
        }
    }

    /// Makes what is under way, and what is asked until `resume`, throw `.cancelled`. Any thread; never blocks.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Ends the program where no thread works with it; it is started again when another file is wanted.
    public func rest() { idle.withLock { $0?.links = nil } }
}
