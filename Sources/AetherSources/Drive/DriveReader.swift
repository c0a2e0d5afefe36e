package import AetherCore
import Glibc
import Synchronization

/// A compact disc in a drive as the bytes of its image: all its sectors from the first one on, 2352 bytes each. It is read through a program of its
/// own, 20 s ahead. What is scratched is zeros.
package final class DriveReader: IOReader {
    private struct Session: Sendable {
        var link: DriveLink
        var reading: DriveReading
    }
    /// nil before the disc is open, and while the thread that reads works with it: no lock is held while it waits for the drive.
    private let idle = Mutex<Session?>(nil)
    private let facts = Mutex((table: DriveTable?.none, target: Int64(0)))
    private let path, program: String
    private let wake = WakeHandle()
    private let isCancelled = Atomic(false), isClosed = Atomic(false)
    private let lost = Atomic(0)
    private static let log = Log.module("disc")

    /// The disc in a drive, by the program that reads it; nothing is asked yet.
    package init(path: String, program: String) { (self.path, self.program) = (path, program) }

    /// The reason why a disc was not opened.
    package enum Refusal: Error, Equatable {
        case fault(DriveFault)
        case reader(IOReaderError)
    }

    /// Opens the disc. Returns its table of contents. Blocks until the drive knows it, for seconds; `cancel` ends that.
    package func open() throws(Refusal) -> DriveTable {
        guard var link = DriveLink(path, program: program) else { throw .fault(.noProgram(translated("does not start"))) }
        while true {
            do throws(IOReaderError) {
                try check()
            } catch {
                throw .reader(error)
            }
            switch link.wait(wake) {
            case .answer(.opened(let table)):
                facts.withLock { $0.table = table }
                putBack(Session(link: link, reading: DriveReading(count: table.leadOut)))
                return table
            case .answer(.failure(_, let refusal)): throw .fault(DriveFault(refusal, path))
            case .answer(.sectors), .ended: throw .fault(DriveProgram.mute)
            case .woken: wake.drain()
            }
        }
    }

    /// Reads. Blocks until the drive has given the sectors; `cancel` ends that. Throws ENOMEDIUM where the disc was taken out, and EIO where the
    /// drive gives nothing any more.
    package func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if buffer.isEmpty { return 0 }
        try check()
        guard var session = idle.withLock({ $0.take() }) else {
            try check()
            throw .posix(EBUSY)
        }
        defer { putBack(session) }
        let place = facts.withLock { $0.target }
        let count = try read(buffer, from: place, &session)
        facts.withLock { if $0.target == place { $0.target = place + Int64(count) } }
        return count
    }

    /// Gives the session back. After `close` it ends here, on the thread that read.
    private func putBack(_ session: Session) {
        idle.withLock { idle in
            if !isClosed.load(ordering: .acquiring) { idle = session }
        }
    }

    private func read(
        _ buffer: UnsafeMutableRawBufferPointer, from place: Int64, _ session: inout Session
    ) throws(IOReaderError) -> Int {
        if session.reading.position != place, let request = session.reading.seek(to: place) { session.link.send(request) }
        while true {
            try check()
            let count = session.reading.read(buffer)
            for request in session.reading.requests() { session.link.send(request) }
            if let count { return count }
            switch session.link.wait(wake) {
            case .answer(.sectors(let number, let lost, let bytes)):
                guard session.reading.take(number, bytes) else { throw .posix(EIO) }
                if lost > 0 { note(lost) }
            case .answer(.failure(let number, let refusal)):
                if session.reading.awaits(number) { throw .posix(DriveFault(refusal, "").number) }
            case .answer(.opened), .ended: throw .posix(EIO)
            case .woken: wake.drain()
            }
        }
    }

    private func note(_ sectors: UInt32) {
        let (_, all) = lost.add(Int(sectors), ordering: .relaxed)
        Self.log.info("\(sectors) sectors cannot be read and are silent, \(all) of the disc so far")
    }

    /// Sectors that could not be read so far.
    package var lostSectors: Int { lost.load(ordering: .relaxed) }

    private func check() throws(IOReaderError) {
        if isClosed.load(ordering: .acquiring) { throw .closed }
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
    }

    /// Moves to an absolute offset; nothing is asked of the drive before the next read.
    package func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        if isClosed.load(ordering: .acquiring) { throw .closed }
        facts.withLock { $0.target = offset }
    }

    /// Those of all sectors; nil before `open`.
    package var size: Int64? { facts.withLock { $0.table.map { Int64($0.leadOut) * Int64(DriveSector.size) } } }
    /// Always true.
    package var isSeekable: Bool { true }
    /// A drive has one head.
    package var traits: IOReaderTraits { .drive }

    /// Makes a pending and every later read throw `.cancelled` until `resume`. Any thread; never blocks.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    package func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Ends the program, or has the read that is under way break off and end it. Any thread; never blocks.
    package func close() {
        isClosed.store(true, ordering: .releasing)
        wake.wake()
        // Its program is ended outside of the lock.
        _ = idle.withLock { $0.take() }
    }

    /// nil: two that read at once would send the head to and fro.
    package func makeIndependentReader() -> (any IOReader)? { nil }
}

extension DriveFault {
    init(_ refusal: DriveRefusal, _ path: String) {
        self =
            switch refusal {
            case .noDrive: .noDrive(path)
            case .empty: .empty
            case .noTable: .noTable
            case .changed: .changed
            case .unreadable: .unreadable
            }
    }
}
