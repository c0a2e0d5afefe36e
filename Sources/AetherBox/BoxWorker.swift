public import AetherCore
import CBox
import Glibc

/// A process in a box and the way to it. It ends with its owner. For one thread at a time.
public struct BoxWorker: ~Copyable, Sendable {
    private var process: Process
    private let line: BoxLine
    private let patience: TimeSpan

    /// Its process, by whom it was started.
    private enum Process: ~Copyable, Sendable {
        case ours(ChildProcess)
        /// A copy of a program that makes workers.
        case copied(CopiedProcess)
    }

    /// Starts the program at a path, with nothing of our environment. `patience`: how long it may do nothing. Blocks until it is loaded. Throws
    /// `.missing`.
    public init(path: String, arguments: [String] = [], patience: TimeSpan = .seconds(5)) throws(BoxFault) {
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        defer { close(theirs) }
        let line = BoxLine(socket: ours, closes: true)
        do throws(ChildProcess.Failure) {
            process = .ours(try ChildProcess(path: path, arguments: arguments, environment: [], input: theirs, output: theirs))
        } catch {
            throw .missing
        }
        self.line = line
        self.patience = patience
    }

    /// A copy of a program that makes workers, at the other end of a line.
    init(_ copy: consuming CopiedProcess, line: consuming BoxLine, patience: TimeSpan) {
        process = .copied(copy)
        self.line = line
        self.patience = patience
    }

    /// Sends a wish and returns the answer. While the worker works on it, `serve` answers what it asks for in between; that takes as long as it
    /// does. `bound`: it may do nothing for no longer than this either. Blocks. Throws what ended the worker; it is of no use then.
    public mutating func answer(
        to wish: BoxMessage, descriptor: Int32 = -1, within bound: TimeSpan? = nil,
        serve: (BoxMessage) -> BoxMessage? = { _ in nil }
    ) throws(BoxFault) -> BoxMessage {
        let patience = min(bound ?? patience, patience)
        try line.send(wish, descriptor: descriptor, within: patience)
        while true {
            let message = try line.receive(within: patience)
            switch message.kind {
            case .value, .failure: return message
            default:
                guard let reply = serve(message) else { throw .nonsense }
                try line.send(reply, within: patience)
            }
        }
    }

    /// The parts of the box that hold around it, by its own word. Blocks. Throws as `answer`.
    public mutating func parts() throws(BoxFault) -> BoxParts {
        let answer = try answer(to: BoxMessage(.state))
        guard answer.kind == .value, answer.bytes.count == 4 else { throw .nonsense }
        return BoxParts(rawValue: answer.bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) })
    }

    /// Shares a tray with it; nil where there is no memory. Blocks. Throws as `answer`.
    mutating func shareTray() throws(BoxFault) -> SharedTray? {
        guard let made = SharedTray.make() else { return nil }
        defer { close(made.descriptor) }
        guard try answer(to: BoxMessage(.takeTray), descriptor: made.descriptor).kind == .value else { throw .nonsense }
        return made.tray
    }

    /// Ends it at once. Its status is taken elsewhere.
    public consuming func abandon() {
        switch consume process {
        case .ours(let child): child.abandon()
        case .copied: break
        }
    }

    /// Whether a signal ended it, once it ended; nil of a copy, whose status is not ours. Blocks until then.
    public consuming func wasKilled() -> Bool? {
        switch consume process {
        case .ours(var child):
            var ready = pollfd(fd: child.watch, events: Int16(POLLIN), revents: 0)
            while poll(&ready, 1, -1) < 0, errno == EINTR {}
            return child.end() == .killed
        case .copied: return nil
        }
    }
}

/// A copy of a program, which is no child of ours, by its descriptor. It ends with its owner.
struct CopiedProcess: ~Copyable, Sendable {
    private let descriptor: Int32
    /// It ends its copies when it ends.
    private let program: SeedProgram
    private let times: WorkerTimes
    private let number: Int32?

    /// Of a descriptor, which is owned from now on.
    init(descriptor: Int32, of program: SeedProgram, times: WorkerTimes) {
        (self.descriptor, self.program, self.times) = (descriptor, program, times)
        number = times.begin(descriptor)
    }

    deinit {
        if let number { times.end(number) }
        box_end(descriptor)
        close(descriptor)
    }
}
