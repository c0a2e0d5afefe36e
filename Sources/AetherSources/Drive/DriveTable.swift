/// The table of contents of a compact disc in a drive. Places are sectors, counted from the end of the two seconds before the first.
package struct DriveTable: Sendable, Equatable {
    /// The kinds of track.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case audio
        /// Mode 2: video, and the tables of Video CDs.
        case mixed
        /// A file system.
        case files
    }
    /// A track.
    package struct Track: Sendable, Equatable {
        /// The number by which the disc calls it, 1…99.
        package let number: Int
        package let kind: Kind
        package let start: Int
        /// As the disc has them (CD-Text): not safe to display; "" for none.
        package let title, performer: String

        package init(_ number: Int, _ kind: Kind, start: Int, title: String = "", performer: String = "") {
            (self.number, self.kind, self.start) = (number, kind, start)
            (self.title, self.performer) = (title, performer)
        }
    }
    /// In their order.
    package let tracks: [Track]
    /// Where the last track ends.
    package let leadOut: Int
    /// Where the last session begins; nil where there is one session.
    package let session: Int?
    /// As the disc has them (CD-Text): not safe to display; "" for none.
    package let title, performer: String

    /// 100 minutes are more than any disc holds, and two hours more than any table that is no lie.
    package static let sectorLimit = 120 * 60 * 75
    package static let trackLimit = 99
    /// From the end of a session to the first track of the next: its lead-out of 90 s, a lead-in of 60 s and a pause of 2 s.
    package static let sessionGap = 6750 + 4500 + 150
    /// A track of files behind music begins with a pause of two seconds, which is its own.
    package static let pause = 150

    /// nil for what no disc has: no track, more than ninety-nine, or places that do not ascend.
    package init?(_ tracks: [Track], leadOut: Int, session: Int? = nil, title: String = "", performer: String = "") {
        guard !tracks.isEmpty, tracks.count <= Self.trackLimit, leadOut <= Self.sectorLimit, tracks[0].start >= 0,
            zip(tracks, tracks.dropFirst()).allSatisfy({ $0.start < $1.start && $0.number < $1.number }),
            tracks.allSatisfy({ 1...99 ~= $0.number && $0.start < leadOut })
        else { return nil }
        (self.tracks, self.leadOut, self.session) = (tracks, leadOut, session)
        (self.title, self.performer) = (title, performer)
    }

    /// Where a track ends: at the next one, but music before files ends before what lies between the two.
    package func end(of index: Int) -> Int {
        guard index + 1 < tracks.count else { return leadOut }
        let track = tracks[index], next = tracks[index + 1]
        guard track.kind == .audio, next.kind != .audio else { return next.start }
        // The session begins with the pause before its first track, or behind it: drives differ.
        let isOther = session.map { $0 > track.start && abs($0 - next.start) <= Self.pause } ?? false
        let end = next.start - (isOther ? Self.sessionGap : Self.pause)
        return end > track.start ? end : next.start
    }

    /// The track whose sectors a sector is one of, and where they end; nil: no sector of any, and where the next track begins.
    package func stretch(at sector: Int) -> (kind: Kind?, end: Int) {
        guard let index = tracks.lastIndex(where: { $0.start <= sector }) else { return (nil, tracks[0].start) }
        let end = end(of: index)
        if sector < end { return (tracks[index].kind, end) }
        return (nil, index + 1 < tracks.count ? tracks[index + 1].start : .max)
    }

    /// Whether a sector of 2336 bytes that was read as one of mode 2 is one: its subheader stands there twice and says data or form 2.
    package static func isMode2(_ sector: UnsafeRawBufferPointer) -> Bool {
        sector.count >= 8 && (0..<4).allSatisfy { sector[$0] == sector[$0 + 4] } && sector[2] & 0x28 != 0
    }
}
