import AetherCore

/// The server of an http or https address as links are remembered by: its name alone, without port, path, user and password.
public struct LinkHost: Sendable, Hashable {
    /// In lower case; at most 255 bytes, as names on the net are.
    public let name: String

    /// nil for what is no such address.
    public init?(_ url: String) {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { return nil }
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let name = place.hasPrefix("[") ? place.prefix { $0 != "]" }.dropFirst() : place.prefix { $0 != ":" }
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        self.name = String(name)
    }
}
