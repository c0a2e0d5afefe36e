public import Foundation
import Testing

/// The sentences of all sources, and the catalogues of this checkout.
public enum SourceTree {
    /// The checkout that the tests were built from.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Each sentence once, with the files that say it.
    public static func sentences() throws -> [(sentence: SourceSentence, files: [String])] {
        let folder = root.appendingPathComponent("Sources")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var order: [SourceSentence] = [], files: [SourceSentence: [String]] = [:]
        for name in names.filter({ $0.hasSuffix(".swift") && !$0.hasPrefix("AetherCore/Language/") }).sorted() {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for sentence in SourceSentence.all(in: text) {
                if files[sentence] == nil { order.append(sentence) }
                let place = "Sources/" + name
                if files[sentence]?.last != place { files[sentence, default: []].append(place) }
            }
        }
        return order.map { ($0, files[$0] ?? []) }
    }

    /// A catalogue of `po/`.
    public static func catalogue(_ name: String) throws -> CatalogueFile {
        let text = try String(contentsOf: root.appendingPathComponent("po/\(name)"), encoding: .utf8)
        return try #require(CatalogueFile(text))
    }
}
