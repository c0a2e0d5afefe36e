/// Names of images that a file beside a file writes down: hostile until looked at.
public enum ImageName {
    /// The paths that a name may mean, below the folder of the file that has it, the likeliest first: the name as it is written, and the
    /// name as the URL reference that it is by its standard, with codes for spaces ("%20") and a query ("?v=2").
    public static func paths(_ name: String) -> [String] {
        let plain = String(name.prefix { $0 != "?" })
        var found: [String] = []
        for written in [name, PlaylistDocument.percentDecoded(name), plain, PlaylistDocument.percentDecoded(plain)] {
            if let path = relativePath(written), !found.contains(path) { found.append(path) }
        }
        return found
    }

    /// The name as a path below the folder of the file that has it; nil for a path that would leave that folder, for URLs and for names
    /// with control characters.
    public static func relativePath(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 1024, !name.hasPrefix("/"), !name.contains("\\"), !name.contains("://"),
            !name.unicodeScalars.contains(where: { $0.value < 32 || (127..<160).contains($0.value) })
        else { return nil }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." }) else { return nil }
        return name
    }
}
