import AetherCore
import CCurl
import Glibc

/// Servers of files: ftp, ftps and sftp. Their answers have no heads; what libcurl has learnt stands for one.
extension EasyHandle {
    /// The options for such a server.
    func fileOptions(_ options: HTTPOptions) -> [CURLcode] {
        var statuses = [
            aether_curl_set_size(curl, CURLOPT_RESUME_FROM_LARGE, curl_off_t(order.offset ?? 0)), set(CURLOPT_FILETIME, 1),
            // One command for the way to a folder, and not one for each of its parts.
            set(CURLOPT_FTP_FILEMETHOD, Int(CURLFTPMETHOD_SINGLECWD.rawValue)),
            // A proxy of the web carries the connection, and is not asked to speak ftp.
            set(CURLOPT_HTTPPROXYTUNNEL, 1),
        ]
        let home: String? = getenv("HOME").map { String(cString: $0) }
        guard order.address.origin.scheme == "sftp", let folder = options.sshFolder ?? home.map({ $0 + "/.ssh" }) else {
            return statuses
        }
        // Without the option libcurl would trust any server; where the file has no such host, or is missing, it trusts no server.
        if !options.trustsAnybody { statuses.append(set(CURLOPT_SSH_KNOWNHOSTS, folder + "/known_hosts")) }
        let keys: [String] = ["id_ed25519", "id_ecdsa", "id_rsa"].map { (name: String) in folder + "/" + name }
        if let key = keys.first(where: { access($0, R_OK) == 0 }) { statuses.append(set(CURLOPT_SSH_PRIVATE_KEYFILE, key)) }
        let user: String? = getenv("USER").map { String(cString: $0) }
        if order.user == nil, let user { statuses.append(set(CURLOPT_USERNAME, user)) }
        return statuses
    }

    /// Tells the sink of the file, in the web's words. False: it may not be read.
    func tellFileHead() -> Bool {
        isHeadTold = true
        let isPrivate = isAnsweredPrivately
        guard admits(isPrivate ? .closed : .open) else { return false }
        let head = FileHead.head(
            asked: order.offset ?? 0, length: aether_curl_length(curl), change: aether_curl_change(curl))
        sink.take(head, from: TransferPeer(isPrivate: isPrivate, connections: aether_curl_connections(curl)), of: number)
        return true
    }
}

/// The file facts that a file server gives, put as an HTTP head. Pure.
enum FileHead {
    /// The head of an answer to a request for the bytes from `asked` on. `length`: of those, -1 where not stated. `change`: in seconds since 1970,
    /// -1 where not stated.
    static func head(asked: Int64, length: Int64, change: Int64) -> HTTPHead {
        var head = HTTPHead(status: 200)
        if change >= 0 { head.fields["last-modified"] = "@\(change)" }
        guard length >= 0, asked <= Int64.max - length else { return head }
        let size = asked + length
        head.fields["content-length"] = String(length)
        if length > 0 {
            head.status = 206
            head.fields["content-range"] = "bytes \(asked)-\(size - 1)/\(size)"
        } else if asked > 0 {
            head.status = 416
            head.fields["content-range"] = "bytes */\(size)"
        }
        return head
    }
}
