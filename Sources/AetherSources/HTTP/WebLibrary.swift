public import AetherCore
import CCurl

/// The library that speaks to servers. For reports.
public enum WebLibrary {
    /// libcurl's version, with those of the libraries that it stands on. Never blocks.
    public static var version: LibraryVersion {
        let words = String(cString: curl_version()).split(separator: " ").map(String.init)
        let own = words.first.map { $0.hasPrefix("libcurl/") ? String($0.dropFirst(8)) : $0 } ?? ""
        return LibraryVersion("libcurl", ([own] + words.dropFirst()).joined(separator: " "))
    }

    /// Whether addresses of https can be read.
    public static var speaksTLS: Bool { aether_curl_speaks("https") != 0 }

    /// Whether libcurl was built with HTTP/3.
    static let speaksHTTP3 = aether_curl_has(Int(CURL_VERSION_HTTP3)) != 0

    /// libcurl's number for the newest version of HTTP that is offered to a server: with HTTP/3 the older ones are tried beside it, and no proxy
    /// carries it.
    static func version(of scheme: String, speaksHTTP3: Bool = speaksHTTP3, isProxied: Bool) -> Int {
        scheme == "https" && speaksHTTP3 && !isProxied ? CURL_HTTP_VERSION_3 : CURL_HTTP_VERSION_2TLS
    }
}
