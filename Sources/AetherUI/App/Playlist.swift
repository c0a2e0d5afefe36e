import AetherCore
import AetherSources

/// The files to play, in order. A value.
struct Playlist: Sendable {
    private(set) var locations: [MediaLocation]
    private(set) var index = 0
    /// Files in a row that could not be played.
    private var failures = 0
    let loops: Bool

    /// From the command line: a directory stands for its media files in natural order. Throws when a directory holds none or cannot be
    /// read. Blocks on the file system.
    init(arguments: [String], loops: Bool) throws(MediaError) {
        self.loops = loops
        locations = []
        for argument in arguments {
            let location = MediaLocation.parse(argument)
            guard case .file(let path) = location, DirectoryListing.isDirectory(path) else {
                locations.append(location)
                continue
            }
            do throws(IOReaderError) {
                let files = try DirectoryListing.mediaFiles(in: path)
                locations += files.map { .file($0) }
                if files.isEmpty {
                    throw IOReaderError.closed
                }
            } catch {
                if case .posix(let number) = error {
                    throw MediaError(.cannotOpen, "open", subject: path, cause: -number, reason: SystemText.error(number))
                }
                throw MediaError(.cannotOpen, "play", subject: path, reason: "the directory holds no media files")
            }
        }
    }

    var current: MediaLocation { locations[index] }

    /// What the bar says of it.
    var position: PlaylistPosition { PlaylistPosition(index: index, count: locations.count, name: current.displayName) }

    /// Goes on; false at the end, and when nothing of the whole list can be played any more.
    mutating func advance(afterFailure hasFailed: Bool) -> Bool {
        failures = hasFailed ? failures + 1 : 0
        if failures >= locations.count { return false }
        if index + 1 < locations.count {
            index += 1
            return true
        }
        guard loops else { return false }
        index = 0
        return true
    }
}
