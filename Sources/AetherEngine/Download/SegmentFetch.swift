import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// Fetches files of a package one by one, on the thread of a worker.
struct SegmentFetch: Sendable {
    let fetch: StreamFetch
    let store: PackageStore
    let interrupt: Interrupt
    let keepsKeys: Bool
    /// Bytes have come; blocks for as long as a limit wants.
    let came: @Sendable (Int) -> Void

    /// The reasons why a file is not there.
    enum Failure: Error {
        /// The source gave none; worth another attempt if `isTransient`.
        case source(IOReaderError, isTransient: Bool)
        /// The package cannot be written.
        case package(IOReaderError)
        case interrupted
    }

    /// Fetches a file, puts it into the package, and returns its line of the journal.
    func run(_ job: DownloadJob) throws(Failure) -> PackageEntry {
        var entry = job.entry
        if entry.kind == .gap { return entry }
        let reader: any IOReader, bytes: any IOReader
        do throws(IOReaderError) {
            let piece = job.piece
            reader = try fetch.reader(
                piece.address, as: piece.number == nil ? .small : .media, from: piece.offset, to: piece.range?.end)
            let file = SegmentFile(piece.address, reader)
            interrupt.attach(reader)
            try file.move(to: piece.offset)
            let whole = SegmentBytes(file, length: piece.range?.length)
            if let cipher = piece.cipher, !keepsKeys {
                bytes = try cipher.clear(whole, fetch)
            } else {
                bytes = whole
            }
            entry.key = try key(of: job)
        } catch {
            throw Self.failure(error)
        }
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        let file: PackageFile
        do throws(IOReaderError) { file = try store.draft(entry) } catch { throw .package(error) }
        do throws(Failure) {
            try copy(bytes, to: file, &entry, job)
        } catch {
            store.discard(entry)
            throw error
        }
        entry.tag = (reader as? HTTPReader)?.tag
        do throws(IOReaderError) { try store.finish(entry, file) } catch { throw .package(error) }
        return entry
    }

    private func key(of job: DownloadJob) throws(IOReaderError) -> PackageEntry.Key? {
        guard keepsKeys, let encryption = job.encryption, let address = encryption.key else { return nil }
        let length = if case .whole(let cipher, _, _) = encryption { cipher.keyLength } else { 16 }
        let number = try store.number(of: try fetch.key(address, length: length))
        // A vector that is the segment's number is written: numbers of the package are others.
        return switch encryption {
        case .whole(let cipher, _, _):
            .init(number: number, method: cipher.rawValue, vector: encryption.vector(number: job.segment.number))
        case .samples(_, let written, let isCounter):
            .init(
                number: number, method: isCounter ? "SAMPLE-AES-CTR" : "SAMPLE-AES",
                vector: written ?? (job.segment.map == nil ? encryption.vector(number: job.segment.number) : nil))
        case .protected: nil
        }
    }

    private func copy(
        _ bytes: any IOReader, to file: PackageFile, _ entry: inout PackageEntry, _ job: DownloadJob
    ) throws(Failure) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { room.deallocate() }
        var sum = Checksum(), head: [UInt8] = [], checked: Int64 = 0
        while true {
            let count: Int
            do throws(IOReaderError) { count = try bytes.read(room) } catch { throw Self.failure(error) }
            if count == 0 { break }
            let piece = UnsafeRawBufferPointer(rebasing: room.prefix(count))
            if head.count < 1024 {
                head += piece.prefix(1024 - head.count)
                if WebContent(head) == .page { throw .source(.network(NetworkFault(.webPage)), isTransient: false) }
            }
            if entry.size == 0 || entry.size - checked > 16 << 20 {
                guard store.hasRoom(for: 0) else { throw .package(.posix(ENOSPC)) }
                checked = entry.size
            }
            do throws(IOReaderError) { try file.write(piece) } catch { throw .package(error) }
            sum.take(piece)
            entry.size += Int64(count)
            came(count)
        }
        // A whole answer without a byte: what broke off is an error of the reader.
        guard entry.size > 0 else { throw .source(.network(NetworkFault(.badAnswer)), isTransient: false) }
        entry.checksum = sum.value
        let ending = PackageName.ending(head, kind: job.part.kind, written: job.piece.address.lastName)
        entry.file = PackageName.file(entry.kind, entry.number, ending: entry.kind == .map && ending == "m4s" ? "mp4" : ending)
    }

    private static func failure(_ error: IOReaderError) -> Failure {
        switch error {
        case .cancelled: return .interrupted
        case .network(let fault):
            switch fault.kind {
            case .status(408), .status(425), .status(429), .status(500...599): return .source(error, isTransient: true)
            case .status, .invalidAddress, .certificate, .hostKey, .webPage, .redirection, .privateAddress, .missing,
                .denied:
                return .source(error, isTransient: false)
            default: return .source(error, isTransient: true)
            }
        default: return .source(error, isTransient: false)
        }
    }
}
