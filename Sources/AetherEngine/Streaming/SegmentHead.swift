import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Fetches the frame that a segment begins with, and as little else as can be.
struct SegmentHead {
    let fetch: StreamFetch
    let keys: ContentKeys
    let options: OpenOptions
    let interrupt: Interrupt

    /// Before the bytes tell more: a fragment's head with a small frame; of MPEG-TS the tables and such a frame.
    private static let fragmentStart = 8 << 10, transportStart = 24 << 10
    /// A segment whose first frame was not found by so many requests is read as usual.
    private static let requestLimit = 4
    /// A key frame alone takes less.
    private static let wholeLimit: Int64 = 8 << 20

    /// The packet of video that a segment begins with, and its stream; nil where its end is unknown. `isFrame`: the segment is that
    /// frame alone. Blocks. Throws as the server and the demuxer do.
    func packet(of segment: Segment, isFrame: Bool) throws(MediaError) -> (packet: Packet, stream: StreamInfo)? {
        // What a whole file begins with is no frame of the time that is wanted, and its header may be at its end.
        guard !segment.isWholeFile || isFrame else { return nil }
        let name = MediaLocation.parse(segment.address.text).displayName
        do throws(IOReaderError) {
            let map = try segment.map.map { map throws(IOReaderError) in try bytes(of: map, before: segment) }
            guard let head = try isFrame ? whole(segment) : head(of: segment, map) else { return nil }
            let media = try fetch.clear(MemoryReader(Self.joined(map, head)), segment, keys: keys, options: options)
            return try first(media.reader, media.options, name)
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "extract a still", subject: name) }
            throw MediaError(.url(segment.address.text), error)
        }
    }

    /// Without the init section where the segment has no use for it.
    private static func joined(_ map: [UInt8]?, _ head: [UInt8]) -> [UInt8] {
        Container(head: head) == .mpegTS ? head : (map ?? []) + head
    }

    private func first(
        _ reader: DecryptingReader, _ options: OpenOptions, _ name: String
    ) throws(IOReaderError) -> (packet: Packet, stream: StreamInfo)? {
        do throws(MediaError) {
            var demuxer = try Demuxer(.reader(reader, name: name), options: options, interrupt: interrupt)
            guard let stream = demuxer.info.decodable(.video).first else { return nil }
            demuxer.select([stream.index])
            return (try demuxer.read(epoch: Epoch()), stream)
        } catch {
            if error.code == .interrupted { throw .cancelled }
            Log.module("previews").info("\(error)")
            return nil
        }
    }

    private func bytes(of map: InitSection, before segment: Segment) throws(IOReaderError) -> [UInt8] {
        if let known = fetch.known(map) { return known }
        let piece = SegmentPiece(map, before: segment)
        let start = piece.range?.offset ?? 0, length = piece.range?.length ?? Int64(StreamFetch.initLimit)
        let bytes = try clear(try fetch.part(piece.address, start..<start.saturating(length)), piece)
        fetch.keep(map, bytes)
        return bytes
    }

    private func whole(_ segment: Segment) throws(IOReaderError) -> [UInt8]? {
        let piece = SegmentPiece(segment), start = piece.range?.offset ?? 0
        let length = piece.range?.length ?? Self.wholeLimit
        guard length <= Self.wholeLimit else { return nil }
        return try clear(try fetch.part(piece.address, start..<start.saturating(length)), piece)
    }

    /// The first bytes of a segment, as far as its first frame of video.
    private func head(of segment: Segment, _ map: [UInt8]?) throws(IOReaderError) -> [UInt8]? {
        let piece = SegmentPiece(segment), start = piece.range?.offset ?? 0
        let end = piece.range.map { start.saturating($0.length) } ?? .max
        var taken: [UInt8] = [], wanted = map == nil ? Self.transportStart : Self.fragmentStart
        for _ in 0..<Self.requestLimit {
            let place = start.saturating(Int64(taken.count)), target = min(end, start.saturating(Int64(wanted)))
            let bytes = try fetch.part(piece.address, place..<target)
            taken += bytes
            let isAtEnd = place + Int64(bytes.count) < target || target == end
            let head = try clear(piece.cipher == nil ? taken : Array(taken.prefix(taken.count / 16 * 16)), piece)
            switch KeyFrameExtent(of: head[...], at: start, map: map) {
            case .unknown: return nil
            case .bytes(let count) where count <= head.count: return Array(head.prefix(count))
            // Deciphering holds the last block back.
            case .bytes(let count): wanted = piece.cipher == nil ? count : (count / 16 + 2) * 16
            case .atLeast(let count): wanted = max(count, taken.count + 1)
            }
            if isAtEnd { return head }
        }
        return nil
    }

    private func clear(_ bytes: [UInt8], _ piece: SegmentPiece) throws(IOReaderError) -> [UInt8] {
        guard let cipher = piece.cipher else { return bytes }
        return try cipher.clear(MemoryReader(bytes), fetch).bytes(limit: bytes.count)
    }
}

extension Int64 {
    /// The sum; the largest number where that is too large.
    fileprivate func saturating(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
