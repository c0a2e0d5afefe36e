import AetherCore

/// The samples of a file of ISO base media without fragments, out of its tables alone. Nothing of the media is read.
public enum MovieSamples {
    /// Bytes of a movie box that are read: the tables of two million samples.
    private static let limit = 64 << 20

    /// The samples, in the order in which a demuxer reads them; nil where the file is another one, has fragments, or edits that only a
    /// demuxer understands. Blocks as the bytes do.
    public static func list(_ source: InspectedBytes) -> SampleList? {
        guard let bytes = movie(source), let movie = BoxPlace.list(bytes[...]).first, movie.kind == "moov",
            movie.child("mvex") == nil,
            let header = movie.child("mvhd")?.body, let scale = header.dropFirst(header.first == 1 ? 20 : 12).bigEndian(4),
            scale > 0
        else { return nil }
        var streams: [SampleStream] = [], tracks: [[SampleRow]] = [], total = 0, isEven = true
        for box in movie.children where box.kind == "trak" && streams.count < 128 {
            guard let media = box.child("mdia"), let table = media.descendant("minf", "stbl"),
                let head = media.child("mdhd")?.body,
                let ticks = head.dropFirst(head.first == 1 ? 20 : 12).bigEndian(4), ticks > 0,
                let samples = TrackSamples(table, in: bytes, fileSize: source.size),
                var rows = samples.rows(stream: streams.count, limit: SampleList.limit - total)
            else { return nil }
            guard edit(&rows, box.descendant("edts", "elst")?.body, movie: scale, track: ticks) else { return nil }
            if samples.hasOffsets { isEven = isEven && samples.isEven } else { end(&rows, head) }
            total += rows.count
            streams.append(SampleStream(index: streams.count, kind: kind(media), timeBase: TimeBase(1, Int32(clamping: ticks))))
            tracks.append(rows)
        }
        guard !streams.isEmpty else { return nil }
        var list = SampleList(streams: streams, rows: merged(tracks, streams), isCut: total >= SampleList.limit)
        list.isEven = isEven
        list.countGroups()
        return list
    }

    /// The last sample lasts to the end of the media, as its header counts it from the first time; where that is over, as long as the first.
    private static func end(_ rows: inout [SampleRow], _ head: ArraySlice<UInt8>) {
        guard let last = rows.last, let first = rows.first?.duration, let dts = last.dts else { return }
        let sum = rows.reduce(Int64(0)) { $0 &+ ($1.duration ?? 0) }
        let stated = head.first == 1 ? head.dropFirst(24).bigEndian(8) : head.dropFirst(16).bigEndian(4)
        let total = min(sum, stated.map(Int64.init) ?? sum)
        rows[rows.count - 1].duration = total > dts ? total &- dts : first
    }

    private static func movie(_ source: InspectedBytes) -> [UInt8]? {
        var offset: Int64 = 0
        for _ in 0..<256 {
            let head = source.bytes(at: offset, count: BoxHead.room)
            guard let box = BoxHead(head) else { return nil }
            if box.kind == "moov" {
                guard box.size <= Self.limit else { return nil }
                return Self.whole(source, at: offset, count: box.size)
            }
            let (next, overflows) = offset.addingReportingOverflow(Int64(box.size))
            guard !overflows else { return nil }
            offset = next
        }
        return nil
    }

    private static func whole(_ source: InspectedBytes, at offset: Int64, count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = source.bytes(at: offset + Int64(bytes.count), count: min(8 << 20, count - bytes.count))
            guard !piece.isEmpty else { return nil }
            if bytes.isEmpty, piece.count == count { return Array(piece) }
            bytes += piece
        }
        return bytes
    }

    private static func kind(_ media: BoxPlace) -> String {
        switch media.child("hdlr").map({ String(decoding: $0.body.dropFirst(8).prefix(4), as: UTF8.self) }) {
        case "vide": "video"
        case "soun": "audio"
        case "text", "sbtl", "subt", "subp", "clcp": "subtitle"
        default: "data"
        }
    }

    /// Lays the edits over the time stamps: an empty one first, then one that begins at a sample; false for any other list.
    private static func edit(_ rows: inout [SampleRow], _ body: ArraySlice<UInt8>?, movie: Int, track: Int) -> Bool {
        guard let body, let count = body.dropFirst(4).bigEndian(4), count > 0 else { return true }
        guard count <= 2 else { return false }
        let long = body.first == 1 ? 8 : 4
        func ticks(_ length: Int) -> Double? {
            let ticks = Double(length) * Double(track) / Double(movie)
            return ticks < 1e15 ? ticks : nil
        }
        var rest = body.dropFirst(8), shift: Int64 = 0
        for place in 0..<count {
            guard let length = rest.bigEndian(long), let raw = rest.dropFirst(long).bigEndian(long) ?? (long == 8 ? -1 : nil)
            else { return false }
            let start = long == 4 ? Int64(Int32(truncatingIfNeeded: raw)) : Int64(raw)
            if start == -1 {
                guard place == 0, count == 2, let ticks = ticks(length) else { return false }
                shift = Int64(ticks.rounded())
            } else {
                guard place == count - 1, start >= 0 else { return false }
                // Samples that are shown before the edit begins are left out by a demuxer, each codec in its way.
                guard start == rows.compactMap(\.pts).min() ?? start else { return false }
                let first = start
                for index in rows.indices {
                    rows[index].pts = rows[index].pts.map { $0 - first + shift }
                    rows[index].dts = rows[index].dts.map { $0 - first + shift }
                }
                // One that ends before the last sample leaves samples out as well.
                guard let ticks = ticks(length) else { return false }
                let end = Int64(ticks.rounded(.up)) + shift
                let last = rows.lazy.map { ($0.pts ?? 0) }.max() ?? 0
                return length == 0 || last < end
            }
            rest = rest.dropFirst(2 * long + 4)
        }
        return false
    }

    /// The order of reading: the earliest by decoding time, and within a second the one that lies first.
    private static func merged(_ tracks: [[SampleRow]], _ streams: [SampleStream]) -> [SampleRow] {
        guard tracks.count > 1 else { return tracks.first ?? [] }
        var places = [Int](repeating: 0, count: tracks.count), rows: [SampleRow] = []
        rows.reserveCapacity(tracks.reduce(0) { $0 + $1.count })
        while true {
            var best: (track: Int, time: Int64, position: Int64)?
            for track in tracks.indices where places[track] < tracks[track].count {
                let row = tracks[track][places[track]]
                let time = streams[track].timeBase.nanoseconds(ticks: row.dts ?? 0) / 1000, position = row.position ?? 0
                guard let known = best else {
                    best = (track, time, position)
                    continue
                }
                let isNear = abs(known.time - time) <= 1_000_000
                if isNear ? position < known.position : time < known.time { best = (track, time, position) }
            }
            guard let best else { return rows }
            rows.append(tracks[best.track][places[best.track]])
            places[best.track] += 1
        }
    }
}
