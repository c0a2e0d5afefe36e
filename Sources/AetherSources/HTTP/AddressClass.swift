import Glibc

/// Whether an address belongs to the open network. Pure.
enum AddressClass: Sendable, Equatable {
    case open
    /// Private, shared, loopback, link-local (where clouds keep their secrets), multicast, or none.
    case closed

    /// Reads an IPv4 or IPv6 address in words; nil for anything else.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = withUnsafeBytes(of: &four) { AddressClass(four: Array($0)) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = withUnsafeBytes(of: &six) { AddressClass(six: Array($0)) }
        } else {
            return nil
        }
    }

    /// Reads a socket's address; what is neither IPv4 nor IPv6 is closed.
    init(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { AddressClass(four: Array($0)) }
            }
        case AF_INET6:
            self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { AddressClass(six: Array($0)) }
            }
        default: self = .closed
        }
    }

    private init(four bytes: [UInt8]) {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _), (192, 0, 0),
            (198, 18...19, _), (224..., _, _):
            self = .closed
        default: self = .open
        }
    }

    private init(six bytes: [UInt8]) {
        // ::ffff:a.b.c.d, and 64:ff9b::a.b.c.d of networks that translate.
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isTranslated = bytes[..<4].elementsEqual([0x00, 0x64, 0xFF, 0x9B]) && bytes[4..<12].allSatisfy { $0 == 0 }
        if isMapped || isTranslated {
            self = AddressClass(four: Array(bytes[12...]))
        } else if bytes[0] == 0x20, bytes[1] == 0x02 {
            // 6to4, RFC 3056: 2002:, then the address of IPv4 that the packets are sent to.
            self = AddressClass(four: Array(bytes[2..<6]))
        } else if bytes[..<4].elementsEqual([0x20, 0x01, 0, 0]) {
            // Teredo, RFC 4380: the address of its server, and that of the host with all bits turned over.
            let host = AddressClass(four: bytes[12...].map { ~$0 })
            self = host == .closed ? .closed : AddressClass(four: Array(bytes[4..<8]))
        } else {
            // 2000::/3 is all that is given out; fc00::/7, fe80::/10, ff00::/8, ::1 and :: lie outside.
            self = bytes[0] & 0xE0 == 0x20 ? .open : .closed
        }
    }
}
