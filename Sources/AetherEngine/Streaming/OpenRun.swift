import AetherCore
import AetherFormats
import AetherMedia

/// A run that is being read: the bytes of its segments, the demuxer over them, and where its time stamps lie on the axis.
struct OpenRun: ~Copyable {
    var demuxer: Demuxer
    let reader: SegmentReader
    /// The same bytes without encryption.
    let clear: DecryptingReader
    let shift: TimeSpan

    /// Of the run that is read.
    var report: (ProbeReport, [StreamInfo]) { (ProbeReport(demuxer, name: ""), demuxer.info.streams) }

    /// The segment that is read was given up for one of another variant.
    var isGivenUp: Bool { reader.isGivenUp }

    /// Delivers only packets of these streams from now on.
    mutating func select(_ streams: Set<StreamID>) {
        let numbering = demuxer.numbering
        demuxer.select(Set(streams.compactMap { numbering.index(of: $0) }))
    }

    /// The next packet, on the axis; nil for one that does not count: of a segment that was given up, or of the next period, which has frames of
    /// its own there. Blocks. Throws as `Demuxer`.
    mutating func read(epoch: Epoch) throws(MediaError) -> Packet? {
        let packet = try demuxer.read(epoch: epoch)
        if reader.isGivenUp { return nil }
        packet.shift(by: shift)
        if let end = reader.run.first.bounds?.end, let time = packet.pts, time >= end.time { return nil }
        return packet
    }
}
