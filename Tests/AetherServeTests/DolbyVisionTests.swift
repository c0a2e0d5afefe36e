import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

private let film: String? = Fixtures.shared.flatMap { shared in
    let path = shared.appending(path: "corpus/dovi/hevc_tests/regular.mkv").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
}

/// The profiles of Dolby Vision as they are served: a film of profile 8.1, and the same with the records of others.
@Suite(.enabled(if: film != nil)) struct DolbyVisionTests {
    private func served(_ record: [UInt8]) throws -> (master: String, header: Data, segment: Data) {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: try #require(film)))
        let place = try #require(bytes.range(of: Data([1, 0, 0x10, 0x0D, 0x10])))
        bytes.replaceSubrange(place, with: record)
        let name = try #require(bytes.range(of: Data("dvvC".utf8)))
        bytes.replaceSubrange(name, with: Data((record[2] >> 1 > 7 ? "dvvC" : "dvcC").utf8))
        let folder = try TemporaryFolder(), path = folder.path("film.mkv")
        try bytes.write(to: URL(fileURLWithPath: path))
        let clip = try ServedClip(path)
        return (try clip.text("master.m3u8"), try clip.bytes("0/init0.mp4"), try clip.bytes("0/0.m4s"))
    }

    /// The types of the units in a segment, by their lengths.
    private func types(_ segment: Data) -> Set<UInt8> {
        guard let start = segment.range(of: Data("mdat".utf8), options: .backwards)?.upperBound else { return [] }
        let bytes = [UInt8](segment[start...])
        var place = 0, found: Set<UInt8> = []
        while place + 5 < bytes.count {
            found.insert(bytes[place + 4] >> 1 & 63)
            place += 4 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return found
    }

    @Test func profileEightIsSaidBesideItsBaseLayer() throws {
        let (master, header, segment) = try served([1, 0, 0x10, 0x0D, 0x10])
        #expect(master.contains("CODECS=\"hvc1.2.") && master.contains("SUPPLEMENTAL-CODECS=\"dvh1.08.01/db1p\""))
        #expect(master.contains("VIDEO-RANGE=PQ") && header.range(of: Data("dvvC".utf8)) != nil)
        #expect(header.range(of: Data("colrnclx".utf8)) != nil && types(segment).contains(62))
    }

    /// Of its two layers the base is HDR10.
    @Test func profileSevenIsServedAsHDR10() throws {
        let (master, header, segment) = try served([1, 0, 0x0E, 0x0F, 0x60])
        #expect(master.contains("CODECS=\"hvc1.2.") && !master.contains("SUPPLEMENTAL") && master.contains("VIDEO-RANGE=PQ"))
        #expect(header.range(of: Data("dvcC".utf8)) == nil && header.range(of: Data("dvvC".utf8)) == nil)
        #expect(types(segment).contains(1) && types(segment).isDisjoint(with: [62, 63]))
    }

    /// Nobody else plays it: its sample entry says so.
    @Test func profileFiveHasANameOfItsOwn() throws {
        let (master, header, segment) = try served([1, 0, 0x0A, 0x0D, 0x00])
        #expect(master.contains("CODECS=\"dvh1.05.01\"") && master.contains("VIDEO-RANGE=PQ"))
        #expect(header.range(of: Data("dvh1".utf8)) != nil && header.range(of: Data("dvcC".utf8)) != nil)
        #expect(types(segment).contains(62))
    }
}
