import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// One file, fetched piece by piece and in order.
extension DownloadSession {
    /// So many bytes are one line of the journal: what is fetched again after a fall is less.
    private static let piece: Int64 = 4 << 20
    private static let folder = 1

    /// A reader of the file of which a former run has the beginning, opened at the last byte of that, so that the server sends nothing twice. nil
    /// where there is no such run, or the server gives no parts. Blocks.
    func continued() throws(MediaError) -> HTTPReader? {
        guard case .url(let url) = configuration.asset, HTTPReader.reads(url),
            let former = formerJournal?.pieces[Self.folder], former.size > 0
        else { return nil }
        do throws(IOReaderError) {
            let reader = try HTTPReader(url, options: options.http)
            interrupt.attach(reader)
            defer { interrupt.detach(reader) }
            try reader.seek(to: former.size - 1)
            try reader.open()
            if reader.isSeekable { return reader }
            reader.close()
        } catch {
            // The usual way says what is wrong.
            Log.module("download").info("not read on: \(error)")
        }
        return nil
    }

    /// The journal of a former run; nil where there is none.
    private var formerJournal: PackageJournal? {
        let title = configuration.title ?? Self.title(of: configuration.asset.displayName)
        do throws(IOReaderError) {
            let folder = try PackageFolder(folder(titled: title), isExclusive: false)
            return try folder.read(PackageName.journal, limit: PackageJournal.sizeLimit).map { PackageJournal($0) }
        } catch {
            // Without a journal that can be read the file begins anew; opening the package says what is wrong with the folder.
            return nil
        }
    }

    /// Fetches the file that a reader gives, behind what a former run has of it. Blocks.
    func run(_ reader: any IOReader) throws(MediaError) {
        let location = configuration.asset
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        let title = configuration.title ?? Self.title(of: location.displayName)
        let store = try begin(title: title)
        let known = reader.size
        let tag = "\((reader as? HTTPReader)?.tag ?? "") \(known.map { "\($0)" } ?? "")"
        let ending = location.displayName.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let media = "media." + (DirectoryListing.mediaExtensions.contains(ending) ? ending : "mp4")
        let draft = "\(PackageName.folder(Self.folder))/\(media)" + PackageName.draft
        index.media = media
        if index.folders.isEmpty { index.folders.append(.init(identity: "file", kind: "file", language: nil)) }
        if let size = store.folder.size(media), size == journal.pieces[Self.folder]?.size, known ?? size == size {
            (progress.finishedBytes, progress.expectedBytes) = (size, size)
            index.isComplete = true
            try writing(store) { () throws(IOReaderError) in try store.folder.replace(PackageName.index, with: index.text) }
            return report(.progress(progress))
        }
        let former = usable(journal.pieces[Self.folder], tag, reader, store, draft)
        if let known, !store.hasRoom(for: known - (former?.size ?? 0)) {
            throw PackageStore.failure(store.folder.path, .posix(ENOSPC))
        }
        try writing(store) { () throws(IOReaderError) in
            try store.folder.replace(PackageName.index, with: index.text)
            try store.folder.makeFolder(PackageName.folder(Self.folder))
        }
        try copy(reader, store, draft, former, tag)
        index.isComplete = true
        try writing(store) { () throws(IOReaderError) in
            // Both names are in different folders of the package.
            try store.folder.move(draft, to: media)
            try store.folder.replace(PackageName.index, with: index.text)
        }
        publishBytes(known)
    }

    /// The bytes of a former run, where they are of the same file and the source can be read on from there.
    private func usable(
        _ former: PackageEntry?, _ tag: String, _ reader: any IOReader, _ store: PackageStore, _ draft: String
    ) -> PackageEntry? {
        guard let former, let size = store.folder.size(draft), size >= former.size else { return nil }
        guard former.tag == tag else {
            report(.note("the file is another one than before; it begins anew"))
            return nil
        }
        guard reader.isSeekable else {
            report(.note("the server gives no parts of files; it begins anew"))
            return nil
        }
        return former
    }

    private func copy(
        _ reader: any IOReader, _ store: PackageStore, _ draft: String, _ former: PackageEntry?, _ tag: String
    ) throws(MediaError) {
        var entry = former ?? PackageEntry(.piece, rendition: Self.folder, number: 0),
            sum = Checksum(going: entry.checksum, behind: entry.size)
        entry.tag = tag
        entry.file = "media.part"
        let subject = configuration.asset.displayName, known = reader.size
        var failure: IOReaderError?
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { room.deallocate() }
        do throws(IOReaderError) {
            if former == nil { try store.folder.remove(draft) }
            let file: PackageFile
            if let former {
                file = try store.folder.reopen(draft, at: former.size)
            } else {
                file = try store.folder.create(draft)
            }
            var noted = entry.size, isPlaced = false
            reading: while true {
                var count = 0
                do throws(IOReaderError) {
                    // One that was opened behind a former run may have to begin anew.
                    if !isPlaced, former != nil || reader.isSeekable { try reader.seek(to: former?.size ?? 0) }
                    isPlaced = true
                    count = try reader.read(room)
                } catch {
                    failure = error
                    break reading
                }
                if count == 0 { break }
                let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                try file.write(bytes)
                sum.take(bytes)
                (entry.size, entry.checksum) = (entry.size + Int64(count), sum.value)
                queue.came(count)
                if entry.size - noted >= Self.piece {
                    guard store.hasRoom(for: 0) else { throw .posix(ENOSPC) }
                    try file.sync()
                    try store.note(entry.line)
                    noted = entry.size
                    journal.take(entry)
                }
                publishBytes(known)
            }
            try file.sync()
            try store.note(entry.line)
            journal.take(entry)
        } catch {
            throw PackageStore.failure(store.folder.path, error)
        }
        if failure == .cancelled || interrupt.isRaised { throw MediaError(.interrupted, "download", subject: subject) }
        if let failure {
            throw MediaError(.readFailed, "download all of", subject: subject, reason: SegmentFailure.words(failure))
        }
        if let known, entry.size < known {
            throw MediaError(.readFailed, "download all of", subject: subject, reason: "it broke off")
        }
    }

    private func publishBytes(_ known: Int64?) {
        progress.finishedBytes = journal.pieces[Self.folder]?.size ?? progress.finishedBytes
        (progress.expectedBytes, progress.rate) = (known, queue.figures.rate)
        report(.progress(progress))
    }
}
