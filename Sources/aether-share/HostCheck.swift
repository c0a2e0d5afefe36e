import Glibc

/// Whether a host is there: libsmbclient says "invalid argument" of one that is not.
enum HostCheck {
    /// The errno of a connection; 0 where there is one, ENXIO for a name without an address. Blocks for 5 s at most for each address.
    static func failure(_ host: String, port: Int) -> Int32 {
        var found: UnsafeMutablePointer<addrinfo>?
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return ENXIO }
        defer { freeaddrinfo(found) }
        var last = ENXIO
        var next = found
        while let address = next?.pointee {
            let number = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard number >= 0 else { return errno }
            defer { close(number) }
            var limit = timeval(tv_sec: 5, tv_usec: 0)
            setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            if connect(number, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
            last = errno == EINPROGRESS ? ETIMEDOUT : errno
            next = address.ai_next
        }
        return last
    }
}
