/// The exports of a server of NFS 3, which has no tree above them: their paths, seen as one. Pure.
package struct ExportTree: Sendable, Equatable {
    /// The longest first, so that an export in another one comes before it.
    private let exports: [String]

    /// Paths as the server tells them; those that are none are left out.
    package init(_ paths: [String]) {
        exports = paths.filter { $0.hasPrefix("/") }.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Nothing is exported.
    package var isEmpty: Bool { exports.isEmpty }

    /// The export that a path lies in, and the rest of the path with a slash in front; nil where it lies in none.
    package func export(of path: String) -> (export: String, below: String)? {
        guard let export = exports.first(where: { path == $0 || path.hasPrefix(Self.inside($0)) }) else { return nil }
        let below = export == "/" ? path : String(path.dropFirst(export.count))
        return (export, below.isEmpty ? "/" : below)
    }

    /// The folders on the way to exports that lie in a folder above them, once each, in their order.
    package func folders(in path: String) -> [String] {
        let above = Self.inside(path),
            names = exports.filter { $0.hasPrefix(above) }.map { export in
                String(export.dropFirst(above.count).prefix { $0 != "/" })
            }
        return Set(names.filter { !$0.isEmpty }).sorted()
    }

    private static func inside(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }
}
