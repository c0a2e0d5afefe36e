import Glibc

/// An address of this machine in a network of its own: one of RFC 1918.
public struct PrivateAddress: Sendable, Equatable {
    /// "192.168.1.20".
    public let text: String
    /// In the order of the network.
    let bytes: UInt32

    /// nil for an address that the whole world may reach, or for none.
    public init?(_ text: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1, Self.isPrivate(UInt32(bigEndian: address.s_addr)) else { return nil }
        (self.text, bytes) = (text, address.s_addr)
    }

    static func isPrivate(_ address: UInt32) -> Bool {
        address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8
    }

    /// Those of this machine's interfaces that are up, in their order.
    public static func all() -> [PrivateAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [PrivateAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let name = entry.ifa_addr, Int32(name.pointee.sa_family) == AF_INET
            else {
                continue
            }
            var address = name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            guard inet_ntop(AF_INET, &address, &text, socklen_t(text.count)) != nil else { continue }
            let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let address = PrivateAddress(words), !found.contains(address) { found.append(address) }
        }
        return found
    }
}
