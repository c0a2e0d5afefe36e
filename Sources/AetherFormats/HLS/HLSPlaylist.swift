/// A playlist of HTTP Live Streaming (RFC 8216bis), the client's side. Pure and bounded; nothing is opened.
public enum HLSPlaylist: Sendable {
    /// A list of variants ("multivariant", "master").
    case variants(HLSVariantList)
    /// A list of segments ("media").
    case segments(HLSSegmentList)

    /// The most bytes that a playlist may have.
    public static var sizeLimit: Int { HLSLines.sizeLimit }

    /// Reads a playlist. `address` is the address that it came from, behind redirections: addresses in the playlist are relative to it.
    /// `variables` are those of the list of variants that led here, for EXT-X-DEFINE's IMPORT. Throws for a playlist that cannot be played,
    /// with the line to blame.
    public init(_ bytes: [UInt8], address: StreamAddress, variables: [String: String] = [:]) throws(StreamFault) {
        if try HLSPlaylist.isVariantList(bytes) {
            self = .variants(try HLSVariantList(bytes, address: address))
        } else {
            self = .segments(try HLSSegmentList(bytes, address: address, variables: variables))
        }
    }

    /// The list of segments, where a variant leads to this playlist. Throws `.wrongKind` for another list of variants: lists of variants
    /// could lead in circles.
    public func segmentList() throws(StreamFault) -> HLSSegmentList {
        guard case .segments(let list) = self else { throw StreamFault(.wrongKind) }
        return list
    }

    /// Whether the bytes begin like a playlist: a mark of UTF-8 and white space may come first.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        let rest = bytes.prefix(64).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        return rest.starts(with: Array("#EXTM3U".utf8))
    }

    /// Whether the first bytes of a playlist have a tag of HLS; a playlist without one is a list of files.
    public static func isStreaming(_ head: [UInt8]) -> Bool {
        guard begins(head) else { return false }
        return head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { $0.starts(with: Array("#EXT-X-".utf8)) }
    }

    /// The first tag that belongs to one kind alone decides.
    private static func isVariantList(_ bytes: [UInt8]) throws(StreamFault) -> Bool {
        var lines = try HLSLines(bytes)
        while let line = try lines.next() {
            if case .tag(let tag, _) = line, let belongs = tag.belongsToVariants { return belongs }
        }
        throw StreamFault(.nothingToPlay)
    }
}
