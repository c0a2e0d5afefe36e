import AetherCore
import AetherFormats
import CFFmpeg

extension SourceInfo {
    /// Lets the first packet of each stream of HEVC say what its header does not: see `DynamicMetadata`. `firstPacket` as below.
    static func refineFormats(_ streams: inout [StreamInfo], _ firstPacket: (Int) -> UnsafeRawBufferPointer?) {
        for index in streams.indices
        where streams[index].kind == .video && streams[index].videoFormat != .dolbyVision && streams[index].enhancedStream == nil
            && DynamicMetadata.isCandidate(streams[index].parameters.pointer)
        {
            guard let packet = firstPacket(streams[index].index) else { continue }
            streams[index].videoFormat = DynamicMetadata.format(
                streams[index].videoFormat, packet: packet, header: streams[index].parameters.header(limit: 64))
        }
    }

    /// Finds the streams that only refine another one, and lets that one say what both are together. `firstPacket` is a packet that was read
    /// ahead, of those streams for which one was.
    static func joinLayers(
        _ streams: inout [StreamInfo], _ context: UnsafeMutablePointer<AVFormatContext>,
        _ firstPacket: (Int) -> UnsafeRawBufferPointer?
    ) {
        let videos = streams.filter { $0.kind == .video && $0.parameters.pointer.pointee.codec_id == AV_CODEC_ID_HEVC }
        guard videos.count > 1 else { return }
        let isTransport = Container(of: context) == .mpegTS
        let candidates = videos.map { base in
            var candidate = LayerSearch.Candidate(
                index: base.index, size: base.size, hasBaseLayer: base.dolbyVision?.hasBaseLayer)
            candidate.packetID = isTransport ? context.pointee.streams[base.index].map { Int($0.pointee.id) } : nil
            candidate.programs = isTransport ? programs(of: base.index, context) : []
            if let packet = firstPacket(base.index) {
                let units = HEVCUnits(header: base.parameters.header(limit: 64))
                let unit = units.metadata(in: packet)
                candidate.hasUnits = unit != nil
                candidate.hasLayerUnits =
                    unit.map { DolbyVisionReader.isOfTwoLayers(nal: Array($0.dropFirst(2))) } ?? false
                    && !units.hasWrappedLayer(packet)
            }
            return candidate
        }
        for (layer, base) in LayerSearch.partners(candidates) {
            let record = streams[layer].dolbyVision?.ofBaseLayer
            streams[layer].enhancedStream = base
            streams[base].dolbyVision = streams[base].dolbyVision ?? record ?? .disc
            streams[base].videoFormat = .dolbyVision
        }
    }

    private static func programs(of stream: Int, _ context: UnsafeMutablePointer<AVFormatContext>) -> Set<Int> {
        var found: Set<Int> = []
        for number in 0..<min(256, Int(context.pointee.nb_programs)) {
            guard let program = context.pointee.programs[number]?.pointee, let list = program.stream_index else { continue }
            if (0..<Int(program.nb_stream_indexes)).contains(where: { Int(list[$0]) == stream }) {
                found.insert(Int(program.id))
            }
        }
        return found
    }
}
