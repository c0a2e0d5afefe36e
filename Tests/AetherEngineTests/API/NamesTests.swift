import AetherTestSupport
import Foundation
import Testing

/// The names of the engine for Apple's systems: each is there, or what it is called here is recorded.
@Suite struct NamesTests {
    private static let proposal = Fixtures.shared?.appending(path: "design/engine-api.swift")

    /// The names that a text declares, comments left out.
    private static func declared(in text: String) -> Set<String> {
        let code = text.replacing(/\/\/[^\n]*/, with: "")
        let name = /\b(?:func|var|let|case|struct|class|enum|protocol|actor|typealias) +`?([A-Za-z_][A-Za-z0-9_]*)/
        return Set(code.matches(of: name).map { String($0.1) })
    }

    @Test(.enabled(if: proposal != nil, "the shared design is not here")) func eachNameIsThereOrRecorded() throws {
        let names = Self.declared(in: try String(contentsOf: try #require(Self.proposal), encoding: .utf8))
        #expect(names.count > 250)
        let place = Shared.checkout.appending(path: "Sources/AetherEngine/Documentation.docc/Names.md")
        let record = try String(contentsOf: place, encoding: .utf8)
        let recorded = Set(record.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.0) })
        let api = Set(
            try PublicAPI.built().lines.flatMap { line in
                line.prefix { $0 != " " }.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            })
        // Values of enumerations and labels of the modules below come along by the types that the engine exports.
        let below = try Self.exported()
        let missing = names.subtracting(recorded).subtracting(api).subtracting(below).sorted()
        #expect(missing == [], "neither there nor in Names.md")
    }

    /// The names that the modules declare which the engine exports.
    private static func exported() throws -> Set<String> {
        var names: Set<String> = []
        for module in ["AetherCore", "AetherFormats", "AetherMedia", "AetherSources", "AetherEngine"] {
            let folder = Shared.checkout.appending(path: "Sources/\(module)")
            guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { continue }
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                names.formUnion(declared(in: text))
                // `case sdr, hdr10` and `let width, height: Int`
                for list in text.matches(of: /\b(?:case|let|var) +([A-Za-z_][A-Za-z0-9_, ]*)/) {
                    names.formUnion(list.1.split { $0 == "," || $0 == " " }.map(String.init))
                }
            }
        }
        return names
    }
}
