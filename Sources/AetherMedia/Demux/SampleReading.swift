public import AetherCore
public import AetherFormats
import CFFmpeg

extension Demuxer {
    /// The samples of a source as libavformat delivers its packets, to the end or to `SampleList.limit`. Reads the whole source and blocks as
    /// that does; `goesOn` gets the number of packets so far, every 10 000, and says whether more are wanted. Throws `.readFailed` or
    /// `.interrupted`.
    public mutating func samples(goesOn: (Int) -> Bool = { _ in true }) throws(MediaError) -> SampleList {
        var streams: [SampleStream] = []
        for index in info.streams.indices {
            streams.append(SampleStream(index: index, kind: word(index), timeBase: info.streams[index].timeBase))
        }
        var list = SampleList(streams: streams, rows: [])
        var numbers: [Int: Int] = [:]
        while list.rows.count < SampleList.limit {
            do throws(MediaError) {
                let row = try readSample(&numbers)
                list.rows.append(row)
            } catch {
                guard error.code == .endOfMedia else { throw error }
                list.countGroups()
                return list
            }
            if list.rows.count.isMultiple(of: 10_000), !goesOn(list.rows.count) { break }
        }
        list.isCut = true
        list.countGroups()
        return list
    }

    private borrowing func word(_ stream: Int) -> String {
        switch info.streams[stream].parameters.pointer.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: "video"
        case AVMEDIA_TYPE_AUDIO: "audio"
        case AVMEDIA_TYPE_SUBTITLE: "subtitle"
        case AVMEDIA_TYPE_ATTACHMENT: "attachment"
        default: "data"
        }
    }

    /// Whether the first packets are those of a list, in all that a list says. Blocks on the source.
    public mutating func begins(like list: SampleList, packets: Int = 64) -> Bool {
        var numbers: [Int: Int] = [:]
        for place in 0..<min(packets, list.rows.count) {
            do throws(MediaError) {
                let row = try readSample(&numbers)
                var known = list.rows[place]
                (known.part, known.gop, known.isEncrypted) = (row.part, row.gop, row.isEncrypted)
                known.dependency = row.dependency
                guard row == known else { return false }
            } catch {
                return false
            }
        }
        return true
    }

    private mutating func readSample(_ numbers: inout [Int: Int]) throws(MediaError) -> SampleRow {
        if boxed != nil {
            let packet = try read(epoch: Epoch()), stream = packet.stream.number, place = position
            guard let row = packet.withAVPacket({ Self.row($0, stream, place, &numbers) }) else {
                throw MediaError(.readFailed, "read packet", averror: aether_averror(ENOMEM))
            }
            return row
        }
        if context.port.interrupt.isRaised { throw interrupted("read packet") }
        let packet = pending.isEmpty ? try readNext() : pending.removeFirst()
        defer { StreamAnalysis.free(packet) }
        let place = packet.pointee.pos >= 0 ? packet.pointee.pos : nil
        return Self.row(packet, Int(packet.pointee.stream_index), place, &numbers)
    }

    private static func row(
        _ packet: UnsafeMutablePointer<AVPacket>, _ stream: Int, _ place: Int64?, _ numbers: inout [Int: Int]
    ) -> SampleRow {
        let raw = packet.pointee, none = aether_nopts()
        numbers[stream, default: 0] += 1
        var row = SampleRow(
            stream: stream, number: numbers[stream] ?? 0, pts: raw.pts == none ? nil : raw.pts,
            dts: raw.dts == none ? nil : raw.dts,
            duration: raw.duration > 0 ? raw.duration : nil, position: place, size: Int(max(0, raw.size)),
            isKey: raw.flags & AV_PKT_FLAG_KEY != 0)
        if raw.flags & AV_PKT_FLAG_DISPOSABLE != 0 { row.dependency.isReferenced = false }
        row.isDiscarded = raw.flags & AV_PKT_FLAG_DISCARD != 0
        var size = 0
        row.isEncrypted = av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size) != nil
        return row
    }
}
