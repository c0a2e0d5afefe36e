import CLinux
import Glibc

/// A program that runs beside ours: bytes in, bytes out. Lives on one thread.
public struct ChildProgram: ~Copyable {
    /// The program and its surroundings.
    public struct Call: Sendable {
        /// Where it lies.
        public var path: String
        /// The words behind its name.
        public var arguments: [String]
        /// "NAME=value"; nil: as ours.
        public var environment: [String]?
        /// Its standard input.
        public var input: [UInt8]
        /// Bytes of its output, and of its complaints, that are kept. One that says more is not read any further.
        public var outputLimit: Int
        /// Whether its standard error is of interest.
        public var keepsComplaints: Bool

        /// A call.
        public init(
            path: String, arguments: [String], environment: [String]? = nil, input: [UInt8] = [], outputLimit: Int,
            keepsComplaints: Bool = false
        ) {
            (self.path, self.arguments, self.environment) = (path, arguments, environment)
            (self.input, self.outputLimit, self.keepsComplaints) = (input, outputLimit, keepsComplaints)
        }
    }

    /// The end of a run.
    public enum End: Sendable, Equatable {
        /// The program ended by itself, with this status.
        case exited(Int32)
        /// A signal ended it.
        case killed
        /// The program wrote more than is wanted.
        case overflowed
        /// The program was not waited for any longer.
        case givenUp
    }

    /// The result of a run.
    public struct Outcome: Sendable {
        /// How it ended.
        public let end: End
        /// Its standard output, and its standard error where that was kept; as far as it came.
        public let output, complaints: [UInt8]
    }

    private var process: ChildProcess
    private var input: Descriptor?
    private var output: Descriptor?
    private var complaints: Descriptor?
    private let call: Call
    private var sent = 0
    private var said: [UInt8] = [], complained: [UInt8] = []

    /// The path of a program in the first of these folders ("/usr/local/bin:/usr/bin") that has it; nil for none. Blocks on the file system.
    public static func find(_ name: String, in folders: String) -> String? {
        folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// A program of ours: beside our own program, or in the folder of such programs of the same installation; nil: not installed. Never by PATH.
    /// Blocks on the file system.
    public static func ours(_ name: String) -> String? {
        guard let own, let border = own.lastIndex(of: "/") else { return nil }
        let folder = own[..<border]
        return find(name, in: "\(folder):\(folder)/../libexec/aether-tui")
    }

    /// The path of the program that runs; nil where the system does not say it.
    public static var own: String? {
        var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = room.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : nil
    }

    /// Our own environment, with some variables in the place of ours.
    public static func environment(with variables: [String: String]) -> [String] {
        var all = variables.map { "\($0.key)=\($0.value)" }
        var place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        while let text = place?.pointee {
            let variable = String(cString: text)
            if variables[String(variable.prefix { $0 != "=" })] == nil { all.append(variable) }
            place = place.map { $0 + 1 }
        }
        return all
    }

    /// Starts it; nil when that cannot be done. Blocks until the program is loaded, from a slow disk for long.
    public init?(_ call: Call) {
        guard let toIt = ProgramPipe.toProgram(), let fromIt = ProgramPipe.fromProgram() else { return nil }
        var complaining = call.keepsComplaints ? ProgramPipe.fromProgram() : nil
        let started: ChildProcess
        do throws(ChildProcess.Failure) {
            started = try ChildProcess(
                path: call.path, arguments: call.arguments, environment: call.environment, input: toIt.theirs.number,
                output: fromIt.theirs.number, errors: complaining?.theirs.number ?? -1)
        } catch {
            return nil
        }
        self.init(
            call, started, input: toIt.keepOurs(), output: fromIt.keepOurs(), complaints: complaining.take()?.keepOurs())
    }

    /// One that runs. An initializer of its own: Swift 6.2 stops at one that fails where fields that cannot be copied have been set.
    private init(
        _ call: Call, _ process: consuming ChildProcess, input: consuming Descriptor?, output: consuming Descriptor?,
        complaints: consuming Descriptor?
    ) {
        self.call = call
        self.process = process
        self.input = input
        self.output = output
        self.complaints = complaints
    }

    /// Waits until it has said all and has ended, until the deadline, or until `stop` is signalled, which stays so; then it is ended.
    public consuming func outcome(until deadline: HostTime? = nil, stop: WakeHandle? = nil) -> Outcome {
        var end = End.givenUp
        while true {
            let wanted: [(Int32, Int32)] = [
                (process.watch, POLLIN), (stop?.descriptor ?? -1, POLLIN), (input?.number ?? -1, POLLOUT),
                (output?.number ?? -1, POLLIN), (complaints?.number ?? -1, POLLIN),
            ]
            let ready = Self.poll(wanted, until: deadline)
            if ready.isEmpty || ready.contains(1) { break }
            if ready.contains(2) { write() }
            // The program's last output before its end is there by now.
            read()
            if max(said.count, complained.count) > call.outputLimit {
                end = .overflowed
                break
            }
            if ready.contains(0) || process.watch < 0 && output == nil && complaints == nil {
                // Those that it has left behind hold its output open, and go with it.
                end =
                    switch process.end() {
                    case .exited(let status): .exited(status)
                    case .killed: .killed
                    }
                break
            }
        }
        return Outcome(
            end: end, output: Array(said.prefix(call.outputLimit)), complaints: Array(complained.prefix(call.outputLimit)))
    }

    // MARK: - Inside

    private mutating func write() {
        guard let number = input?.number else { return }
        let count = call.input[sent...].withUnsafeBytes { bytes in
            bytes.isEmpty ? 0 : send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        sent += max(0, count)
        if count <= 0 || sent == call.input.count { input = nil }
    }

    private mutating func read() {
        if let number = output?.number, !Self.read(number, into: &said, limit: call.outputLimit) { output = nil }
        if let number = complaints?.number, !Self.read(number, into: &complained, limit: call.outputLimit) { complaints = nil }
    }

    /// Reads what is there, little more than is wanted; returns whether more may come.
    private static func read(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) -> Bool {
        var room = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            bytes += room[..<count]
        }
        return true
    }

    /// The places of the descriptors that are ready, or have ended; none at the deadline. Those below 0 are left out.
    private static func poll(_ wanted: [(descriptor: Int32, events: Int32)], until deadline: HostTime?) -> Set<Int> {
        var requests = wanted.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        while true {
            let left = deadline.map { Int32(clamping: max(0, ($0 - SystemTime().now()).nanoseconds / 1_000_000 + 1)) }
            if let deadline, deadline <= SystemTime().now() { return [] }
            let count = Glibc.poll(&requests, nfds_t(requests.count), left ?? -1)
            if count < 0, errno == EINTR { continue }
            if count > 0 { return Set(requests.indices.filter { requests[$0].revents != 0 }) }
            if deadline == nil { return [] }
        }
    }
}
