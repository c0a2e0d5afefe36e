import AetherMedia

/// The form that packets of a track come in: those of two forms need different init sections.
struct TrackForm: Hashable, Sendable {
    /// The number of the format by the source.
    let format: Int
    /// The header that the packets bring along; nil for none.
    let header: InBandHeader?
}

/// Says the form of each packet as it comes: those without a header of their own have the one before. Pure.
struct FormReading {
    private var headers: [Int: TrackForm] = [:]

    /// Packets are read from elsewhere.
    mutating func clear() { headers = [:] }

    /// The form of the next packet of a track. `usual` is the form that the track began with.
    mutating func form(of packet: Packet, _ track: ServedTrack) -> TrackForm {
        let former = headers[track.number].flatMap { $0.format == packet.format ? $0 : nil }
        let usual = packet.format == track.form.format ? track.form.header : nil
        var header = former?.header ?? usual
        // A key frame alone has one; of audio each packet.
        if packet.isKey, let own = InBandHeader(packet, of: track.info) { header = own }
        let form = TrackForm(format: packet.format, header: header)
        headers[track.number] = form
        return form
    }
}
