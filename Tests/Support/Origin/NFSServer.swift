import AetherCore
public import Foundation
import Glibc

/// NFS-Ganesha, which serves NFS 4 without the kernel, on the loopback address: one folder as `/media`. Ends with its last user.
public final class NFSServer: Sendable {
    /// No server could be started.
    public struct Failure: Error {}

    /// Whether it is there, and runs: it reads files by their handles, which not every file system and not every container has.
    public static let runs: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/ganesha.nfsd") else { return false }
        do {
            let server = try NFSServer()
            return server.hasExport
        } catch {
            return false
        }
    }()

    /// Where it listens.
    public let port: UInt16
    /// The folder behind the export.
    public let folder: URL
    private let files: TemporaryFolder
    private let program: Pty

    /// Starts it and waits until it serves.
    public init() throws {
        let files = try TemporaryFolder()
        folder = files.url.appending(path: "share")
        for name in ["share", "state"] {
            try FileManager.default.createDirectory(at: files.url.appending(path: name), withIntermediateDirectories: true)
        }
        // It takes the port itself: one that was free a moment ago.
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        close(socket)
        try Self.settings(files, port).write(toFile: files.path("ganesha.conf"), atomically: true, encoding: .utf8)
        let program = try Pty([
            "/usr/bin/ganesha.nfsd", "-F", "-f", files.path("ganesha.conf"), "-L", "/dev/stdout", "-p", files.path("pid"), "-N",
            "EVENT",
        ])
        (self.files, self.port, self.program) = (files, port, program)
        guard program.waitForOutput({ String(decoding: $0, as: UTF8.self).contains("NFS SERVER INITIALIZED") }) else {
            throw Failure()
        }
    }

    private var hasExport: Bool { !program.text.contains("No export entries found") && !program.text.contains("VFS export") }

    private static func settings(_ files: TemporaryFolder, _ port: UInt16) -> String {
        """
        NFS_CORE_PARAM {
            NFS_Protocols = 4; NFS_Port = \(port); Bind_addr = 127.0.0.1;
            Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false;
        }
        NFSV4 { Graceless = true; RecoveryBackend = fs; RecoveryRoot = \(files.path("state")); }
        EXPORT {
            Export_Id = 1; Path = \(files.path("share")); Pseudo = /media; Access_Type = RO; Squash = No_Root_Squash;
            SecType = sys; Protocols = 4; FSAL { Name = VFS; }
        }
        """
    }
}
