import AetherSources
import CCDIO
import Glibc

/// A disc that libcdio has open, in a drive or in an image.
struct LibraryDrive: ~Copyable, SectorDrive {
    private let disc: OpaquePointer
    private let path: String
    /// Bytes of a sector of mode 2 as libcdio gives it, behind sync and header.
    private static let mode2Size = 2336
    /// The sector of a track by which its mode is known: there ISO 9660 describes its volume, and video has begun.
    private static let tellingSector: Int32 = 16

    /// Opens a drive. Blocks until it answers.
    init(_ path: String) throws(DriveRefusal) {
        // A drive without a disc opens, too.
        if let drive = OpticalDrive(path) {
            do throws(DriveFault) {
                _ = try drive.contents()
            } catch {
                throw .empty
            }
        }
        guard let disc = ccdio_open(path) else { throw .noDrive }
        (self.disc, self.path) = (disc, path)
        // What has changed before is of no interest.
        _ = ccdio_may_have_changed(disc)
    }

    deinit { cdio_destroy(disc) }

    func table() -> DriveTable? {
        let first = cdio_get_first_track_num(disc), count = cdio_get_num_tracks(disc), end = ccdio_start(disc, 0)
        guard 1...99 ~= first, 1...99 ~= count, Int(first) + Int(count) <= 100, end > 0 else { return nil }
        let texts = cdio_get_cdtext(disc)
        func text(_ get: (OpaquePointer, UInt32) -> UnsafePointer<CChar>?, _ track: UInt32) -> String {
            texts.flatMap { get($0, track) }.map { String(cString: $0) } ?? ""
        }
        let tracks = (UInt32(first)..<(UInt32(first) + UInt32(count))).map { number in
            let start = ccdio_start(disc, number)
            return DriveTable.Track(
                Int(number), kind(number, start, end: end), start: Int(start), title: text(ccdio_title, number),
                performer: text(ccdio_performer, number))
        }
        let session = ccdio_last_session(disc)
        return DriveTable(
            tracks, leadOut: Int(end), session: session > 0 ? Int(session) : nil, title: text(ccdio_title, 0),
            performer: text(ccdio_performer, 0))
    }

    /// The table calls all data alike, and the kernel does not say more: the sectors themselves do.
    private func kind(_ track: UInt32, _ start: Int32, end: Int32) -> DriveTable.Kind {
        if ccdio_is_audio(disc, track) { return .audio }
        var sector = [UInt8](repeating: 0, count: Self.mode2Size)
        let isRead = ccdio_read_mode2(disc, &sector, min(start + Self.tellingSector, end - 1), 1)
        return isRead && sector.withUnsafeBytes { DriveTable.isMode2($0) } ? .mixed : .files
    }

    func read(_ kind: DriveTable.Kind, from sector: Int, count: Int, _ room: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = room.baseAddress, room.count >= count * DriveSector.size else { return false }
        switch kind {
        case .files: return false
        case .audio: return ccdio_read_audio(disc, start, Int32(sector), UInt32(count))
        case .mixed:
            guard ccdio_read_mode2(disc, start, Int32(sector), UInt32(count)) else { return false }
            // From the last on they move to where whole sectors have them.
            let header = DriveSector.size - Self.mode2Size
            for index in stride(from: count - 1, through: 0, by: -1) {
                let place = start + index * DriveSector.size
                memmove(place + header, start + index * Self.mode2Size, Self.mode2Size)
                memset(place, 0, header)
            }
            return true
        }
    }

    func holdsDisc() -> Bool {
        guard let drive = OpticalDrive(path) else { return true }
        do throws(DriveFault) {
            _ = try drive.contents()
            return true
        } catch {
            return false
        }
    }

    func mayHaveChanged() -> Bool { ccdio_may_have_changed(disc) }
}
