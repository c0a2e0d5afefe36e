public import AetherCore
import Glibc

/// A source as the user names it.
public enum MediaLocation: Sendable, Equatable {
    /// A path of the file system: a file, a FIFO, a device or a directory.
    case file(String)
    /// Standard input, written as `-`.
    case standardInput
    /// Anything with a scheme that a protocol library must open.
    case url(String)

    /// Reads a command line argument. `-` is standard input, `file:` URLs become paths, and `cdda://`, `dvd://`, `bd://` and `vcd://`
    /// the drive's; `scheme://…` stays a URL, everything else is a path.
    public static func parse(_ argument: String) -> MediaLocation {
        if argument == "-" { return .standardInput }
        guard let colon = argument.firstIndex(of: ":") else { return .file(argument) }
        let scheme = argument[..<colon].lowercased()
        let rest = argument[argument.index(after: colon)...]
        guard isScheme(scheme) else { return .file(argument) }
        // No path has it, and what stands before it would be another file: it stays an address, which nothing opens.
        if scheme == "file", rest.contains("%00") { return .url(argument) }
        if scheme == "file", rest.hasPrefix("/") { return .file(percentDecoded(pathOfFileURL(rest))) }
        // Other players name the disc in a drive so. What it is, the disc itself tells.
        if ["cdda", "dvd", "bd", "vcd"].contains(scheme), let path = pathOfDrive(rest) { return .file(path) }
        // No share has a query or a fragment: names of files may have these signs as they are.
        if scheme == "smb" || scheme == "nfs" {
            return .url(argument.replacing("?", with: "%3F").replacing("#", with: "%23").replacing(" ", with: "%20"))
        }
        return rest.hasPrefix("//") ? .url(argument) : .file(argument)
    }

    /// The name to show: the last part of a path or URL, without passwords and tokens.
    public var displayName: String {
        switch self {
        case .standardInput: return "standard input"
        case .file(let path): return MediaLocation.lastPart(of: path)
        case .url(let url): return MediaLocation.lastPart(of: MediaLocation.readable(Redaction.shown(url)))
        }
    }

    /// The whole path or address on one line, without passwords and tokens.
    public var shownText: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): DisplayText.singleLine(path, limit: 400)
        case .url(let url): DisplayText.singleLine(Redaction.shown(url), limit: 400)
        }
    }

    /// The whole path or address for a memory that has to find it again: of an address' query that which names the video, as in `watch?v=`, without
    /// tokens. On one line.
    public var rememberedText: String {
        guard case .url(let url) = self else { return shownText }
        return DisplayText.singleLine(Redaction.url(url), limit: 400)
    }

    /// An address as people read it: percent codes of its path become letters where they are UTF-8 and no borders of its parts.
    private static func readable(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard path.contains("%"), let last = path.lastIndex(of: "/") else { return url }
        let name = percentDecoded(path[path.index(after: last)...])
        return name.contains("\u{FFFD}") || name.contains("/") ? url : path[...last] + name + url[path.endIndex...]
    }

    private static func lastPart(of path: String) -> String {
        DisplayText.singleLine(path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// Opens what can be read without a protocol: a `FileReader` for regular files (also one redirected into standard input), a
    /// `PipeReader` for pipes and devices. Nil for URLs. Blocks for as long as the file system does; a FIFO without a writer
    /// does not block here but in the first read.
    /// `follows`: a file that is still being written is read on at its end.
    public func openReader(follows: Bool = false) throws(IOReaderError) -> (any IOReader)? {
        switch self {
        case .url: return nil
        case .standardInput:
            return isRegular(STDIN_FILENO)
                ? try FileReader(descriptor: STDIN_FILENO) : PipeReader(descriptor: STDIN_FILENO, owning: false)
        case .file(let path):
            if path.utf8.contains(0) { throw .posix(EINVAL) }
            var status = stat()
            guard stat(PathText.cString(path), &status) == 0 else { throw .posix(errno) }
            switch status.st_mode & S_IFMT {
            case S_IFREG where follows: return try GrowingFileReader(path: path)
            case S_IFREG, S_IFDIR, S_IFBLK: return try FileReader(path: path)
            case S_IFSOCK: throw .posix(ENXIO)
            default: return try PipeReader(path: path)
            }
        }
    }

    /// The way in which its bytes come, as far as that is seen before they are opened: files, devices of blocks and URLs are repeatable, pipes and
    /// drives for discs are not. A path that cannot be opened at all counts as a file: tried twice, the system says why not. Blocks as stat(2) does.
    public var traits: IOReaderTraits {
        switch self {
        case .url: return .network
        case .standardInput: return isRegular(STDIN_FILENO) ? .file : .pipe
        case .file(let path):
            var status = stat()
            guard stat(PathText.cString(path), &status) == 0 else { return .file }
            if OpticalDrive.isDrive(status) { return .drive }
            return [S_IFREG, S_IFBLK, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT) ? .file : .pipe
        }
    }

    /// A scheme by RFC 3986 section 3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return text.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    /// `//` is the first drive, `///path` the one at a path; nil for anything else.
    private static func pathOfDrive(_ rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let path = rest.dropFirst(2)
        if path.isEmpty || path == "/" { return OpticalDrive.first }
        return path.hasPrefix("/") && !path.contains("%00") ? percentDecoded(path) : nil
    }

    /// `///path`, `//host/path` and `/path` without the host.
    private static func pathOfFileURL(_ rest: Substring) -> Substring {
        guard rest.hasPrefix("//") else { return rest }
        let afterSlashes = rest.dropFirst(2)
        return afterSlashes.firstIndex(of: "/").map { afterSlashes[$0...] } ?? "/"
    }

    package static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return PathText.text(bytes)
    }
}

/// Whether a descriptor is a regular file.
func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}
