public import AetherCore
import Glibc

/// The video and audio files of a directory.
public enum DirectoryListing {
    /// File name extensions that are taken for media, in lower case.
    public static let mediaExtensions: Set<String> = [
        "3g2", "3gp", "aac", "ac3", "aif", "aiff", "alac", "amr", "ape", "asf", "au", "av1", "avi", "caf", "divx", "dts", "dv",
        "eac3", "f4v", "flac", "flv", "h264", "h265", "hevc", "ivf", "m1v", "m2t", "m2ts", "m2v", "m4a", "m4b", "m4v", "mjpeg",
        "mk3d", "mka", "mkv", "mov", "mp2", "mp3", "mp4", "mpc", "mpe", "mpeg", "mpg", "mpv", "mts", "mxf", "nut", "oga", "ogg",
        "ogm", "ogv", "opus", "qt", "ra", "rm", "rmvb", "spx", "thd", "tak", "ts", "tta", "vob", "w64", "wav", "webm", "wma",
        "wmv", "wtv", "wv", "y4m",
    ]

    /// Names looked at in one directory: a bound against a file system that never ends.
    static let entryLimit = 100_000

    /// Whether a file name is taken for media.
    public static func isMediaName(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return mediaExtensions.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Whether there is anything of a name, a broken link too. Blocks as stat(2) does.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(PathText.cString(path), &status) == 0
    }

    /// Whether a path is a directory. Blocks as stat(2) does.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(PathText.cString(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Paths of the media files in a directory in natural order; hidden files and directories are left out. Blocks as the file
    /// system does; throws `.posix` where the directory cannot be read.
    public static func mediaFiles(in directory: String) throws(IOReaderError) -> [String] {
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        return try names(in: directory) { isMediaName($0) && !isDirectory(prefix + $0) }.map { prefix + $0 }
    }

    /// Whether there are folders in a directory and no media files: it is one to look around in, not to play. False where it cannot be read.
    /// Blocks as the file system does.
    public static func holdsOnlyFolders(_ directory: String) -> Bool {
        do throws(IOReaderError) {
            guard try mediaFiles(in: directory).isEmpty else { return false }
            let folders = try folders(in: directory) { _ in true }
            return !folders.isEmpty
        } catch {
            // Whoever reads it is told why.
            return false
        }
    }

    /// Names in a directory that end in one of the extensions (in lower case), in natural order, without hidden ones. Blocks as the file
    /// system does; throws `.posix` where the directory cannot be read.
    public static func names(in directory: String, extensions: Set<String>) throws(IOReaderError) -> [String] {
        try names(in: directory) { name in
            guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
            return extensions.contains(name[name.index(after: dot)...].lowercased())
        }
    }

    /// Directories in a directory whose names are wanted, in natural order. Blocks as the file system does; throws `.posix` where the
    /// directory cannot be read.
    public static func folders(in directory: String, where isWanted: (String) -> Bool) throws(IOReaderError) -> [String] {
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        return try names(in: directory) { !$0.hasPrefix(".") && isWanted($0) && isDirectory(prefix + $0) }
    }

    /// Names in a directory that are wanted, in natural order. Blocks as the file system does; throws `.posix` where it cannot be read.
    package static func names(in directory: String, where isWanted: (String) -> Bool) throws(IOReaderError) -> [String] {
        guard let stream = opendir(PathText.cString(directory)) else { throw .posix(errno) }
        defer { closedir(stream) }
        var names: [String] = []
        var seen = 0
        while seen < entryLimit, let entry = readdir(stream) {
            seen += 1
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                PathText.text(bytes.prefix { $0 != 0 })
            }
            if isWanted(name) { names.append(name) }
        }
        return NaturalOrder.order(of: names).map { names[$0] }
    }
}
