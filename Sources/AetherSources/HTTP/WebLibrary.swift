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
}
