import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc
import Synchronization

/// The package that a download writes: files below its folder, and the journal of those that are finished. Any thread; calls block as the file
/// system does.
final class PackageStore: Sendable {
    let folder: PackageFolder
    private let journal: PackageFile
    private let keys = Mutex<[[UInt8]]>([])
    /// Bytes that are left to others on the disk.
    static let reserve: Int64 = 64 << 20

    /// Opens a package, or makes one, and says what is in it. A folder with other things in it is none. Throws with the reason.
    static func open(_ path: String) throws(MediaError) -> (store: PackageStore, journal: PackageJournal, index: PackageIndex?) {
        do throws(IOReaderError) {
            let folder = try PackageFolder(path)
            let written = try folder.read(PackageName.index, limit: PackageIndex.sizeLimit).flatMap { PackageIndex($0) }
            guard written != nil || folder.holds(onlyOf: PackageName.first) else {
                throw .network(NetworkFault(.other, detail: "the folder holds other things than a download"))
            }
            var journal = PackageJournal(try folder.read(PackageName.journal, limit: PackageJournal.sizeLimit) ?? [])
            for entries in Array(journal.segments.values) + Array(journal.maps.values) {
                for entry in entries.values where entry.kind != .gap {
                    if try !Self.isThere(entry, in: folder) { journal.drop(entry) }
                }
            }
            try folder.replace(PackageName.journal, with: journal.text)
            return (try PackageStore(folder), journal, written)
        } catch {
            throw Self.failure(path, error)
        }
    }

    private init(_ folder: PackageFolder) throws(IOReaderError) {
        self.folder = folder
        journal = try folder.append(PackageName.journal)
        var known: [[UInt8]] = []
        while known.count < PackageJournal.keyLimit, let key = try folder.read(PackageName.key(known.count + 1), limit: 64) {
            known.append(key)
        }
        keys.withLock { [known] in $0 = known }
    }

    static func failure(_ path: String, _ error: IOReaderError) -> MediaError {
        switch error {
        case .posix(EWOULDBLOCK):
            MediaError(.cannotOpen, "write to", subject: path, reason: "another download writes to it")
        case .posix(ENOSPC), .posix(EDQUOT):
            MediaError(.cannotOpen, "write to", subject: path, reason: "the disk is full; make room and start it again")
        case .network(let fault): MediaError(.cannotOpen, "write to", subject: path, reason: fault.detail)
        case .posix(let number):
            MediaError(.cannotOpen, "write to", subject: path, cause: -number, reason: String(cString: strerror(number)))
        default: MediaError(.cannotOpen, "write to", subject: path, reason: "\(error)")
        }
    }

    /// Whether so many bytes may still be written.
    func hasRoom(for bytes: Int64) -> Bool {
        guard let free = folder.freeBytes else { return true }
        return free.subtractingReportingOverflow(bytes).partialValue >= Self.reserve
    }

    /// Takes the package away, the journal last, so that one that is half removed is a package yet. `media`: its one file, where it has no
    /// segments. Returns whether the folder is gone: it stays where other things are in it.
    func removeAll(media: String) throws(IOReaderError) -> Bool {
        let last = [PackageName.master, PackageName.index, PackageName.journal].flatMap { [$0 + ".new", $0] }
        return try folder.remove(
            files: { $0 == media || PackageName.isKey($0) }, folders: PackageName.isFolder, with: PackageName.isInFolder,
            last: last)
    }

    // MARK: - Files

    /// An empty file for a segment that comes, in place of what a former run has left.
    func draft(_ entry: PackageEntry) throws(IOReaderError) -> PackageFile {
        let name = Self.draftName(entry)
        try folder.remove(name)
        return try folder.create(name)
    }

    private static func draftName(_ entry: PackageEntry) -> String {
        "\(PackageName.folder(entry.rendition))/\(PackageName.file(entry.kind, entry.number, ending: ""))part"
    }

    /// Puts a whole draft into the package: on disk, then in the journal, then under its name, which the next run gives it where this one is
    /// killed in between.
    func finish(_ entry: PackageEntry, _ file: PackageFile) throws(IOReaderError) {
        try file.sync()
        try note(entry.line)
        try folder.rename(Self.draftName(entry), to: Self.name(entry))
    }

    /// Whether the file of an entry of the journal lies whole in the package. One that has a draft's name yet gets its own.
    private static func isThere(_ entry: PackageEntry, in folder: PackageFolder) throws(IOReaderError) -> Bool {
        if folder.size(name(entry)) == entry.size { return true }
        guard folder.size(draftName(entry)) == entry.size else { return false }
        try folder.rename(draftName(entry), to: name(entry))
        return true
    }

    private static func name(_ entry: PackageEntry) -> String { "\(PackageName.folder(entry.rendition))/\(entry.file)" }

    /// A draft is given up.
    func discard(_ entry: PackageEntry) {
        // The next run removes a draft that is left over.
        try? folder.remove(Self.draftName(entry))
    }

    /// Appends a line to the journal, whole, and waits until it is on disk.
    func note(_ line: String) throws(IOReaderError) {
        try journal.write(Array(line.utf8))
        try journal.sync()
    }

    /// All of a rendition goes.
    func forget(_ rendition: Int, _ journal: inout PackageJournal) throws(IOReaderError) {
        try note(PackageJournal.forgetting(rendition))
        for entry in Array((journal.segments[rendition] ?? [:]).values) + Array((journal.maps[rendition] ?? [:]).values)
        where entry.kind != .gap { try folder.remove(Self.name(entry)) }
        journal.forget(rendition)
    }

    /// The number of a key's file, which is made where there is none.
    func number(of key: [UInt8]) throws(IOReaderError) -> Int {
        var failure: IOReaderError?
        let number = keys.withLock { keys -> Int in
            if let place = keys.firstIndex(of: key) { return place + 1 }
            keys.append(key)
            do throws(IOReaderError) {
                let file = try folder.create(PackageName.key(keys.count), isSecret: true)
                try file.write(key)
                try file.sync()
            } catch {
                failure = error
            }
            return keys.count
        }
        if let failure { throw failure }
        return number
    }
}
