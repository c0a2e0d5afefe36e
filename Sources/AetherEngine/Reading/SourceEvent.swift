import AetherCore
import AetherMedia

/// One step of reading a source.
enum SourceEvent: Sendable {
    /// The next packet, on the axis that is played.
    case packet(Packet)
    /// No packet: a source with few of them has been read up to there.
    case reached(MediaTime)
    /// The subtitles of a track up to a point, on the axis that is played.
    case cues([DecodedSubtitle], track: TrackID, upTo: MediaTime)
    /// The description is another one from here on: a stream came, or has another format.
    case described(SourceDescription)
    /// The times of one source's streams begin anew here, each from its next packet on; the seams lead from that source's own times to the
    /// axis that is played.
    case discontinuity(source: Int, TimelineSeams)
    /// Another part of the axis than before can be gone to.
    case window(SourceWindow)
    /// A broadcast has begun anew, with other numbers or another clock; it goes on where it was on the axis.
    case reset
    /// A broadcast no longer holds the point to read next; its oldest begins there.
    case expired(to: MediaTime)
    /// Packets of the opened source come once more from there on, in another quality.
    case again(from: MediaTime)
    /// One of several sources has no more packets in this run; the others go on. With the reason where it ended before its end.
    case end(source: Int, MediaError?)
}
