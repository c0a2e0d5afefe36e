public import AetherCore
import Glibc

/// The time of a change, by the wall clock of this machine.
public struct FileDate: Sendable, Equatable {
    /// Month and day from 1; local time.
    public let year, month, day, hour, minute: Int

    /// A date as it stands in a calendar.
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute) = (hour, minute)
    }

    /// The present year and month, from 1, where the person is. May read the zone's file.
    package static func month() -> (year: Int, month: Int) {
        FileDate(secondsSince1970: time(nil)).map { ($0.year, $0.month) } ?? (1970, 1)
    }

    /// A time of the file system; nil where no calendar has it. May read the zone's file: call it where one may block.
    init?(secondsSince1970 seconds: Int) {
        var time = seconds, parts = tm()
        guard localtime_r(&time, &parts) != nil, (0...9999).contains(Int(parts.tm_year) + 1900) else { return nil }
        self.init(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min))
    }
}

/// The contents of a directory, for a person who looks for a file to play: directories first, each kind in natural order.
public struct DirectoryContents: Sendable, Equatable {
    /// A file or a directory in it.
    public struct Entry: Sendable, Equatable {
        /// The name as the file system has it: not safe to display.
        public let name: String
        /// A directory, or a link to one.
        public let isDirectory: Bool
        /// The size in bytes.
        public let bytes: Int64
        /// The last change of the contents; nil where the file system gives none.
        public let changed: FileDate?

        /// An entry.
        public init(name: String, isDirectory: Bool, bytes: Int64 = 0, changed: FileDate? = nil) {
            (self.name, self.isDirectory) = (name, isDirectory)
            (self.bytes, self.changed) = (bytes, changed)
        }
    }

    /// The entries that were read, at most as many as a list may hold.
    public let entries: [Entry]
    /// True where the directory has more entries than a list may hold.
    public let isCut: Bool

    /// 10 000 entries: more than a person leafs through, read and sorted in well under 200 ms.
    public static let limit = 10_000

    /// Contents that are known.
    public init(entries: [Entry], isCut: Bool = false) {
        (self.entries, self.isCut) = (entries, isCut)
    }

    /// Contents in whatever order they were found.
    package init(sorting found: [Entry], isCut: Bool) {
        let sorted = NaturalOrder.order(of: found.map(\.name)).map { found[$0] }
        self.init(entries: sorted.filter(\.isDirectory) + sorted.filter { !$0.isDirectory }, isCut: isCut)
    }

    /// Reads a directory: its directories and the files whose names are wanted, without hidden ones unless they are asked for. Of a name
    /// that leads nowhere nothing is said. Blocks as the file system does; throws `.posix` where the directory cannot be read.
    public init(
        of directory: String, limit: Int = DirectoryContents.limit, includesHidden: Bool = false,
        where isWanted: (String) -> Bool
    ) throws(IOReaderError) {
        guard let stream = opendir(PathText.cString(directory)) else { throw .posix(errno) }
        defer { closedir(stream) }
        var found: [Entry] = []
        var seen = 0, isCut = false
        while let item = readdir(stream) {
            seen += 1
            if seen > DirectoryListing.entryLimit {
                isCut = true
                break
            }
            // Hidden, and the directory itself and the one above.
            let isHidden = item.pointee.d_name.0 == CChar(bitPattern: UInt8(ascii: "."))
            guard includesHidden || !isHidden else { continue }
            let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                PathText.text(bytes.prefix { $0 != 0 })
            }
            if name == "." || name == ".." { continue }
            // An entry that is known to be a file of another kind costs no `fstatat`: that is a round trip on a network file system.
            let isFile = Int(item.pointee.d_type) == DT_REG
            if isFile, !isWanted(name) { continue }
            var status = stat()
            guard fstatat(dirfd(stream), PathText.cString(name), &status, 0) == 0 else { continue }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            guard isDirectory || isWanted(name) else { continue }
            if found.count >= limit {
                isCut = true
                break
            }
            found.append(
                Entry(
                    name: name, isDirectory: isDirectory, bytes: Int64(status.st_size),
                    changed: FileDate(secondsSince1970: status.st_mtim.tv_sec)))
        }
        self.init(sorting: found, isCut: isCut)
    }
}
