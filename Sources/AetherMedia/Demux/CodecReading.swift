public import AetherCore
public import AetherFormats

extension Demuxer {
    /// The codec facts of each stream: the container's header, and the units of its first packets. Blocks on the source. Throws
    /// `.readFailed` or `.interrupted`.
    public mutating func codecInspections(packets count: Int) throws(MediaError) -> [CodecInspection] {
        var inspections: [CodecInspection] = []
        for index in info.streams.indices.prefix(128) {
            let header = info.streams[index].parameters.header(limit: 1 << 20)
            inspections.append(CodecInspection(stream: index, codec: info.streams[index].codecName, header: header))
        }
        var left = Dictionary(uniqueKeysWithValues: inspections.indices.map { ($0, count) }), reads = 0
        // Streams of subtitles may have their first packet an hour later.
        while left.contains(where: { $0.value > 0 }), reads < 200 + 20 * count {
            reads += 1
            do throws(MediaError) {
                let packet = try read(epoch: Epoch()), stream = packet.stream.number
                guard let open = left[stream], open > 0 else { continue }
                left[stream] = open - 1
                inspections[stream].take(packet.bytes(limit: 16 << 20))
            } catch {
                guard error.code == .endOfMedia else { throw error }
                break
            }
        }
        return inspections
    }
}
