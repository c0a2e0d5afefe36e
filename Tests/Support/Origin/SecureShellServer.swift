import AetherCore
import CLinux
import Foundation
import Glibc

/// sshd for sftp on the loopback address, with keys made for it; ends with its last user. Each connection is taken by us and given to an sshd of
/// its own (`-i`), so that nobody else can have the port.
public final class SecureShellServer: Sendable {
    /// No server could be started.
    public struct Failure: Error {}

    private static let program = ProcessInfo.processInfo.environment["AETHER_SSHD"] ?? "/usr/sbin/sshd"

    /// Whether the programs are there.
    public static let isAvailable = [program, "/usr/bin/ssh-keygen"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// "sftp://me@127.0.0.1:40123"; a path of the file system follows.
    public let address: String
    /// The key and the known hosts of who may come in.
    public var folder: String { files.url.path }
    private let files: TemporaryFolder
    private let listener: Int32
    private let stopping = WakeHandle()
    private let accepting: WorkerThread

    /// Makes the keys.
    public init() throws {
        let files = try TemporaryFolder()
        for name in ["host", "id_ed25519"] {
            guard try Command(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", files.path(name)]).status == 0 else {
                throw Failure()
            }
        }
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        // sshd wants it when it is started by root, and its service makes it.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        let key = try String(contentsOfFile: files.path("host.pub"), encoding: .utf8)
        try "[127.0.0.1]:\(port) \(key)".write(toFile: files.path("known_hosts"), atomically: true, encoding: .utf8)
        let configuration = """
            HostKey \(files.path("host"))
            AuthorizedKeysFile \(files.path("id_ed25519.pub"))
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            PidFile none
            Subsystem sftp internal-sftp
            """
        try configuration.write(toFile: files.path("config"), atomically: true, encoding: .utf8)
        let words = [Self.program, "-i", "-f", files.path("config"), "-E", files.path("log")]
        (self.files, listener, address) = (files, socket, "sftp://\(NSUserName())@127.0.0.1:\(port)")
        let stopping = stopping
        accepting = WorkerThread(name: "test-sshd") {
            var children: [pid_t] = []
            while FileServer.waits(socket, POLLIN, stopping) {
                let client = clinux_accept(socket)
                guard client >= 0 else { continue }
                // sshd expects to wait in its calls.
                _ = fcntl(client, F_SETFL, 0)
                if let child = Self.start(words, client) { children.append(child) }
                close(client)
            }
            for child in children {
                kill(child, SIGTERM)
                var status: Int32 = 0
                waitpid(child, &status, 0)
            }
        }
    }

    deinit {
        stopping.wake()
        accepting.join()
        close(listener)
    }

    private static func start(_ words: [String], _ client: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, client, 0)
        posix_spawn_file_actions_adddup2(&actions, client, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        return posix_spawn(&pid, words[0], &actions, nil, &arguments, &environment) == 0 ? pid : nil
    }
}
