public import AetherCore
import CCurl

/// The library that speaks to servers. For reports.
public enum WebLibrary {
    /// libcurl's version, with those of the libraries that it stands on. `curl_version` names more of them, but sets up OpenLDAP, which loads
    /// eight plug-ins: 8 ms at every start. Never blocks.
    public static var version: LibraryVersion {
        guard let info = aether_curl_library()?.pointee else { return LibraryVersion("libcurl", "") }
        func text(_ name: String, _ version: UnsafePointer<CChar>?) -> String? { version.map { name + String(cString: $0) } }
        let parts = [
            text("", info.version), text("", info.ssl_version), text("zlib/", info.libz_version),
            text("brotli/", info.brotli_version),
            text("nghttp2/", info.nghttp2_version), text("", info.libssh_version),
        ]
        return LibraryVersion("libcurl", parts.compactMap { $0 }.joined(separator: " "))
    }

    /// Whether addresses of https can be read.
    public static var speaksTLS: Bool { aether_curl_speaks("https") != 0 }

    /// Whether libcurl was built with HTTP/3.
    static let speaksHTTP3 = aether_curl_has(Int(CURL_VERSION_HTTP3)) != 0
}
