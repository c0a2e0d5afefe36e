/// Names of pictures that a file beside a film writes down: hostile until looked at.
public enum PictureName {
    /// The name as a path below the folder of the file that says it; nil for what would leave that folder, for URLs and for names with
    /// control characters.
    public static func relativePath(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 1024, !name.hasPrefix("/"), !name.contains("\\"), !name.contains("://"),
            !name.unicodeScalars.contains(where: { $0.value < 32 || (127..<160).contains($0.value) })
        else { return nil }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." }) else { return nil }
        return name
    }
}
