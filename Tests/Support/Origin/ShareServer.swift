import AetherCore
import CLinux
public import Foundation
import Glibc

/// smbd on the loopback address, with the shares "guest", "safe" (with a password) and "sealed" (encrypted) over one folder. Ends with its last
/// user. Each connection is taken by us and given to an smbd of its own (its standard input), so that the port is ours all the time.
public final class ShareServer: Sendable {
    /// No server could be started.
    public struct Failure: Error {}

    /// Whether it is there, and we may run it: it changes its user.
    public static let isAvailable =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/smbd")
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/smbpasswd")

    /// Where it listens.
    public let port: UInt16
    /// The folder behind the shares.
    public let folder: URL
    private let files: TemporaryFolder
    private let words: [String]
    private let environment: [String]
    private let door = Monitor<Door?>(nil)
    private let children = Monitor<[pid_t]>([])

    /// The listener, and the thread that takes its connections.
    private struct Door: Sendable {
        let listener: Int32
        let stopping: WakeHandle
        let accepting: WorkerThread
    }

    /// Makes folder, settings and a user ("root", "se cret"). `settings`: further lines of the section for all shares. `environment`: further
    /// variables of smbd ("NAME=value").
    public init(settings: String = "", environment: [String] = []) throws {
        let files = try TemporaryFolder()
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        for name in ["share", "private", "lock", "run"] {
            try FileManager.default.createDirectory(at: files.url.appending(path: name), withIntermediateDirectories: true)
        }
        let root = files.url.path
        try Self.settings(root, settings).write(toFile: files.path("smb.conf"), atomically: true, encoding: .utf8)
        let made = try Command(
            ["smbpasswd", "-c", files.path("smb.conf"), "-L", "-s", "-a", "root"], input: Data("se cret\nse cret\n".utf8))
        guard made.status == 0 else { throw Failure() }
        words = ["/usr/sbin/smbd", "-F", "--no-process-group", "-s", files.path("smb.conf"), "-l", root]
        (self.files, self.port, folder) = (files, port, files.url.appending(path: "share"))
        self.environment = ["PATH=/usr/sbin:/usr/bin:/bin"] + environment
        open(socket)
    }

    deinit { leave() }

    private func open(_ listener: Int32) {
        let (stopping, children, words, environment) = (WakeHandle(), children, words, environment)
        let accepting = WorkerThread(name: "test-smbd") {
            while FileServer.waits(listener, POLLIN, stopping) {
                let client = clinux_accept(listener)
                guard client >= 0 else { continue }
                _ = fcntl(client, F_SETFL, 0)
                if let child = Self.start(words, environment, client) { children.update { $0.append(child) } }
                close(client)
            }
        }
        door.update { $0 = Door(listener: listener, stopping: stopping, accepting: accepting) }
    }

    /// Ends as a machine does that is switched off: connections are killed, and new ones refused.
    public func leave() {
        if let door = door.update({ $0.take() }) {
            door.stopping.wake()
            door.accepting.join()
            close(door.listener)
        }
        killConnections()
    }

    /// Is there again, where it was.
    public func comeBack() throws {
        guard let (socket, _) = FileServer.listener(port: port) else { throw Failure() }
        open(socket)
    }

    /// How many connections there were since the last `killConnections`.
    public var connections: Int { children.read { $0.count } }

    /// Kills the servers of all connections that there are; new ones are taken.
    public func killConnections() {
        for child in children.update({ children in
            defer { children = [] }
            return children
        }) {
            kill(child, SIGKILL)
            var status: Int32 = 0
            waitpid(child, &status, 0)
        }
    }

    private static func settings(_ root: String, _ more: String) -> String {
        """
        [global]
        server role = standalone server
        map to guest = Bad User
        guest account = root
        disable netbios = yes
        load printers = no
        printing = bsd
        private dir = \(root)/private
        lock directory = \(root)/lock
        state directory = \(root)/lock
        cache directory = \(root)/lock
        pid directory = \(root)/run
        ncalrpc dir = \(root)/run/ncalrpc
        passdb backend = smbpasswd:\(root)/private/smbpasswd
        \(more.replacing("\n", with: "\n        "))
        [guest]
        path = \(root)/share
        guest ok = yes
        [safe]
        path = \(root)/share
        [sealed]
        path = \(root)/share
        smb encrypt = required
        """
    }

    private static func start(_ words: [String], _ surroundings: [String], _ client: Int32) -> pid_t? {
        // In a group of its own: at its end smbd ends its whole group.
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = surroundings.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        let pid = clinux_spawn(words[0], &arguments, &environment, client, client, -1)
        return pid > 0 ? pid : nil
    }
}
