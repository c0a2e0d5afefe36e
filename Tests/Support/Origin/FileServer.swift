import AetherCore
import CLinux
import Foundation
import Glibc

/// A server of ftp on the loopback address, with a name and a password if it is given them, that writes down every command. A thread for each
/// connection; ends with its last user.
public final class FileServer: Sendable {
    /// How its transfers go.
    public struct Habits: Sendable {
        /// The data connection is cut after so many bytes of each transfer.
        public var drop: Int?
        /// "name:password"; nil: everybody is let in.
        public var account: String?
        /// It says how long files are, and when they were changed.
        public var knowsSizes = true
        /// From this transfer on files have another time of change.
        public var changesAt = Int.max

        /// It behaves.
        public init() {}
    }

    private struct State: Sendable {
        var commands: [String] = []
        var transfers = 0
        var threads: [WorkerThread] = []
    }

    /// No socket could be opened.
    public struct Failure: Error {}

    /// "ftp://127.0.0.1:40123".
    public let address: String
    private let files: [String: [UInt8]]
    private let habits: Habits
    private let state = Monitor(State())
    private let stopping = WakeHandle()
    private let listener: Int32

    /// Serves the files by their names.
    public init(_ files: [String: [UInt8]], _ habits: Habits = Habits()) throws {
        (self.files, self.habits) = (files, habits)
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        listener = socket
        address = "ftp://127.0.0.1:\(port)"
        let (state, stopping) = (state, stopping)
        let accepting = WorkerThread(name: "test-ftp") {
            while FileServer.waits(socket, POLLIN, stopping) {
                let client = clinux_accept(socket)
                guard client >= 0 else { continue }
                let thread = WorkerThread(name: "test-ftp") {
                    var connection = FileConnection(
                        control: client, files: files, habits: habits, stopping: stopping,
                        note: { command in state.update { $0.commands.append(command) } },
                        begins: { state.update { $0.transfers += 1 } }, begun: { state.read { $0.transfers } })
                    connection.serve()
                    close(client)
                }
                state.update { $0.threads.append(thread) }
            }
        }
        state.update { $0.threads.append(accepting) }
    }

    deinit {
        stopping.wake()
        while let thread = state.update({ $0.threads.isEmpty ? nil : $0.threads.removeFirst() }) { thread.join() }
        close(listener)
    }

    /// All commands so far, without passwords.
    public var commands: [String] { state.read { $0.commands } }

    /// Transfers that were begun so far.
    public var transfers: Int { state.read { $0.transfers } }
}

/// One control connection and its transfers.
private struct FileConnection {
    let control: Int32
    let files: [String: [UInt8]]
    let habits: FileServer.Habits
    let stopping: WakeHandle
    let note: @Sendable (String) -> Void
    let begins: @Sendable () -> Void
    let begun: @Sendable () -> Int
    private var data: Int32 = -1
    private var start = 0
    private var user = ""

    init(
        control: Int32, files: [String: [UInt8]], habits: FileServer.Habits, stopping: WakeHandle,
        note: @escaping @Sendable (String) -> Void, begins: @escaping @Sendable () -> Void,
        begun: @escaping @Sendable () -> Int
    ) {
        (self.control, self.files, self.habits, self.stopping) = (control, files, habits, stopping)
        (self.note, self.begins, self.begun) = (note, begins, begun)
    }

    mutating func serve() {
        defer { if data >= 0 { close(data) } }
        say("220 films")
        while let line = line() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let word = words.first?.uppercased() ?? "", rest = words.count > 1 ? words[1] : ""
            note(word == "PASS" ? "PASS" : line)
            guard answer(word, rest) else { return }
        }
    }

    private mutating func answer(_ word: String, _ rest: String) -> Bool {
        let file = files[rest.split(separator: "/").last.map(String.init) ?? ""]
        switch word {
        case "USER":
            user = rest
            say("331 password")
        case "PASS": say(habits.account.map { $0 == "\(user):\(rest)" } ?? true ? "230 in" : "530 no")
        case "PWD": say("257 \"/\" is it")
        case "CWD", "TYPE": say("200 yes")
        case "SIZE" where habits.knowsSizes: say(file.map { "213 \($0.count)" } ?? "550 none")
        case "MDTM" where habits.knowsSizes:
            say(file == nil ? "550 none" : "213 2026112310000\(begun() + 1 >= habits.changesAt ? 1 : 0)")
        case "REST":
            start = Int(rest) ?? 0
            say("350 from there")
        case "EPSV":
            if data >= 0 { close(data) }
            guard let (socket, port) = FileServer.listener() else { return false }
            data = socket
            say("229 there (|||\(port)|)")
        case "RETR": return send(file)
        case "QUIT":
            say("221 bye")
            return false
        default: say("502 not spoken")
        }
        return true
    }

    private mutating func send(_ file: [UInt8]?) -> Bool {
        guard let file, data >= 0 else {
            say("550 none")
            return true
        }
        begins()
        say("150 here it comes")
        guard FileServer.waits(data, POLLIN, stopping) else { return false }
        let socket = clinux_accept(data)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var rest = file[min(start, file.count)...]
        start = 0
        let isCut = habits.drop.map { rest.count > $0 } ?? false
        if let drop = habits.drop { rest = rest.prefix(drop) }
        while !rest.isEmpty {
            guard FileServer.waits(socket, POLLOUT, stopping) else { return false }
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        if isCut { return false }
        shutdown(socket, Int32(SHUT_RDWR))
        say("226 done")
        return true
    }

    private func say(_ text: String) {
        let bytes = Array((text + "\r\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(control, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func line() -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 4096, FileServer.waits(control, POLLIN, stopping) {
            var byte: UInt8 = 0
            guard recv(control, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { return nil }
            if byte == 0x0A { return String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}

extension FileServer {
    /// Waits until the socket is ready; false: the server ends.
    static func waits(_ socket: Int32, _ event: Int32, _ stopping: WakeHandle) -> Bool {
        var polled = [
            pollfd(fd: socket, events: Int16(event), revents: 0),
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0, errno == EINTR {}
        return polled[1].revents == 0
    }

    /// `port`: one that was ours a moment ago.
    static func listener(port: UInt16 = 0) -> (socket: Int32, port: UInt16)? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in(), reuse: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        address.sin_port = port.bigEndian
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard socket >= 0, isBound else {
            close(socket)
            return nil
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}
