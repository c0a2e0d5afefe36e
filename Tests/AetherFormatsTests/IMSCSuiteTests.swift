import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

/// W3C's tests of IMSC 1.1: for each document, pictures of the times at which something changes. A picture with letters has edges of many
/// shades; without, it has at most the flat colours of ground, region and frame. As many documents are looked at as lie in the shared material,
/// or in the folder that `AETHER_IMSC` names.
@Suite struct IMSCSuiteTests {
    /// One document with the times of its pictures, in seconds, and whether letters are seen from then on.
    private struct Case {
        let name: String
        let document: [UInt8]
        let pictures: [(time: Double, hasText: Bool)]
    }

    private static let root =
        ProcessInfo.processInfo.environment["AETHER_IMSC"].map { URL(filePath: $0) } ?? Shared.path("corpus/imsc-tests")
    private static let flatColours = 3

    /// Pictures in the documents (IMSC's image profile) are not text, and not shown.
    private static func isOfImages(_ document: [UInt8]) -> Bool {
        let text = String(decoding: document, as: UTF8.self)
        return text.contains("smpte:backgroundImage") || text.contains("<image") || text.contains(":image ")
    }

    private static func hasText(_ image: RasterImage) -> Bool {
        var colours: Set<UInt32> = []
        for pixel in image.pixels where colours.count <= flatColours { colours.insert(pixel) }
        return colours.count > flatColours
    }

    private static func cases() throws -> [Case] {
        guard let root else { return [] }
        var found: [Case] = []
        for suite in ["imsc1", "imsc1_1"] {
            guard let walk = FileManager.default.enumerator(atPath: root.appending(path: suite + "/ttml").path) else { continue }
            for path in walk.compactMap({ $0 as? String }).filter({ $0.hasSuffix(".ttml") }).sorted() {
                let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
                let folder = root.appending(path: "\(suite)/png/\(name)")
                let document = [UInt8](try Data(contentsOf: root.appending(path: "\(suite)/ttml/\(path)")))
                guard !isOfImages(document), let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
                else {
                    continue
                }
                let times = files.filter { $0.hasSuffix(".png") }.compactMap { Double($0.dropLast(4)) }.sorted()
                let pictures = try times.compactMap { time -> (Double, Bool)? in
                    let file = folder.appending(path: String(format: "%.6f.png", time))
                    guard let image = PNGReader.read([UInt8](try Data(contentsOf: file))) else { return nil }
                    return (time, hasText(image))
                }
                found.append(Case(name: name, document: document, pictures: pictures))
            }
        }
        return found
    }

    @Test(.enabled(if: root != nil, "\(Shared.missing)")) func textIsSeenWhenTheSuiteShowsIt() throws {
        let cases = try Self.cases()
        var checks = 0, failures: [String] = []
        for item in cases {
            let document = try #require(TTMLDocument(item.document), "\(item.name)")
            for (time, hasText) in item.pictures {
                checks += 1
                let now = MediaTime.seconds(time)
                let isSeen = document.cues.contains { $0.start <= now && $0.end.map { now < $0 } ?? true }
                if isSeen != hasText { failures.append("\(item.name) at \(time): \(isSeen)") }
            }
        }
        #expect(cases.count >= 5 && checks >= 10, "\(cases.count) documents, \(checks) checks")
        #expect(failures.isEmpty, "\(failures.count) of \(checks): \(failures.prefix(20))")
    }
}
