import AetherCore
import AetherFormats
import Foundation
import Testing

/// The model of every playlist of m3u8-parser's tests against what that project publishes as its expectation.
@Suite struct PublishedPlaylistTests {
    struct Part: Decodable, Equatable {
        var length: Int64, offset: Int64
    }
    struct Published: Decodable, Sendable {
        struct Entry: Decodable, Sendable {
            struct Key: Decodable, Sendable {
                var method: String, uri: String, iv: String?
            }
            struct Map: Decodable, Sendable {
                var uri: String
            }
            var duration: Double?
            var uri: String?
            var timeline: Int64?
            var byterange: Part?
            var map: Map?
            var key: Key?
            var parts: Int?
            var discontinuity: Bool?
        }
        struct Attributes: Decodable, Sendable {
            struct Size: Decodable, Sendable {
                var width: Int, height: Int
            }
            var bandwidth: Double?, codecs: String?, audio: String?, resolution: Size?
            private enum CodingKeys: String, CodingKey {
                case bandwidth = "BANDWIDTH", codecs = "CODECS", audio = "AUDIO", resolution = "RESOLUTION"
            }
        }
        struct Variant: Decodable, Sendable {
            var uri: String?
            var attributes: Attributes?
        }
        struct Rendition: Decodable, Sendable {
            var language: String?, `default`: Bool?, autoselect: Bool?, uri: String?
        }
        var name: String, playlist: String
        var mediaSequence: Int64?, discontinuitySequence: Int64?, targetDuration: Double?
        var endList: Bool?
        var playlistType: String?
        var segments: [Entry]
        var playlists: [Variant]?
        var mediaGroups: [String: [String: [String: Rendition]]]?
        var iFramePlaylists: [Variant]?
    }

    private static let base = "https://h/a/m.m3u8"

    static let all: [Published] = {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Published/m3u8-parser.json")
        // Without the file the count of them is wrong, and a test says so.
        return (try? JSONDecoder().decode([Published].self, from: Data(contentsOf: url))) ?? []
    }()

    /// Not understood on purpose: what does not begin as a playlist must, names nothing, or states a number that is none. That parser passes
    /// over it; here one sentence says so.
    private static let refused: [String: StreamFault.Kind] = [
        "empty": .empty, "headerOnly": .nothingToPlay, "manifestNoExtM3u": .notAPlaylist, "master": .notAPlaylist,
        "start": .notAPlaylist, "streamInfInvalid": .notAPlaylist, "extinf": .number("EXTINF"),
        "emptyMediaSequence": .number("EXT-X-MEDIA-SEQUENCE"), "invalidMediaSequence": .number("EXT-X-MEDIA-SEQUENCE"),
        "negativeMediaSequence": .number("EXT-X-MEDIA-SEQUENCE"), "llhls-byte-range": .number("EXT-X-BYTERANGE"),
    ]

    /// An address without EXTINF is no segment (4.1); that parser gives it a duration.
    private static let fewer = [
        "liveMissingSegmentDuration": 1, "missingExtinf": 2, "missingSegmentDuration": 1, "multipleTargetDurations": 1,
    ]

    /// There a segment without a length lasts 10 ms.
    private static let leastDuration = 0.01

    private func read(_ published: Published) throws -> HLSPlaylist {
        try HLSPlaylist(Array(published.playlist.utf8), address: #require(StreamAddress(Self.base)))
    }

    @Test func theyAreAllThere() { #expect(Self.all.count == 60) }

    @Test(arguments: all) func itsModelIsThePublishedOne(_ published: Published) throws {
        if let kind = Self.refused[published.name] {
            let fault = #expect(throws: StreamFault.self) { try read(published) }
            #expect(fault?.kind == kind)
            return
        }
        switch try read(published) {
        case .segments(let list): try compare(list, published)
        case .variants(let list): try compare(list, published)
        }
    }

    private func compare(_ list: HLSSegmentList, _ published: Published) throws {
        let segments = list.segments.numbers.compactMap { list.segments.segment($0) }
        let expected = published.segments.filter { $0.uri != nil && $0.duration != nil }
        #expect(segments.count == Self.fewer[published.name] ?? expected.count)
        guard segments.count == expected.count else { return }
        if let first = published.mediaSequence, !segments.isEmpty { #expect(list.segments.numbers.lowerBound == first) }
        if let sequence = published.discontinuitySequence { #expect(list.discontinuitySequence == sequence) }
        if published.endList == true { #expect(list.isEnded) }
        if let target = published.targetDuration, target > 0 { #expect(Double(list.targetDuration) / 1e9 == target) }
        let base = try #require(StreamAddress(Self.base))
        for (segment, entry) in zip(segments, expected) {
            #expect(segment.address == base.resolved(entry.uri ?? ""), "\(segment.address.text)")
            // Where no segment has a length, ours have that of the target: there is a place to go to.
            let duration = published.name == "zeroDuration" ? published.targetDuration : entry.duration
            if let duration { #expect(abs(max(segment.duration.seconds, Self.leastDuration) - duration) < 1e-6) }
            if let timeline = entry.timeline { #expect(segment.continuity == timeline, "\(segment.number)") }
            if let range = entry.byterange {
                #expect(segment.range == ByteRange(offset: range.offset, length: range.length), "\(segment.number)")
            }
            if let map = entry.map { #expect(segment.map?.address == base.resolved(map.uri)) }
            if let key = entry.key {
                #expect(segment.encryption?.key == base.resolved(key.uri), "\(segment.number)")
                if let iv = key.iv {
                    let vector = segment.encryption?.vector(number: segment.number) ?? []
                    #expect(vector.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == iv, "\(segment.number)")
                }
            }
            if let parts = entry.parts { #expect(segment.parts.count == parts) }
        }
    }

    private func compare(_ list: HLSVariantList, _ published: Published) throws {
        let expected = (published.playlists ?? []).filter { $0.uri != nil }
        #expect(list.variants.count == Self.fewer[published.name] ?? expected.count)
        guard list.variants.count == expected.count else { return }
        for (variant, entry) in zip(list.variants, expected) {
            #expect(variant.address == StreamAddress(Self.base)?.resolved(entry.uri ?? ""))
            if let rate = entry.attributes?.bandwidth { #expect(variant.peakBitRate == Int64(rate)) }
            if let codecs = entry.attributes?.codecs {
                #expect(
                    variant.codecs.map(\.text) == codecs.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
            }
            if let size = entry.attributes?.resolution {
                #expect(variant.size?.width == size.width && variant.size?.height == size.height)
            }
            if let set = entry.attributes?.audio { #expect(variant.audio == set) }
        }
        for (kind, groups) in published.mediaGroups ?? [:] {
            let renditions = groups.flatMap { group in group.value.map { (group.key, $0.key, $0.value) } }
            let found = list.media.filter { $0.kind.rawValue == kind }
            #expect(found.count == renditions.count, "\(kind)")
            for (group, name, rendition) in renditions {
                let same = found.first { $0.group == group && $0.name == name }
                #expect(same?.language == rendition.language, "\(group) \(name)")
                #expect(
                    same?.isDefault == (rendition.default ?? false) && same?.isAutoselected == (rendition.autoselect ?? false),
                    "\(name)")
            }
        }
    }
}
