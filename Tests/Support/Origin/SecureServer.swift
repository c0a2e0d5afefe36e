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

    /// How its certificate differs from one that is good.
    public enum Certificate: Sendable {
        case good
        /// Over at the second in which it was made.
        case expired
        /// For another address.
        case misnamed
    }

    /// "https://127.0.0.1:40123".
    public let address: String
    /// The certificate, which is its own authority.
    public let certificate: String
    /// A client's certificate and key in one file: without it /vouched/ is closed.
    public let clientCertificate: String
    private let folder: TemporaryFolder
    private let process: pid_t

    /// Serves a folder. What is below /other/ is redirected to that address.
    public init(_ root: URL, _ kind: Certificate = .good, other: String = "https://127.0.0.1:1") throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        (certificate, clientCertificate) = (folder.path("cert.pem"), folder.path("client.pem"))
        try SecureServer.makeCertificates(kind, folder)
        try Data("me:{PLAIN}p@ss word\n".utf8).write(to: folder.url.appending(path: "people"))
        for path in [folder.url.path, folder.path("people")] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        // Ours from the beginning: nobody else can take the port, and connections wait in its queue until nginx takes them.
        let (socket, port) = try SecureServer.listener()
        defer { close(socket) }
        address = "https://127.0.0.1:\(port)"
        try Data(SecureServer.configuration(folder, root, port, other).utf8).write(to: folder.url.appending(path: "nginx.conf"))
        process = try SecureServer.start(
            ["/usr/sbin/nginx", "-p", folder.url.path, "-e", folder.path("error.log"), "-c", folder.path("nginx.conf")], socket)
    }

    static func makeCertificates(_ kind: Certificate, _ folder: TemporaryFolder) throws {
        func make(_ words: [String]) throws {
            let made = try Command(["openssl"] + words)
            guard made.status == 0 else { throw Failure(description: made.standardError) }
        }
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        let name = "subjectAltName=IP:\(kind == .misnamed ? "127.0.0.9" : "127.0.0.1")"
        try Data("basicConstraints=critical,CA:TRUE\n\(name)\n".utf8).write(to: folder.url.appending(path: "names"))
        try make(
            ["req", "-new"] + curve + ["-subj", "/CN=test", "-keyout", folder.path("key.pem"), "-out", folder.path("asked")])
        try make([
            "x509", "-req", "-in", folder.path("asked"), "-signkey", folder.path("key.pem"), "-days",
            // OpenSSL 3.5 makes none that was over before.
            kind == .expired ? "0" : "2", "-extfile", folder.path("names"), "-out", folder.path("cert.pem"),
        ])
        try make(
            ["req", "-x509"] + curve + [
                "-days", "2", "-subj", "/CN=me", "-keyout", folder.path("me.key"), "-out", folder.path("me.pem"),
            ])
        let both = try ["me.pem", "me.key"].map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }.joined()
        try Data(both.utf8).write(to: folder.url.appending(path: "client.pem"))
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

    /// The requests so far, with what they brought: path, state of the client's certificate, cookies. Blocks until there are so many, for a minute
    /// at most: a line is written behind the end of its answer.
    public func trustLog(of count: Int) -> [String] {
        let path = folder.path("trust.log"), watch = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(watch) }
        inotify_add_watch(watch, path, UInt32(IN_MODIFY))
        var event = [UInt8](repeating: 0, count: 4096)
        while true {
            // No file is no line yet.
            let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
            var change = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            guard lines.count < count, poll(&change, 1, 60_000) > 0, read(watch, &event, event.count) > 0 else { return lines }
        }
    }

    private static func configuration(_ folder: TemporaryFolder, _ root: URL, _ port: UInt16, _ other: String) -> String {
        """
        \(listsFolders ? "load_module \(folders);" : "")
        pid \(folder.path("nginx.pid"));
        daemon off;
        worker_processes 1;
        events {}
        http {
            log_format short '$server_protocol $status $http_range $request_method $uri';
            log_format trust '$uri cert=$ssl_client_verify cookie=$http_cookie';
            access_log \(folder.path("access.log")) short;
            access_log \(folder.path("trust.log")) trust;
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
                ssl_client_certificate \(folder.path("me.pem"));
                ssl_verify_client optional;
                root \(root.path);
                location /other/ { rewrite ^/other/(.*)$ \(other)/$1 redirect; }
                location /vouched/ {
                    if ($ssl_client_verify != SUCCESS) { return 403; }
                    alias \(root.path)/;
                }
                location /down { return 302 http://127.0.0.1:1/film; }
                location /list/ { alias \(root.path)/; autoindex on; }
                location /private/ { alias \(root.path)/; auth_basic films; auth_basic_user_file \(folder.path("people")); }
                \(listsFolders ? "location /dav/ { alias \(root.path)/; dav_ext_methods PROPFIND OPTIONS; }" : "")
                location /newer/ { alias \(root.path)/; add_header Alt-Svc 'h3=":$server_port"'; }
                location /few/ { alias \(root.path)/; limit_req zone=few; limit_req_status 429; }
            }
        }
        """
    }

    static func listener() throws -> (socket: Int32, port: UInt16) {
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

    /// The program finds the socket as its descriptor 100. nginx takes over the sockets whose numbers it finds in its environment.
    static func start(_ words: [String], _ socket: Int32) throws -> pid_t {
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
