import AetherCore
import CBox
import Glibc
import Synchronization

/// A process of which workers are copies, which takes 2 ms and shares its memory, where a program of its own takes 50 ms to load its libraries: the
/// program of the box, or the player itself as it was before it knew of any source. It is never in touch with a source. Any thread.
final class WorkerSeed: Sendable {
    /// The argument that makes the program one. The person's home stands behind it, and behind that of a kind of worker.
    static let word = "seed"
    /// A machine may be so busy that loading takes long: what hangs is found out later, by the worker's own patience.
    private static let loading = TimeSpan.seconds(20)

    /// nil: the program is not installed.
    private let path: String?
    private let patience: TimeSpan
    private let program: Mutex<SeedProgram?>
    /// Of all copies.
    let times = WorkerTimes()

    /// Of the program at a path, whose workers may do nothing for as long as said; `running`: one that runs already. Where it ends, the program
    /// takes its place.
    init(path: String?, patience: TimeSpan, running: SeedProgram? = nil) {
        (self.path, self.patience) = (path, patience)
        program = Mutex(running)
    }

    /// Starts the program where none runs. Blocks until it is started, not until it is loaded. Throws `.missing`.
    @discardableResult
    func start() throws(BoxFault) -> SeedProgram {
        if let running = program.withLock({ $0 }) { return running }
        guard let path else { throw .missing }
        let fresh = try SeedProgram(path: path)
        // Another thread may have been faster.
        return program.withLock { running in
            if running == nil { running = fresh }
            return running ?? fresh
        }
    }

    /// Has copies made that are wanted soon: a demuxer, and decoders of video and audio. Blocks for no copy.
    func orderFirst() {
        do throws(BoxFault) {
            try start().order(3)
        } catch {
            // The first worker that is wanted says it.
            return
        }
    }

    /// Ends the copies that were made ahead and that nobody has taken.
    func endSpares() { program.withLock { $0 }?.endOrdered() }

    /// A new worker. Blocks until it is there. Throws `.missing`.
    func worker(_ kind: WorkerKind) throws(BoxFault) -> BoxWorker {
        // A program that has ended is noticed when it is asked.
        for _ in 0..<2 {
            let running = try start()
            do throws(BoxFault) {
                return try copy(of: running, kind)
            } catch {
                program.withLock { if $0 === running { $0 = nil } }
            }
        }
        // A kernel without descriptors of processes, or without room for copies.
        guard let path else { throw .missing }
        return try BoxWorker(path: path, arguments: kind.word.map { [$0, Self.home] } ?? [], patience: patience)
    }

    /// The person's home, below which fonts may lie; empty where it is not known. The program has no variables.
    static var home: String { getenv("HOME").map { String(cString: $0) } ?? "" }

    private func copy(of program: SeedProgram, _ kind: WorkerKind) throws(BoxFault) -> BoxWorker {
        let line = BoxLine(socket: try program.copy(kind), closes: true)
        var descriptor: Int32 = -1
        let birth = try line.receive(within: Self.loading, limit: 0, descriptor: &descriptor)
        guard birth.kind == .born, descriptor >= 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw .nonsense
        }
        return BoxWorker(CopiedProcess(descriptor: descriptor, of: program, times: times), line: line, patience: patience)
    }
}
