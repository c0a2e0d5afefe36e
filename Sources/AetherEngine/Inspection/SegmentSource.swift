import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Opens pieces of a stream for inspectors: by ranges, and what is encrypted as a whole in memory. One thread; blocks on files and servers.
final class SegmentSource {
    /// Bytes of an encrypted piece that are read.
    static let limit = 64 << 20
    private let manifest: ManifestReading
    private let interrupt: Interrupt
    /// The file that was read last: pieces that lie in one file share it.
    private var file: (address: StreamAddress, reader: any IOReader)?
    private var keys: [StreamAddress: [UInt8]] = [:]

    init(_ manifest: ManifestReading, _ interrupt: Interrupt) { (self.manifest, self.interrupt) = (manifest, interrupt) }

    deinit { close() }

    /// The bytes of a piece, from its own first one on. They are good until another piece is opened. Throws where a file or a key cannot be had.
    func open(_ piece: SegmentPiece) throws(IOReaderError) -> InspectedBytes {
        let reader = try reader(piece)
        if let cipher = piece.cipher {
            let key = try key(cipher.key), place = SegmentFile(piece.address, reader)
            try place.move(to: piece.offset)
            let bytes = SegmentBytes(place, length: piece.range?.length)
            let clear = try DecipheringReader(
                bytes, key: key, initial: cipher.vector, isCounter: cipher.cipher == .aes256Counter)
            defer { close() }
            return InspectedBytes(try clear.bytes(limit: Self.limit))
        }
        let offset = piece.offset, isFrugal = !reader.traits.isLocal
        // A server that knows no parts sends all of it once.
        guard reader.isSeekable else {
            defer { close() }
            let length = Int(clamping: min(piece.range?.length ?? Int64(Self.limit), Int64(Self.limit)))
            let place = SegmentFile(piece.address, reader)
            try place.move(to: offset)
            return InspectedBytes(try reader.bytes(limit: length))
        }
        let rest = reader.size.map { max(0, $0 - offset) }
        let size = piece.range.map { min($0.length, rest ?? $0.length) } ?? rest
        return InspectedBytes(size: size, isFrugal: isFrugal) { place, count in
            let room = size.map { max(0, min(Int64(count), $0 - place)) } ?? Int64(count)
            let (start, overflows) = offset.addingReportingOverflow(place)
            guard room > 0, !overflows else { return [] }
            do throws(IOReaderError) {
                try reader.seek(to: start)
                return try reader.bytes(limit: Int(room))
            } catch {
                // The inspection says that a read failed.
                return nil
            }
        }
    }

    private func reader(_ piece: SegmentPiece) throws(IOReaderError) -> any IOReader {
        if let file, file.address == piece.address, piece.range != nil, file.reader.isSeekable {
            (file.reader as? HTTPReader)?.limit(to: piece.range?.end)
            return file.reader
        }
        close()
        let reader = try manifest.reader(piece.address, as: piece.number == nil ? .small : .media)
        interrupt.attach(reader)
        file = (piece.address, reader)
        if let web = reader as? HTTPReader {
            try web.seek(to: piece.offset)
            web.limit(to: piece.range?.end)
            try web.open()
        }
        return reader
    }

    private func key(_ address: StreamAddress) throws(IOReaderError) -> [UInt8] {
        if let known = keys[address] { return known }
        do throws(IOReaderError) {
            let reader = try manifest.reader(address, as: .small)
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.close()
            }
            let key = try reader.bytes(limit: 64)
            if keys.count < 1000 { keys[address] = key }
            return key
        } catch {
            throw error.ofKey
        }
    }

    /// Lets go of the file that was read last.
    func close() {
        guard let file else { return }
        interrupt.detach(file.reader)
        file.reader.close()
        self.file = nil
    }
}
