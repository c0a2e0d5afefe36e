import AetherCore
import AetherMedia
import AetherSources
import Glibc

/// The two files of a VobSub on a server, copied to this machine: libavformat opens the second by the path of the first. They are gone with this.
struct VobSubCopy: ~Copyable {
    /// The path of the `.idx`.
    let index: String
    private let folder: String
    private let images: String

    /// A feature video has 2 to 10 MB in each of some languages.
    private static let limit = 256 << 20
    private static let chunk = 1 << 18

    private init(folder: String) {
        (self.folder, index, images) = (folder, folder + "/copy.idx", folder + "/copy.sub")
    }

    /// Copies both. Blocks on the server; throws where one of them cannot be had.
    static func of(_ location: MediaLocation, _ http: HTTPOptions, _ interrupt: Interrupt) throws(MediaError) -> VobSubCopy {
        guard let images = location.imagesOfIndex else {
            throw MediaError(.unsupported, "read subtitles", subject: location.displayName, reason: "its images have no address")
        }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var folder = Array((parent + "/aether-vobsub-XXXXXX").utf8CString)
        guard mkdtemp(&folder) != nil else { throw MediaError(.file(parent), .posix(errno)) }
        let copy = VobSubCopy(folder: String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        for (place, path) in [(location, copy.index), (images, copy.images)] {
            do throws(IOReaderError) {
                try Self.copy(place, to: path, http, interrupt)
            } catch {
                throw MediaError(place, error)
            }
        }
        return copy
    }

    private static func copy(_ place: MediaLocation, to path: String, _ http: HTTPOptions, _ interrupt: Interrupt)
        throws(IOReaderError)
    {
        guard let reader = try place.serverReader(http) else { throw .closed }
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .posix(errno) }
        defer { close(descriptor) }
        var left = limit
        while left > 0 {
            let bytes = try reader.bytes(limit: min(chunk, left))
            if bytes.isEmpty { return }
            left -= bytes.count
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { throw .posix(errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    deinit {
        unlink(index)
        unlink(images)
        rmdir(folder)
    }
}

extension MediaLocation {
    /// The `.sub` that belongs to an `.idx` on a server, in the same letters; nil for what is neither.
    var imagesOfIndex: MediaLocation? {
        guard case .url(let url) = self, HTTPReader.opens(url) || ShareReader.opens(url) else { return nil }
        // Names on shares may have these.
        let end = ShareReader.opens(url) ? url.endIndex : url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        let path = url[..<end]
        guard path.lowercased().hasSuffix(".idx") else { return nil }
        return .url(path.dropLast(3) + (path.hasSuffix("IDX") ? "SUB" : "sub") + url[end...])
    }
}
