import Glibc

/// Whether requests go through a proxy, whose address says nothing about the server's.
enum ProxySetting {
    private static let isInEnvironment: Bool = {
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.contains { (name: String) in getenv(name).map { $0.pointee != 0 } ?? false }
    }()

    static func isUsed(for order: TransferOrder) -> Bool { order.applied.proxy.map { !$0.isEmpty } ?? isInEnvironment }
}
