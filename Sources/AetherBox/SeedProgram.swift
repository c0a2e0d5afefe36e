import AetherCore
import CBox
import Glibc
import Synchronization

/// A running program of which workers are copies, and our end of the stream that asks for them. It ends with the last who holds it, and its copies
/// with it. Any thread.
final class SeedProgram: Sendable {
    private let process: Mutex<ChildProcess>
    /// A byte with a descriptor is the wish for a copy: the number of its kind.
    private let control: Int32
    /// Our ends of the streams to copies that were ordered and not taken yet.
    private let ahead = Mutex<[Int32]>([])

    /// Starts the program. Throws `.missing`.
    init(path: String) throws(BoxFault) {
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        defer { close(theirs) }
        do throws(ChildProcess.Failure) {
            let started = try ChildProcess(
                path: path, arguments: [WorkerSeed.word, WorkerSeed.home], environment: [], input: theirs, output: theirs)
            process = Mutex(started)
        } catch {
            close(ours)
            throw .missing
        }
        control = ours
    }

    /// Copies our own process, which has no other thread yet, and knows of no source: `words` are those of the command line, which the copy forgets.
    /// Takes some milliseconds, and no second loading of libraries; the copy has their addresses in common with ours. Throws `.missing`.
    init(copying words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32) throws(BoxFault) {
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        defer { close(theirs) }
        var home = [CChar](repeating: 0, count: Int(PATH_MAX))
        let copy = box_copy_self(theirs, count, words, &home, home.count)
        if copy == 0 {
            _exit(
                DecoderService.runCopies(
                    home: String(decoding: home.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
        }
        guard copy > 0 else {
            close(ours)
            throw .missing
        }
        process = Mutex(ChildProcess(adopting: copy))
        control = ours
    }

    deinit {
        endOrdered()
        close(control)
    }

    /// Ends the copies that were ordered and not taken: the end of their stream ends them.
    func endOrdered() {
        let sockets = ahead.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        for socket in sockets { close(socket) }
    }

    /// Has copies made that are not waited for: such a copy is ready some 10 ms later, and waits for its first wish. Throws `.ended`.
    func order(_ count: Int) throws(BoxFault) {
        for _ in 0..<count {
            let socket = try ordered(.plain)
            ahead.withLock { $0.append(socket) }
        }
    }

    /// Our end of the stream to a copy, which is the caller's: one that was ordered, else a new one. Throws `.ended`.
    func copy(_ kind: WorkerKind) throws(BoxFault) -> Int32 {
        if kind == .plain, let socket = ahead.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return socket }
        return try ordered(kind)
    }

    private func ordered(_ kind: WorkerKind) throws(BoxFault) -> Int32 {
        var byte = kind.rawValue
        var ours: Int32 = -1, theirs: Int32 = -1
        guard box_socket_pair(&ours, &theirs) == 0 else { throw .missing }
        defer { close(theirs) }
        guard box_send(control, &byte, 1, theirs, 0) == 1 else {
            close(ours)
            throw .ended
        }
        return ours
    }
}
