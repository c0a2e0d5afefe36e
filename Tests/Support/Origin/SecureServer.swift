public import Foundation
import Glibc

/// nginx on the loopback address with TLS, HTTP/2 and a certificate made for it; ends with its last user. A server that behaves, and speaks what
/// `TestOrigin` does not.
public final class SecureServer: Sendable {
    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// Whether the programs are there.
    public static let isAvailable = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let folders = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"

    /// Whether it can list folders of WebDAV, below /dav/.
    public static let listsFolders = isAvailable && FileManager.default.fileExists(atPath: folders)

    /// "https://127.0.0.1:40123".
    public let address: String
    /// The certificate, which is its own authority.
    public let certificate: String
    private let folder: TemporaryFolder
    private let process: pid_t

    /// Serves a folder.
    public init(_ root: URL) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        certificate = folder.path("cert.pem")
        let made = try Command([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.path("key.pem"), "-out", certificate,
        ])
        guard made.status == 0 else { throw Failure(description: made.standardError) }
        try Data("me:{PLAIN}p@ss word\n".utf8).write(to: folder.url.appending(path: "people"))
        for path in [folder.url.path, folder.path("people")] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        // Ours from the beginning: nobody else can take the port, and connections wait in its queue until nginx takes them.
        let (socket, port) = try SecureServer.listener()
        defer { close(socket) }
        address = "https://127.0.0.1:\(port)"
        try Data(SecureServer.configuration(folder, root, port).utf8).write(to: folder.url.appending(path: "nginx.conf"))
        process = try SecureServer.start(
            ["/usr/sbin/nginx", "-p", folder.url.path, "-e", folder.path("error.log"), "-c", folder.path("nginx.conf")], socket)
    }

    deinit {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// The requests so far, a line each: protocol, status, range, method, path. Written when an answer has been sent.
    public var log: [String] {
        ((try? String(contentsOfFile: folder.path("access.log"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private static func configuration(_ folder: TemporaryFolder, _ root: URL, _ port: UInt16) -> String {
        """
        \(listsFolders ? "load_module \(folders);" : "")
        pid \(folder.path("nginx.pid"));
        daemon off;
        worker_processes 1;
        events {}
        http {
            log_format short '$server_protocol $status $http_range $request_method $uri';
            access_log \(folder.path("access.log")) short;
            client_body_temp_path \(folder.path("body"));
            proxy_temp_path \(folder.path("proxy"));
            fastcgi_temp_path \(folder.path("fastcgi"));
            uwsgi_temp_path \(folder.path("uwsgi"));
            scgi_temp_path \(folder.path("scgi"));
            limit_req_zone $server_port zone=few:1m rate=2r/s;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder.path("cert.pem"));
                ssl_certificate_key \(folder.path("key.pem"));
                root \(root.path);
                location /down { return 302 http://127.0.0.1:1/film; }
                location /list/ { alias \(root.path)/; autoindex on; }
                location /private/ { alias \(root.path)/; auth_basic films; auth_basic_user_file \(folder.path("people")); }
                \(listsFolders ? "location /dav/ { alias \(root.path)/; dav_ext_methods PROPFIND OPTIONS; }" : "")
                location /few/ { alias \(root.path)/; limit_req zone=few; limit_req_status 429; }
            }
        }
        """
    }

    private static func listener() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard socket >= 0, isBound else { throw Failure(description: "no socket") }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// nginx takes over the sockets whose numbers it finds in its environment.
    private static func start(_ words: [String], _ socket: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let inherited: Int32 = 100
        posix_spawn_file_actions_adddup2(&actions, socket, inherited)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables = ["NGINX=\(inherited);", "PATH=/usr/bin:/bin"]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, words[0], &actions, nil, &arguments, &environment)
        guard status == 0 else { throw Failure(description: "nginx does not start: \(status)") }
        return pid
    }
}
