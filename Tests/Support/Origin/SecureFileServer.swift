public import Foundation
import Glibc

/// A server of ftps on the loopback address: TLS from the first byte, for commands and for files, as libcurl wants it of ftps://. Python
/// speaks TLS, which nothing of ours does; ends with its last user.
public final class SecureFileServer: Sendable {
    /// Whether the programs are there.
    public static let isAvailable = ["/usr/bin/python3", "/usr/bin/openssl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// "ftps://127.0.0.1:40123".
    public let address: String
    /// The certificate, which is its own authority.
    public let certificate: String
    private let folder: TemporaryFolder
    private let process: pid_t

    /// Serves one file, whatever its name.
    public init(_ file: URL) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        certificate = folder.path("cert.pem")
        try SecureServer.makeCertificates(.good, folder)
        let (socket, port) = try SecureServer.listener()
        defer { close(socket) }
        address = "ftps://127.0.0.1:\(port)"
        process = try SecureServer.start(
            ["/usr/bin/python3", "-c", Self.program, certificate, folder.path("key.pem"), file.path, folder.path("log")], socket)
    }

    deinit {
        // The threads of tests block signals, which a program inherits, and Python leaves it so.
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// The commands so far, without passwords.
    public var commands: [String] {
        ((try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private static let program = """
        import os, socket, ssl, sys, threading
        certificate, key, path, log = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        film = open(path, 'rb').read()
        log = open(log, 'w', buffering=1)
        def serve(plain):
            try:
                control = context.wrap_socket(plain, server_side=True)
                lines = control.makefile('r', newline='\\r\\n')
                say = lambda text: control.sendall((text + '\\r\\n').encode())
                start, data = 0, None
                say('220 films')
                for line in lines:
                    word, _, rest = line.strip().partition(' ')
                    log.write((word if word == 'PASS' else line.strip()) + '\\n')
                    if word == 'EPSV':
                        data = socket.create_server(('127.0.0.1', 0))
                        say('229 there (|||%d|)' % data.getsockname()[1])
                    elif word == 'REST':
                        start = int(rest)
                        say('350 from there')
                    elif word == 'SIZE':
                        say('213 %d' % len(film))
                    elif word == 'RETR':
                        say('150 here it comes')
                        channel = context.wrap_socket(data.accept()[0], server_side=True)
                        channel.sendall(film[start:])
                        channel.unwrap().close()
                        start = 0
                        say('226 done')
                    else:
                        say({'USER': '331 password', 'PASS': '230 in', 'PWD': '257 "/" is it'}.get(word, '200 yes'))
            except (OSError, ValueError):
                pass
        listener = socket.socket(fileno=100)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
