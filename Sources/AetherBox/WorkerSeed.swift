import AetherCore
import CBox
import Glibc
import Synchronization

/// The program of the box, loaded once: each worker is a copy of its process, which takes 2 ms and shares its memory, where a program of its own
/// takes 50 ms to load its libraries. It is never in touch with a source. Any thread.
final class WorkerSeed: Sendable {
    /// The argument that makes the program one.
    static let word = "seed"
    /// A machine may be so busy that loading takes long: what hangs is found out later, by the worker's own patience.
    private static let loading = TimeSpan.seconds(20)

    private let path: String
    private let patience: TimeSpan
    private let program = Mutex<SeedProgram?>(nil)

    /// Of the program at a path, whose workers may do nothing for as long as said.
    init(path: String, patience: TimeSpan) { (self.path, self.patience) = (path, patience) }

    /// Starts the program where none runs. Blocks until it is started, not until it is loaded. Throws `.missing`.
    @discardableResult
    func start() throws(BoxFault) -> SeedProgram {
        if let running = program.withLock({ $0 }) { return running }
        let fresh = try SeedProgram(path: path)
        // Another thread may have been faster.
        return program.withLock { running in
            if running == nil { running = fresh }
            return running ?? fresh
        }
    }

    /// A new worker. Blocks until it is there. Throws `.missing`.
    func worker() throws(BoxFault) -> BoxWorker {
        // A program that has ended is noticed when it is asked.
        for _ in 0..<2 {
            let running = try start()
            do throws(BoxFault) {
                return try copy(of: running)
            } catch {
                program.withLock { if $0 === running { $0 = nil } }
            }
        }
        // A kernel without descriptors of processes, or without room for copies.
        return try BoxWorker(path: path, patience: patience)
    }

    private func copy(of program: SeedProgram) throws(BoxFault) -> BoxWorker {
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        let line = BoxLine(socket: ours, closes: true)
        let isSent = box_send(program.control, "w", 1, theirs) == 1
        close(theirs)
        guard isSent else { throw .ended }
        var descriptor: Int32 = -1
        let birth = try line.receive(within: Self.loading, limit: 0, descriptor: &descriptor)
        guard birth.kind == .born, descriptor >= 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw .nonsense
        }
        return BoxWorker(CopiedProcess(descriptor: descriptor, of: program), line: line, patience: patience)
    }
}

/// A running program of which workers are copies, and our end of the stream that asks for them. It ends with the last who holds it, and its copies
/// with it. Any thread.
final class SeedProgram: Sendable {
    private let process: Mutex<ChildProcess>
    /// A byte with a descriptor is the wish for a copy.
    let control: Int32

    /// Starts the program. Throws `.missing`.
    init(path: String) throws(BoxFault) {
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        defer { close(theirs) }
        do throws(ChildProcess.Failure) {
            let started = try ChildProcess(
                path: path, arguments: [WorkerSeed.word], environment: [], input: theirs, output: theirs)
            process = Mutex(started)
        } catch {
            close(ours)
            throw .missing
        }
        control = ours
    }

    deinit { close(control) }
}
