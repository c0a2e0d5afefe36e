public import Foundation

/// A folder of its own under the system's temporary one, removed with its owner.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes the folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "aether-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that stays behind in /tmp harms no result.
        try? FileManager.default.removeItem(at: url)
    }

    /// A path in it.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
