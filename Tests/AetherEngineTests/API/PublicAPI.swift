import AetherTestSupport
import Foundation

/// The public names of the engine: a line each, the path of the name and its declaration.
struct PublicAPI: Equatable {
    /// "LoadOptions.autoplay: var autoplay: Bool"
    var lines: Set<String>
    /// Names without a comment, but for the cases of an enumeration, whose names may say all.
    var undocumented: [String] = []

    init(lines: Set<String>) { self.lines = lines }

    /// Reads a record: lines that begin with "#" are for people.
    init(record: String) {
        lines = Set(record.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
    }

    /// Reads the compiler's symbol graphs.
    init(graphs: [Data]) throws {
        struct Graph: Decodable {
            struct Fragment: Decodable { let spelling: String }
            struct Comment: Decodable {}
            struct Kind: Decodable { let identifier: String }
            struct Identifier: Decodable { let precise: String }
            struct Symbol: Decodable {
                let kind: Kind
                let identifier: Identifier
                let pathComponents: [String]
                let declarationFragments: [Fragment]
                let docComment: Comment?
            }
            let symbols: [Symbol]
        }
        lines = []
        for graph in graphs {
            // Members that the standard library gives, as `!=`, come and go with the compiler.
            for symbol in try JSONDecoder().decode(Graph.self, from: graph).symbols
            where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
                let name = symbol.pathComponents.joined(separator: ".")
                let declaration = symbol.declarationFragments.map(\.spelling).joined()
                lines.insert(name + ": " + declaration.split(whereSeparator: \.isWhitespace).joined(separator: " "))
                if symbol.docComment == nil, symbol.kind.identifier != "swift.enum.case" { undocumented.append(name) }
            }
        }
    }

    /// The API of the module as it was built. Blocks on the compiler's tool, a second or two.
    static func built() throws -> PublicAPI {
        let folder = try TemporaryFolder(), sources = Shared.checkout.appending(path: "Sources")
        let shims = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { $0.hasPrefix("C") }.sorted()
        let maps = shims.map { shim -> String in
            let own = sources.appending(path: "\(shim)/module.modulemap").path
            let made = Programs.folder.appending(path: "\(shim).build/module.modulemap").path
            return FileManager.default.fileExists(atPath: own) ? own : made
        }.filter { FileManager.default.fileExists(atPath: $0) }
        let extraction = try Command(
            [
                "sh", "-c", "exec \"$(dirname \"$(realpath \"$(command -v swift)\")\")/swift-symbolgraph-extract\" \"$@\"", "sh",
                "-module-name", "AetherEngine", "-target", try target(), "-minimum-access-level", "public",
                "-I", Programs.folder.appending(path: "Modules").path, "-output-dir", folder.url.path,
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] })
        guard extraction.status == 0 else { throw Failure(reason: extraction.standardError) }
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        return try PublicAPI(graphs: files.filter { $0.path.hasSuffix(".symbols.json") }.map { try Data(contentsOf: $0) })
    }

    /// The tool failed, with its words.
    struct Failure: Error { let reason: String }

    private static func target() throws -> String {
        let machine = try Command(["uname", "-m"]).standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        return "\(machine)-unknown-linux-gnu"
    }

    /// The names of the outermost types that lines belong to.
    static func types(of lines: Set<String>) -> Set<String> {
        Set(lines.map { line in String(line.prefix { $0 != "." && $0 != ":" && $0 != "(" }) })
    }
}
