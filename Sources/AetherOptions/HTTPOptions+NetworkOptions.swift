import AetherCore
public import AetherSources
import FoundationEssentials

extension HTTPOptions {
    /// The options of the command line for web servers.
    public init(_ options: NetworkOptions) {
        self.init()
        let lines = options.httpHeader.compactMap(NetworkOptions.header)
        headers = Dictionary(lines.map { ($0.name, $0.value) }) { $1 }
        userAgent = options.userAgent ?? userAgent
        referrer = options.referrer
        cookieFile = options.cookies.map { HomePath.expanded($0) }
        proxy = options.httpProxy
        caFile = options.caFile.map { HomePath.expanded($0) }
        clientCertificate = options.clientCert.map { HomePath.expanded($0) }
        trustsAnybody = options.insecure
        connectTimeout = .seconds(options.connectTimeout)
        rateLimit = options.netLimit?.bytes
        if let wanted = options.diskCache?.bytes, wanted > 0,
            let directory = DiskCacheOptions.directory(ProcessInfo.processInfo.environment)
        {
            diskCache = DiskCacheOptions(directory: directory, limit: Int64(wanted))
        }
        allowsLAN = options.allowLan
        hosts = options.hosts
    }
}
